import AxeBuilder from '@axe-core/playwright'
import { getBuild } from '@causeway/contract'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { startFaultProxy } from './stage/fault-proxy.ts'

const PAGES = [
  ['/dashboard/management/internal-squads', 'Internal squads'],
  ['/dashboard/management/config-profiles', 'Config profiles'],
  ['/dashboard/management/hosts', 'Hosts'],
  ['/dashboard/management/nodes', 'Nodes'],
] as const

const menu = (page: Page) => page.getByRole('navigation', { name: 'Main menu' })
const banner = (page: Page) => page.getByRole('banner')
const heading = (page: Page) => page.getByRole('heading', { level: 1 })

/** axe measures contrast, which the page's fade-in would spoil. */
async function violations(page: Page): Promise<unknown[]> {
  await page.evaluate(() => Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => undefined))))
  return (await new AxeBuilder({ page }).analyze()).violations
}

test('SHELL-017 SHELL-020 SHELL-022 the short paths lead on', async ({ page }) => {
  for (const [from, to] of [
    ['/', /\/dashboard\/home$/],
    ['/auth', /\/dashboard\/home$/],
    ['/dashboard', /\/dashboard\/home$/],
    ['/dashboard/management', /\/dashboard\/management\/users\?size=25$/],
  ] as const) {
    await page.goto(from)
    await expect(page).toHaveURL(to)
  }
})

test('SHELL-024 SHELL-025 SHELL-031 SHELL-033 SHELL-005 SHELL-042 SHELL-043 every page has its title, its header and its way back', async ({
  page,
}) => {
  for (const [path, title] of PAGES) {
    await page.goto(path)
    await expect(heading(page)).toHaveText(title)
    await expect(page).toHaveTitle(`${title} | Causeway`)
    const crumbs = page.getByRole('navigation', { name: 'Breadcrumbs' })
    await expect(crumbs.getByRole('link')).toHaveText('Dashboard')
    await expect(crumbs.getByText(title)).toHaveAttribute('aria-current', 'page')
  }
})

test('the sidebar leads to the pages and marks where one is', async ({ page }) => {
  await page.goto('/dashboard/management/nodes')
  await menu(page).getByRole('link', { name: 'Hosts' }).click()
  await expect(heading(page)).toHaveText('Hosts')
  await expect(menu(page).getByRole('link', { name: 'Hosts' })).toHaveAttribute('aria-current', 'page')
})

test('SHELL-059 SHELL-060 SHELL-001 SHELL-006 the frame has its measures, is dark, cyan, rounded and in Montserrat', async ({
  page,
}) => {
  await page.goto('/dashboard/management/hosts')
  expect((await page.getByRole('complementary').boundingBox())?.width).toBe(300)
  expect((await banner(page).boundingBox())?.height).toBe(64)
  const main = page.getByRole('main').getByRole('button', { name: 'New host' }).first()
  const look = await main.evaluate((button) => {
    const style = getComputedStyle(button)
    const [red, green, blue] = getComputedStyle(document.body).backgroundColor.match(/\d+/g)!.map(Number)
    return {
      scheme: document.documentElement.dataset['mantineColorScheme'],
      brightness: Math.max(red!, green!, blue!),
      background: style.backgroundColor,
      radius: style.borderRadius,
      font: getComputedStyle(document.body).fontFamily,
    }
  })
  expect(look.scheme).toBe('dark')
  expect(look.brightness).toBeLessThan(40)
  expect(look.background).toBe('rgb(21, 170, 191)')
  expect(look.radius).toBe('8px')
  expect(look.font).toContain('Montserrat')
  await expect.poll(() => page.evaluate(() => document.fonts.check("16px 'Montserrat Variable'"))).toBe(true)
})

test('SHELL-041 a page fades in over 0.3 s, and does not where less motion is asked for', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.goto('/dashboard/management/hosts')
  const fade = () =>
    page.getByRole('main').evaluate((main) => {
      const style = getComputedStyle(main)
      return [style.animationName !== 'none', Number.parseFloat(style.animationDuration)]
    })
  expect(await fade()).toEqual([true, 0.3])
  await page.emulateMedia({ reducedMotion: 'reduce' })
  expect((await fade())[1]).toBeLessThan(0.001)
})

test('SHELL-016 SHELL-058 the menu toggle closes and opens the sidebar, which collapses by itself below 64rem', async ({
  page,
}) => {
  await page.goto('/dashboard/management/hosts')
  await expect(menu(page)).toBeVisible()
  await banner(page).getByRole('button', { name: 'Close the menu' }).click()
  await expect(menu(page)).toHaveCount(0)
  await banner(page).getByRole('button', { name: 'Open the menu' }).click()
  await expect(menu(page)).toBeVisible()
  await page.setViewportSize({ width: 1024, height: 800 })
  await expect(menu(page)).toBeVisible()
  await page.setViewportSize({ width: 1023, height: 800 })
  await expect(menu(page)).toHaveCount(0)
  await banner(page).getByRole('button', { name: 'Open the menu' }).click()
  await menu(page).getByRole('link', { name: 'Config profiles' }).click()
  await expect(heading(page)).toHaveText('Config profiles')
  await expect(menu(page)).toHaveCount(0)
})

test('SHELL-003 on a phone language, refresh and log out are in the sidebar', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/dashboard/management/hosts')
  for (const name of ['Language', 'Refresh', 'Log out']) await expect(banner(page).getByRole('button', { name })).toHaveCount(0)
  await banner(page).getByRole('button', { name: 'Open the menu' }).click()
  for (const name of ['Language', 'Refresh', 'Log out'])
    await expect(page.getByRole('dialog').getByRole('button', { name, exact: true })).toBeVisible()
  expect(await violations(page)).toEqual([])
})

test('SHELL-013 SHELL-066 SHELL-067 SHELL-068 SHELL-069 SHELL-070 SHELL-002 the language is chosen, kept, and turns the layout for Persian', async ({
  page,
  context,
}) => {
  await page.goto('/dashboard/management/hosts')
  const html = page.locator('html')
  await banner(page).getByRole('button', { name: 'Language' }).click()
  await expect(page.getByRole('menuitem')).toHaveText(['English', 'Русский', 'فارسی', '简体中文'])
  await page.getByRole('menuitem', { name: 'فارسی' }).click()
  await expect(heading(page)).toHaveText('هاست‌ها')
  await expect(html).toHaveAttribute('dir', 'rtl')
  await expect(html).toHaveAttribute('lang', 'fa')
  const sidebar = await page.getByRole('complementary').boundingBox()
  expect(sidebar?.x).toBe(1440 - 300)
  expect(await violations(page)).toEqual([])
  expect(await page.evaluate(() => localStorage.getItem('i18nextLng'))).toBe('fa')

  // The fixture writes English into every new page; a plain one keeps what is stored.
  const again = await context.newPage()
  await again.goto('/dashboard/management/nodes')
  await expect(again.getByRole('heading', { level: 1 })).toHaveText('نودها')
  await again.close()

  await banner(page).getByRole('button', { name: 'زبان' }).click()
  await page.getByRole('menuitem', { name: 'Русский' }).click()
  await expect(heading(page)).toHaveText('Хосты')
  await expect(html).toHaveAttribute('dir', 'ltr')
  await page.evaluate(() => localStorage.setItem('i18nextLng', 'xx'))
  await page.reload()
  await expect(heading(page)).toHaveText('Hosts')
})

test('SHELL-014 SHELL-065 refresh forgets what was loaded and asks again', async ({ page, makeInternalSquad }) => {
  await page.goto('/dashboard/management/internal-squads')
  await expect(heading(page)).toBeVisible()
  const squad = await makeInternalSquad()
  const asked = page.waitForRequest('**/api/internal-squads')
  await banner(page).getByRole('button', { name: 'Refresh' }).click()
  await asked
  await expect(page.getByRole('heading', { name: squad.name })).toBeVisible()
})

test('SHELL-054 SHELL-055 the version badge opens what is known of the build', async ({ page, api }) => {
  const build = await api(getBuild, {})
  await page.goto('/dashboard/management/hosts')
  await page.getByRole('button', { name: /show build info/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Build info' })
  await expect(dialog.getByRole('term')).toHaveText(['Version', 'Built', 'Full commit', 'Commit', 'Tag', 'Branch', 'Changes'])
  await expect(dialog.getByText(build.version, { exact: true })).toBeVisible()
  await expect(dialog.getByRole('definition').nth(3)).toContainText(build.commit ?? 'unknown')
  expect(await violations(page)).toEqual([])
})

test('SHELL-007 SHELL-008 SHELL-009 SHELL-010 SHELL-011 SHELL-057 links of the installation and the dev badge', async ({
  page,
  panel,
  session,
}) => {
  const proxy = await startFaultProxy(panel.origin)
  const links = {
    repository: 'https://code.example/causeway',
    communityChat: 'https://chat.example/community',
    supportChat: 'https://chat.example/support',
    donation: 'https://give.example',
  }
  const build = {
    version: '1.2.3',
    buildTime: null,
    commitFull: null,
    commit: null,
    tag: null,
    branch: 'dev',
    commitUrl: null,
    links,
  }
  proxy.inject({ path: '/api/x/build', effect: { kind: 'answer', status: 200, body: { response: build } } })
  await page.goto(`${proxy.origin}/auth/login`)
  await page.evaluate((token) => localStorage.setItem('session', token), session.token)
  await page.goto(`${proxy.origin}/dashboard/management/hosts`)
  for (const [name, href] of [
    [/Source code/, links.repository],
    [/Community chat/, links.communityChat],
    [/Support chat/, links.supportChat],
    [/Support the project/, links.donation],
  ] as const)
    await expect(banner(page).getByRole('link', { name })).toHaveAttribute('href', href)
  const badge = page.getByRole('button', { name: /show build info/ })
  await expect(badge).toHaveText('dev')
  await expect(badge).toHaveCSS('color', 'rgb(255, 107, 107)')
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(banner(page).getByRole('link', { name: /chat/ })).toHaveCount(0)
  await expect(banner(page).getByRole('link', { name: /Source code/ })).toBeVisible()
  await proxy.close()
})

test('SHELL-040 SHELL-061 SHELL-062 an unknown path says that there is nothing and leads home', async ({ page }) => {
  for (const path of ['/nowhere', '/dashboard/nowhere', '/dashboard/management/nowhere']) {
    await page.goto(path)
    await expect(heading(page)).toHaveText('Nothing to see here')
    await expect(page.getByText('does not exist or has moved')).toBeVisible()
  }
  expect(await violations(page)).toEqual([])
  await page.getByRole('link', { name: 'Take me back to home page' }).click()
  await expect(page).toHaveURL(/\/dashboard\/home$/)
})

test('CALL-001 CALL-021 CALL-024 SHELL-044 a full browse asks nobody but the panel itself', async ({ page, baseURL }) => {
  const outside: string[] = []
  const locales: string[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.origin !== baseURL && url.protocol !== 'data:' && url.protocol !== 'blob:') outside.push(request.url())
    if (url.pathname.startsWith('/locales/')) locales.push(`${request.method()} ${url.pathname}`)
  })
  const errors: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
  })
  await page.goto('/dashboard/home')
  for (const [path, title] of PAGES) {
    await page.goto(path)
    await expect(heading(page)).toHaveText(title)
  }
  expect(outside).toEqual([])
  expect(errors).toEqual([])
  expect(locales).toContain('GET /locales/en/shell.json')
  expect(locales).toContain('GET /locales/en/nodes.json')
  for (const locale of locales) expect(locale).toMatch(/^GET \/locales\/(en|ru|fa|zh)\/[a-z-]+\.json$/)
})

test('CALL-002 CALL-003 CALL-004 every request carries its headers', async ({ page, session }) => {
  const asked = page.waitForRequest('**/api/internal-squads')
  await page.goto('/dashboard/management/internal-squads')
  const headers = (await asked).headers()
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    accept: 'application/json',
    'x-remnawave-client-type': 'browser',
    authorization: `Bearer ${session.token}`,
  })
})

test('keys: the palette leads to pages, / to the search, ? to the list of keys', async ({ page }) => {
  await page.goto('/dashboard/management/hosts')
  await expect(heading(page)).toBeVisible()
  await page.keyboard.press('/')
  await expect(page.getByRole('searchbox', { name: 'Search remark' })).toBeFocused()
  await page.keyboard.press('Escape')
  await heading(page).click()
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toHaveCount(0)
  await page.keyboard.press('ControlOrMeta+k')
  const palette = page.getByPlaceholder('Find users, nodes, pages, actions…')
  await expect(palette).toBeFocused()
  await palette.fill('config')
  await page.keyboard.press('Enter')
  await expect(heading(page)).toHaveText('Config profiles')
})

test('SHELL-063 SHELL-064 a page that cannot be drawn shows the 500 page, whose button loads it anew', async ({
  page,
  panel,
  session,
}) => {
  const proxy = await startFaultProxy(panel.origin)
  await page.addInitScript((given) => localStorage.setItem('session', given), session.token)
  const repair = proxy.inject({ path: /^\/assets\/hosts-page/, effect: { kind: 'answer', status: 500, body: {} } })
  await page.goto(`${proxy.origin}/dashboard/management/hosts`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Something bad just happened...')
  await expect(page.getByText('Try to refresh the page.')).toBeVisible()
  repair()
  await page.getByRole('button', { name: 'Refresh the page' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Hosts')
  await proxy.close()
})
