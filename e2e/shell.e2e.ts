import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { startFaultProxy } from './stage/fault-proxy.ts'

const banner = (page: Page) => page.getByRole('banner')
const heading = (page: Page) => page.getByRole('heading', { level: 1 })

/** axe measures contrast, which the page's fade-in would spoil. */
async function violations(page: Page): Promise<unknown[]> {
  await page.evaluate(() => Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => undefined))))
  return (await new AxeBuilder({ page }).analyze()).violations
}

test('SHELL-013 SHELL-066 SHELL-067 SHELL-068 SHELL-069 SHELL-070 SHELL-002 the language is chosen, kept, and turns the layout for Persian', async ({
  page,
  context,
}) => {
  await page.goto('/dashboard/management/hosts')
  const html = page.locator('html')
  await banner(page).getByRole('button', { name: 'Account' }).click()
  for (const name of ['English', 'Русский', 'فارسی', '简体中文']) await expect(page.getByRole('menuitem', { name })).toBeVisible()
  await page.getByRole('menuitem', { name: 'فارسی' }).click()
  await expect(heading(page)).toHaveText('هاست‌ها')
  await expect(html).toHaveAttribute('dir', 'rtl')
  await expect(html).toHaveAttribute('lang', 'fa')
  await expect.poll(async () => (await page.getByRole('complementary').boundingBox())?.x).toBe(1440 - 300)
  expect(await violations(page)).toEqual([])
  expect(await page.evaluate(() => localStorage.getItem('i18nextLng'))).toBe('fa')

  // The fixture writes English into every new page; a plain one keeps what is stored.
  const again = await context.newPage()
  await again.goto('/dashboard/management/nodes')
  await expect(again.getByRole('heading', { level: 1 })).toHaveText('نودها')
  await again.close()

  await banner(page).getByRole('button', { name: 'حساب کاربری' }).click()
  await page.getByRole('menuitem', { name: 'Русский' }).click()
  await expect(heading(page)).toHaveText('Хосты')
  await expect(html).toHaveAttribute('dir', 'ltr')
  await page.evaluate(() => localStorage.setItem('i18nextLng', 'xx'))
  await page.reload()
  await expect(heading(page)).toHaveText('Hosts')
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
  await expect(page.getByRole('listbox').getByRole('option', { selected: true })).toHaveText(/^Config profiles/)
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
