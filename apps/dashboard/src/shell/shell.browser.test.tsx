import {
  addUsersToInternalSquad,
  getAccount,
  getAuthStatus,
  getBuild,
  getRelease,
  listInternalSquads,
  listParts,
  logout,
  planChange,
} from '@causeway/contract'
import { beforeEach, expect, it } from 'vitest'
import { cdp, page, userEvent } from 'vitest/browser'
import { violations } from '../../test/axe.ts'
import { answer, hold, requests } from '../../test/fake-api.ts'
import { sampleBuild, sampleInternalSquad, samplePlan } from '../../test/samples.ts'
import { answerSmallPanel } from '../../test/small-panel.ts'
import { PHONE, showPage } from '../../test/screen.tsx'

const HOSTS = '/dashboard/management/hosts'
const menu = page.getByRole('navigation', { name: 'Main menu' })
const banner = page.getByRole('banner')
const heading = page.getByRole('heading', { level: 1 })
const boxOf = (locator: ReturnType<typeof page.getByRole>) => locator.element().getBoundingClientRect()
const textsOf = (elements: Element[]) => elements.map((one) => one.textContent)

beforeEach(answerSmallPanel)

it.each([
  ['SHELL-024', 'internal-squads', 'Internal squads'],
  ['SHELL-025', 'config-profiles', 'Config profiles'],
  ['SHELL-031', 'hosts', 'Hosts'],
  ['SHELL-033', 'nodes', 'Nodes'],
])('%s SHELL-005 SHELL-042 SHELL-043 %s has its title, its header and its way back', async (_, path, title) => {
  await showPage(`/dashboard/management/${path}`)
  await expect.element(heading).toHaveTextContent(title)
  await expect.poll(() => document.title).toBe(`${title} | Causeway`)
  const crumbs = page.getByRole('navigation', { name: 'Breadcrumbs' })
  expect(textsOf(crumbs.getByRole('link').elements())).toEqual(['Dashboard'])
  await expect.element(crumbs.getByText(title)).toHaveAttribute('aria-current', 'page')
})

it('SHELL-059 SHELL-060 SHELL-001 SHELL-006 the frame has its measures, is dark, cyan, rounded and in Montserrat', async () => {
  await showPage(HOSTS)
  const main = page.getByRole('main').getByRole('button', { name: 'New host' }).first()
  await expect.element(main).toBeVisible()
  expect(boxOf(page.getByRole('complementary')).width).toBe(300)
  expect(boxOf(banner).height).toBe(64)
  expect(document.documentElement.dataset['mantineColorScheme']).toBe('dark')
  const shades = getComputedStyle(document.body).backgroundColor.match(/\d+/g) ?? []
  expect(Math.max(...shades.map(Number))).toBeLessThan(40)
  expect(getComputedStyle(main.element())).toMatchObject({ backgroundColor: 'rgb(21, 170, 191)', borderRadius: '8px' })
  expect(getComputedStyle(document.body).fontFamily).toContain('Montserrat')
  await expect.poll(() => document.fonts.check("16px 'Montserrat Variable'")).toBe(true)
})

it('the frame is drawn before its page, also where the code of both is there', async () => {
  await showPage(HOSTS)
  await expect.element(heading).toBeVisible()
  const seen: boolean[] = []
  const observer = new MutationObserver(() => {
    if (document.querySelector('nav')) seen.push(document.querySelector('h1') !== null)
  })
  observer.observe(document.body, { childList: true, subtree: true })
  await showPage(HOSTS)
  await expect.poll(() => seen.at(-1)).toBe(true)
  observer.disconnect()
  // Of the second opening: what was there of the first goes at once.
  expect(seen).toContain(false)
})

it('SHELL-041 a page fades in over 0.3 s, and does not where less motion is asked for', async () => {
  await showPage(HOSTS)
  await expect.element(heading).toBeVisible()
  const fade = () => {
    const { animationName, animationDuration } = getComputedStyle(page.getByRole('main').element())
    return { isFading: animationName !== 'none', seconds: Number.parseFloat(animationDuration) }
  }
  const ask = (value: string) =>
    cdp().send('Emulation.setEmulatedMedia', {
      features: [
        { name: 'prefers-color-scheme', value: 'dark' },
        { name: 'prefers-reduced-motion', value },
      ],
    })
  try {
    await ask('no-preference')
    await expect.poll(fade).toEqual({ isFading: true, seconds: 0.3 })
  } finally {
    await ask('reduce')
  }
  await expect.poll(() => fade().seconds).toBeLessThan(0.001)
})

it('where less motion is asked for, another theme is on all texts at once, however deep they stand', async () => {
  await showPage(HOSTS)
  await expect.element(heading).toBeVisible()
  const { dataset } = document.documentElement
  const colorOf = (element: Element) => getComputedStyle(element).color
  const inheriting = [...document.body.querySelectorAll('*')].filter((element) => colorOf(element) === colorOf(document.body))
  expect(inheriting.length).toBeGreaterThan(50)
  const before = dataset['mantineColorScheme']
  try {
    dataset['mantineColorScheme'] = 'light'
    expect(colorOf(document.body)).toBe('rgb(28, 37, 48)')
    expect(inheriting.filter((element) => colorOf(element) !== colorOf(document.body))).toEqual([])
  } finally {
    dataset['mantineColorScheme'] = before
  }
})

it('SHELL-016 SHELL-058 the menu toggle closes and opens the sidebar, which collapses by itself below 64rem', async () => {
  await showPage(HOSTS)
  await expect.element(menu).toBeVisible()
  await banner.getByRole('button', { name: 'Close the menu' }).click()
  await expect.element(menu).not.toBeInTheDocument()
  await banner.getByRole('button', { name: 'Open the menu' }).click()
  await expect.element(menu).toBeVisible()
  await page.viewport(1024, 800)
  await expect.element(menu).toBeVisible()
  await page.viewport(1023, 800)
  await expect.element(menu).not.toBeInTheDocument()
  await banner.getByRole('button', { name: 'Open the menu' }).click()
  await menu.getByRole('link', { name: 'Config profiles' }).click()
  await expect.element(heading).toHaveTextContent('Config profiles')
  await expect.element(menu).not.toBeInTheDocument()
})

it('SHELL-003 SHELL-013 SHELL-015 the account menu has language, theme and log out, on a phone too, away from Refresh', async () => {
  answer(getAccount, () => ({ uuid: '9f2f2c2e-0000-4000-8000-000000000001', username: 'admin', isPasswordLoginAllowed: true }))
  await showPage(HOSTS, PHONE)
  await expect.element(heading).toBeVisible()
  const account = banner.getByRole('button', { name: 'Account' })
  await account.click()
  const items = page.getByRole('menuitem')
  await expect.element(page.getByText('admin', { exact: true })).toBeVisible()
  expect(textsOf(items.elements())).toEqual([
    'Account settings',
    'Changes made',
    'English',
    'Русский',
    'فارسی',
    '简体中文',
    'System',
    'Light',
    'Dark',
    'Log out',
  ])
  await expect.element(items.last()).toBeInViewport()
  expect(await violations('[role=menu]')).toEqual([])
  const refresh = banner.getByRole('button', { name: 'Refresh' }).element().getBoundingClientRect()
  const logOut = items.last().element().getBoundingClientRect()
  expect(logOut.top - refresh.bottom).toBeGreaterThan(100)
})

it('SHELL-015 logging out leads to the login page also when the answer comes after the menu has gone', async () => {
  answer(getAccount, () => ({ uuid: '9f2f2c2e-0000-4000-8000-000000000001', username: 'admin', isPasswordLoginAllowed: true }))
  answer(logout, () => ({ isLoggedOut: true }))
  answer(getAuthStatus, () => ({
    isLoginAllowed: true,
    isRegisterAllowed: false,
    tgAuth: null,
    oauth2: { providers: { github: false, pocketid: false, yandex: false } },
  }))
  const release = hold(logout)
  const screen = await showPage(HOSTS)
  await banner.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await expect.element(page.getByRole('menuitem', { name: 'Log out' })).not.toBeInTheDocument()
  release()
  await expect.element(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  expect(screen.address()).toBe('/auth/login')
})

/** As after a page was opened: else the browser goes on from the last click of the test before. */
function beginAtTop(): void {
  document.body.tabIndex = -1
  document.body.focus()
  document.body.removeAttribute('tabindex')
}

it('keys lead past all that stands before the list, and whoever chose a page is in it', async () => {
  answer(listInternalSquads, () => ({ total: 1, internalSquads: [sampleInternalSquad({ name: 'Friends' })] }))
  const screen = await showPage('/dashboard/management/internal-squads')
  const more = page.getByRole('button', { name: 'Actions for Friends' })
  await expect.element(more).toBeVisible()
  beginAtTop()
  await userEvent.keyboard('{Tab}{Tab}')
  await expect.element(page.getByRole('button', { name: 'Skip to the list' })).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(more).toHaveFocus()
  // The number of members leads to them.
  await userEvent.keyboard('{Tab}{Tab}')
  await expect.element(page.getByRole('button', { name: 'Edit Friends' })).toHaveFocus()
  menu.getByRole('link', { name: 'Hosts' }).element().focus()
  await userEvent.keyboard('{F6}')
  await expect.element(page.getByRole('button', { name: 'Edit Friends' })).toHaveFocus()

  screen.go(HOSTS)
  await expect.element(heading).toHaveTextContent('Hosts')
  await expect.element(page.getByRole('main')).toHaveFocus()
})

it('what was pressed has the focus again when it has done its work', async () => {
  answer(listInternalSquads, () => ({ total: 1, internalSquads: [sampleInternalSquad({ name: 'Friends' })] }))
  answer(addUsersToInternalSquad, () => ({ eventSent: true }))
  answer(planChange, () => samplePlan())
  const release = hold(addUsersToInternalSquad)
  await showPage('/dashboard/management/internal-squads')
  const more = page.getByRole('button', { name: 'Actions for Friends' })
  await expect.element(more).toBeVisible()
  more.element().focus()
  await userEvent.keyboard('{Enter}')
  const addAll = page.getByRole('menuitem', { name: 'Add all users' })
  // A menu that opens takes the focus first.
  await expect.poll(() => page.getByRole('menu').element().contains(document.activeElement)).toBe(true)
  addAll.element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('dialog').getByRole('button', { name: 'Cancel' })).toHaveFocus()
  await userEvent.keyboard('{Tab}{Enter}')
  await expect.element(more).toBeDisabled()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  release()
  await expect.element(more).toHaveFocus()
})

it('SHELL-014 SHELL-065 refresh forgets what was loaded and asks again', async () => {
  await showPage('/dashboard/management/internal-squads')
  await expect.element(heading).toBeVisible()
  await expect.poll(() => requests(listInternalSquads).length).toBeGreaterThan(0)
  const squad = sampleInternalSquad({ name: 'Newcomers' })
  answer(listInternalSquads, () => ({ total: 1, internalSquads: [squad] }))
  await banner.getByRole('button', { name: 'Refresh' }).click()
  await expect.element(page.getByRole('heading', { name: squad.name })).toBeVisible()
})

it('SHELL-054 SHELL-055 the version badge opens what is known of the build', async () => {
  answer(getBuild, () => sampleBuild({ version: '4.5.6', commit: 'abc1234' }))
  await showPage(HOSTS)
  await page.getByRole('button', { name: /show build info/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Build info' })
  await expect.element(dialog.getByText('4.5.6', { exact: true })).toBeVisible()
  const terms = ['Version', 'Built', 'Full commit', 'Commit', 'Tag', 'Branch', 'Changes']
  expect(textsOf(dialog.getByRole('term').elements())).toEqual(terms)
  await expect.element(dialog.getByRole('definition').nth(3)).toHaveTextContent('abc1234')
  await expect.element(dialog.getByRole('button', { name: 'Parts and licences' })).toBeVisible()
  expect(await violations()).toEqual([])
})

it('SHIP-013 the build info lists every part with its version and licence', async () => {
  const parts = [
    { name: 'Xray-core', version: '26.3.27', licence: 'MPL-2.0' },
    { name: 'fastify', version: '5.12.8', licence: 'MIT' },
  ]
  answer(listParts, () => ({ parts }))
  await showPage(HOSTS)
  await page.getByRole('button', { name: /show build info/ }).click()
  await page.getByRole('button', { name: 'Parts and licences' }).click()
  const table = page.getByRole('table', { name: 'Parts and licences' })
  await expect.element(table).toBeVisible()
  expect(textsOf([...table.element().querySelectorAll('td')])).toEqual(
    parts.flatMap(({ name, version, licence }) => [name, version, licence]),
  )
  expect(await violations()).toEqual([])
})

it('SHELL-007 SHELL-008 SHELL-009 SHELL-010 SHELL-011 SHELL-057 links of the installation and the dev badge', async () => {
  const links = {
    repository: 'https://code.example/causeway',
    communityChat: 'https://chat.example/community',
    supportChat: 'https://chat.example/support',
    donation: 'https://give.example',
  }
  answer(getBuild, () => sampleBuild({ branch: 'dev', links }))
  await showPage(HOSTS)
  for (const [name, href] of [
    [/Source code/, links.repository],
    [/Community chat/, links.communityChat],
    [/Support chat/, links.supportChat],
    [/Support the project/, links.donation],
  ] as const)
    await expect.element(banner.getByRole('link', { name })).toHaveAttribute('href', href)
  const badge = page.getByRole('button', { name: /show build info/ })
  await expect.element(badge).toHaveTextContent('dev')
  expect(getComputedStyle(badge.element()).color).toBe('rgb(255, 107, 107)')
  await page.viewport(PHONE.width, PHONE.height)
  await expect.element(banner.getByRole('link', { name: /chat/ })).not.toBeInTheDocument()
  await expect.element(banner.getByRole('link', { name: /Source code/ })).toBeVisible()
})

it('SHELL-040 SHELL-061 SHELL-062 an unknown path says that there is nothing and leads home', async () => {
  const show = async (path: string) => {
    const screen = await showPage(path)
    await expect.element(heading).toHaveTextContent('Nothing to see here')
    await expect.element(page.getByText('does not exist or has moved')).toBeVisible()
    return screen
  }
  await show('/nowhere')
  await show('/dashboard/nowhere')
  const { address } = await show('/dashboard/management/nowhere')
  expect(await violations()).toEqual([])
  await page.getByRole('link', { name: 'Take me back to home page' }).click()
  await expect.poll(address).toBe('/dashboard/home')
})

it('SHELL-056 that a newer version is there stands whole in the menu, in every language', async () => {
  for (const language of ['en', 'ru', 'fa', 'zh'] as const) {
    answer(getRelease, () => ({ isConfigured: true, stars: null, latestTag: 'v12.34.56' }))
    await showPage('/dashboard/home', { language, width: 1440, height: 900 })
    const badge = page.getByText(/12\.34\.56/).first()
    await expect.element(badge).toBeVisible()
    const { scrollWidth, clientWidth } = badge.element()
    expect(scrollWidth).toBeLessThanOrEqual(clientWidth)
    const menu = document.querySelector('nav')!.getBoundingClientRect()
    const box = badge.element().getBoundingClientRect()
    expect(box.left >= menu.left && box.right <= menu.right).toBe(true)
  }
})
