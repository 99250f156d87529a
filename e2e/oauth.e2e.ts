import { expect, test, type Page } from '@playwright/test'
import { startOAuthProvider, type OAuthProvider } from './stage/oauth-provider.ts'
import { registerAdmin, startPanel, type Panel } from './stage/panel.ts'

const HOME = /\/dashboard\/home$/
const LOGIN = /\/auth\/login$/
const toast = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text })
const storedToken = (page: Page) => page.evaluate(() => localStorage.getItem('session'))

let provider: OAuthProvider
let panel: Panel

test.beforeAll(async () => {
  provider = await startOAuthProvider()
  panel = await startPanel({
    env: {
      AUTH_PASSWORD_ENABLED: 'false',
      OAUTH2_GITHUB_ENABLED: 'true',
      OAUTH2_GITHUB_CLIENT_ID: 'id',
      OAUTH2_GITHUB_CLIENT_SECRET: 'secret',
      OAUTH2_GITHUB_ALLOWED_EMAILS: '["ann@example.com"]',
      OAUTH2_BASE_URL: provider.origin,
      TELEGRAM_OAUTH_ENABLED: 'true',
      TELEGRAM_BOT_TOKEN: '4711:secret',
      TELEGRAM_OAUTH_ADMIN_IDS: '[77]',
    },
  })
  provider.setCallback(`${panel.origin}/oauth2/callback/github`)
  await registerAdmin(panel.origin)
})
test.afterAll(async () => {
  await panel.close()
  await provider.close()
})

for (const { who, isAllowed } of [
  { who: 'ann@example.com', isAllowed: true },
  { who: 'mallory@example.com', isAllowed: false },
]) {
  test(`AUTH-021 signing in by a code host ${isAllowed ? 'lets the administrator in' : 'keeps a stranger out'}`, async ({
    page,
  }) => {
    provider.signIn(who)
    await page.goto(`${panel.origin}/auth/login`)
    const back = page.waitForURL(/\/oauth2\/callback\/github/)
    await page.getByRole('button', { name: /GitHub/ }).click()
    await back
    await expect(page).toHaveURL(isAllowed ? HOME : LOGIN)
    expect((await storedToken(page)) !== null).toBe(isAllowed)
  })
}

test('AUTH-024 AUTH-028 AUTH-029 AUTH-035 a sign-in by a code host that another browser began is refused, and so is its state a second time', async ({
  page,
  browser,
}) => {
  provider.signIn('ann@example.com')
  await page.goto(`${panel.origin}/oauth2/callback/github?code=code-of-the-test&state=made-up`)
  await expect(toast(page, 'OAuth2 Callback')).toContainText('Signing in was refused')
  await expect(page).toHaveURL(LOGIN)

  const exchanged = page.waitForRequest('**/api/auth/oauth2/callback')
  await page.getByRole('button', { name: 'Continue with GitHub' }).click()
  const { state } = (await exchanged).postDataJSON()
  await expect(page).toHaveURL(HOME)

  const other = await (await browser.newContext({ locale: 'en-US' })).newPage()
  await other.goto(`${panel.origin}/oauth2/callback/github?code=code-of-the-test&state=${state}`)
  await expect(toast(other, 'OAuth2 Callback')).toContainText('Signing in was refused')
  await expect(other).toHaveURL(LOGIN)
  expect(await storedToken(other)).toBeNull()
  await other.context().close()
})

test('AUTH-010 AUTH-016 AUTH-018 CALL-024 where Telegram is on its script may be fetched on the sign-in page, however one came there', async ({
  page,
}) => {
  const policyOf = async (origin: string, path: string): Promise<string> =>
    (await page.request.get(`${origin}${path}`)).headers()['content-security-policy'] ?? ''
  expect(await policyOf(panel.origin, '/dashboard/home')).not.toContain('telegram')
  const policy = await policyOf(panel.origin, '/auth/login')
  expect(policy).toMatch(/script-src [^;]*https:\/\/telegram\.org/)
  expect(policy).toMatch(/frame-src https:\/\/oauth\.telegram\.org/)

  const refusedByPolicy: string[] = []
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) refusedByPolicy.push(message.text())
  })
  const script = page.waitForRequest('https://telegram.org/js/telegram-widget.js?*')
  await page.goto(`${panel.origin}/`)
  await script
  await expect(page).toHaveURL(LOGIN)
  await expect(page.getByRole('button', { name: 'Continue with' })).toHaveText(['Continue with Telegram', 'Continue with GitHub'])
  await expect(page.getByLabel('Username')).toHaveCount(0)
  expect(refusedByPolicy).toEqual([])
})
