import {
  getAuthStatus,
  getBuild,
  getRelease,
  getSubscriptionTemplate,
  listConfigProfiles,
  listHosts,
  templateType,
} from '@causeway/contract'
import { beforeEach, describe, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { violations } from '../../test/axe.ts'
import { answer, hold } from '../../test/fake-api.ts'
import { answerSmallPanel } from '../../test/small-panel.ts'
import { PHONE, showPage } from '../../test/screen.tsx'

const sidebar = page.getByRole('navigation', { name: 'Main menu' })
const textsOf = (elements: Element[]) => elements.map((one) => one.textContent)
const GROUPS = ['Overview', 'Management', 'Subscription', 'Utils', 'Superadmin']
const groups = () => textsOf(sidebar.getByRole('heading').elements())

beforeEach(answerSmallPanel)

it('SHELL-018 /auth leads a stranger to the login page, and whoever is signed in past it', async () => {
  answer(getAuthStatus, () => ({
    isLoginAllowed: true,
    isRegisterAllowed: false,
    tgAuth: null,
    oauth2: { providers: { github: false, pocketid: false, yandex: false } },
  }))
  const stranger = await showPage('/auth', { isSignedIn: false })
  await expect.poll(stranger.address).toBe('/auth/login')
  const administrator = await showPage('/auth')
  await expect.poll(administrator.address).toBe('/dashboard/home')
})

it('SHELL-017 SHELL-020 SHELL-022 the short paths lead on', async () => {
  for (const [from, to] of [
    ['/', '/dashboard/home'],
    ['/dashboard', '/dashboard/home'],
    ['/dashboard/management', '/dashboard/management/users?size=25'],
  ] as const) {
    const { address } = await showPage(from)
    await expect.poll(address).toBe(to)
  }
})

it('SHELL-045 SHELL-046 SHELL-052 the sidebar has its groups in order', async () => {
  await showPage('/dashboard/management/hosts')
  await expect.element(sidebar).toBeVisible()
  expect(groups()).toEqual(GROUPS)
  const linksOf = (group: string) => sidebar.getByRole('group', { name: group }).getByRole('link')
  expect(textsOf(linksOf('Overview').elements())).toEqual(['Home', 'History', 'Deleted'])
  await expect.element(linksOf('Superadmin')).toHaveAttribute('href', '/api/queues')
  await expect.element(linksOf('Superadmin')).toHaveAttribute('target', '_blank')
})

it.each([['ADMIN'], ['API'], ['SUPERADMIN'], ['VIEWER'], [undefined]])(
  'SHELL-053 no group is kept from an administrator, whatever role (%s) the session’s token may claim',
  async (role) => {
    // Nothing is asked either: the groups stand before the server has answered anything.
    const release = [getBuild, getRelease, listHosts, listConfigProfiles].map(hold)
    const payload = btoa(JSON.stringify({ username: 'admin', uuid: '00000000-0000-4000-8000-000000000001', role }))
    await showPage('/dashboard/management/hosts', { token: `head.${payload.replaceAll('=', '')}.signature` })
    await expect.element(sidebar).toBeVisible()
    expect(groups()).toEqual(GROUPS)
    for (const go of release) go()
  },
)

it('SHELL-050 the Templates entry holds the six pages of templates', async () => {
  answer(getSubscriptionTemplate, ({ templateType: asked }) => ({
    uuid: '00000000-0000-4000-8000-000000000900',
    templateType: templateType.parse(asked),
    templateJson: {},
    encodedTemplateYaml: null,
  }))
  await showPage('/dashboard/templates/xray-json')
  const group = sidebar.getByRole('group', { name: 'Subscription' })
  await expect.element(group.getByRole('link', { name: 'Mihomo' })).toBeVisible()
  const links = group.getByRole('link').elements()
  const templates = links.filter((link) => link.getAttribute('href')?.startsWith('/dashboard/templates/'))
  expect(templates.map((link) => [link.textContent, link.getAttribute('href')?.split('/').at(-1)])).toEqual([
    ['Mihomo', 'mihomo'],
    ['Stash', 'stash'],
    ['sing-box', 'singbox'],
    ['sing-box legacy', 'sg-legacy'],
    ['Xray JSON', 'xray-json'],
    ['Clash', 'clash'],
  ])
})

it('CONST-001 NODE-021 a table becomes cards below 48em, and rows of a list grow below 768 px', async () => {
  localStorage.setItem('users-mobile-notice', JSON.stringify({ version: 1, state: { isDismissed: true } }))
  for (const [width, shape] of [
    [769, 'table'],
    [767, 'list'],
  ] as const) {
    await showPage('/dashboard/management/users', { width, height: 900 })
    await expect.element(page.getByRole(shape, { name: 'Users' })).toBeVisible()
  }
  for (const [width, height] of [
    [768, 64],
    [767, 169],
  ] as const) {
    await showPage('/dashboard/management/nodes', { width, height: 900 })
    const row = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Warsaw' }).first()
    await expect.poll(() => Math.round(row.query()?.getBoundingClientRect().height ?? 0)).toBe(height)
  }
})

it('the dialog about the build is closed by a button that says so', async () => {
  await showPage('/dashboard/management/hosts')
  await page.getByRole('button', { name: /^Version/ }).click()
  const dialog = page.getByRole('dialog')
  await expect.element(dialog).toBeVisible()
  await dialog.getByRole('button', { name: 'Close', exact: true }).click()
  await expect.element(dialog).not.toBeInTheDocument()
})

describe.each(['en', 'fa', 'ru', 'zh'] as const)('in %s', (language) => {
  it.each([
    'home',
    'management/users',
    'management/internal-squads',
    'management/config-profiles',
    'management/hosts',
    'management/nodes',
    'management/devices',
    'management/bandwidth-table',
    'management/stats/nodes',
    'management/metrics/nodes',
    'management/api-tokens',
    'management/subscription-settings',
  ])('%s has no accessibility violations and no sideways scrolling, on a desktop and on a phone', async (path) => {
    localStorage.setItem('users-mobile-notice', JSON.stringify({ version: 1, state: { isDismissed: true } }))
    await showPage(`/dashboard/${path}`, { language })
    for (const { width, height } of [{ width: 1440, height: 900 }, PHONE]) {
      await page.viewport(width, height)
      await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect.poll(() => document.querySelectorAll('main [aria-busy=true]').length).toBe(0)
      // What a machine finds does not depend on the words; the room they take does.
      expect(language === 'en' || language === 'fa' ? await violations() : []).toEqual([])
      await expect.poll(() => document.documentElement.scrollWidth - window.innerWidth).toBeLessThanOrEqual(0)
    }
  })
})
