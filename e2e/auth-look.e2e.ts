import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { startFaultProxy } from './stage/fault-proxy.ts'
import { ADMIN, registerAdmin, startPanel, type Panel } from './stage/panel.ts'

test.use({ isSignedIn: false })

/** Given, every state is also drawn into this folder, for eyes. */
const PICTURES = process.env['PICTURES']

const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]

interface Look {
  language: 'en' | 'fa'
  name: string
}

async function open(page: Page, address: string, language: Look['language']): Promise<void> {
  await page.goto(address)
  await page.evaluate((given) => localStorage.setItem('i18nextLng', given), language)
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('dir', language === 'fa' ? 'rtl' : 'ltr')
}

/** Nothing axe complains about and nothing wider than the screen, at both sizes. */
async function expectFine(page: Page, { language, name }: Look): Promise<void> {
  for (const size of SIZES) {
    await page.setViewportSize(size)
    // A fade would spoil what axe measures; a loader's animation never ends.
    await page.evaluate(() => {
      for (const animation of document.getAnimations()) {
        if (animation.effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY) animation.finish()
      }
    })
    if (PICTURES) await page.screenshot({ path: `${PICTURES}/${name}-${language}-${size.width}.png` })
    const { violations } = await new AxeBuilder({ page }).analyze()
    expect(violations, `${name} at ${size.width} px`).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
  }
}

for (const language of ['en', 'fa'] as const) {
  test.describe(`in ${language}`, () => {
    let fresh: Panel
    test.beforeEach(async () => {
      fresh = await startPanel({
        env: {
          OAUTH2_GITHUB_ENABLED: 'true',
          OAUTH2_GITHUB_CLIENT_ID: 'id',
          OAUTH2_GITHUB_CLIENT_SECRET: 'secret',
          OAUTH2_GITHUB_ALLOWED_EMAILS: '["ann@example.com"]',
          OAUTH2_YANDEX_ENABLED: 'true',
          OAUTH2_YANDEX_CLIENT_ID: 'id',
          OAUTH2_YANDEX_CLIENT_SECRET: 'secret',
          OAUTH2_YANDEX_ALLOWED_EMAILS: '["ann@example.com"]',
          TELEGRAM_OAUTH_ENABLED: 'true',
          TELEGRAM_BOT_TOKEN: '4711:secret',
          TELEGRAM_OAUTH_ADMIN_IDS: '[77]',
        },
      })
    })
    test.afterEach(() => fresh.close())

    test('SHELL-019 AUTH-006 AUTH-010 AUTH-011 every state of the sign-in page is accessible and fits', async ({ page }) => {
      test.slow() // axe looks eight times
      const inputs = page.getByRole('textbox')
      await open(page, `${fresh.origin}/auth/login`, language)
      await expect(page.locator('input')).toHaveCount(3)
      await expectFine(page, { language, name: 'register' })
      await page.locator('[type=submit]').click()
      await expect(page.locator('[aria-invalid=true]')).toHaveCount(2)
      await expectFine(page, { language, name: 'register-problems' })

      await registerAdmin(fresh.origin)
      await page.reload()
      await expect(page.locator('input')).toHaveCount(2)
      await expectFine(page, { language, name: 'login-and-others' })
      await inputs.first().fill(ADMIN.username)
      await page.locator('input[type=password]').fill('Wrong-Horse-9')
      await page.locator('[type=submit]').click()
      await expect(page.locator('[aria-invalid=true]')).toHaveCount(1)
      await expectFine(page, { language, name: 'login-refused' })
    })

    test('AUTH-004 AUTH-007 AUTH-008 AUTH-009 loading, unreachable, password alone and coming back are accessible and fit', async ({
      page,
      panel,
      session,
    }) => {
      test.slow() // axe looks eight times
      expect(session.token).not.toBe('')
      const proxy = await startFaultProxy(panel.origin)
      await open(page, `${proxy.origin}/auth/login`, language)
      await expect(page.locator('input')).toHaveCount(2)
      await expectFine(page, { language, name: 'login' })
      const slow = proxy.inject({ path: '/api/auth/status', effect: { kind: 'delay', ms: 30_000 } })
      await page.reload()
      await expect(page.getByRole('progressbar')).toBeVisible()
      await expectFine(page, { language, name: 'loading' })
      slow()
      proxy.inject({ path: '/api/auth/status', effect: { kind: 'drop' } })
      await page.reload()
      await expect(page.getByRole('alert')).toBeVisible()
      await expectFine(page, { language, name: 'unreachable' })
      await open(page, `${proxy.origin}/oauth2/callback/github`, language)
      await expect(page.getByRole('link')).toBeVisible()
      await expectFine(page, { language, name: 'callback' })
      await proxy.close()
    })
  })
}

test('SHELL-021 AUTH-014 AUTH-036 AUTH-037 signing in and out needs no mouse, and the cursor waits in the first field', async ({
  page,
  session,
}) => {
  expect(session.token).not.toBe('')
  await page.goto('/auth/login')
  await expect(page.getByLabel('Username')).toBeFocused()
  await page.keyboard.type(ADMIN.username)
  await page.keyboard.press('Tab')
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
  await page.keyboard.type(ADMIN.password)
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Show or hide the password' })).toBeFocused()
  await page.keyboard.press('Space')
  await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('type', 'text')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/dashboard\/home$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Home')

  const logOut = page.getByRole('banner').getByRole('button', { name: 'Log out' })
  await expect(logOut).toBeVisible()
  for (let step = 0; step < 40 && !(await logOut.evaluate((button) => button === document.activeElement)); step++) {
    await page.keyboard.press('Tab')
  }
  await expect(logOut).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/auth\/login$/)
  await expect(page.getByLabel('Username')).toBeFocused()
})
