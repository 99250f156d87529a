import { login, logout } from '@causeway/contract'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { apiClient } from './stage/api-client.ts'
import { startOAuthProvider } from './stage/oauth-provider.ts'
import { ADMIN, registerAdmin, startPanel } from './stage/panel.ts'

test.use({ isSignedIn: false })

const HOME = /\/dashboard\/home$/
const LOGIN = /\/auth\/login$/
const toast = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text })
const username = (page: Page) => page.getByLabel('Username')
const password = (page: Page) => page.getByLabel('Password', { exact: true })
const confirmation = (page: Page) => page.getByLabel('Confirm password')
const storedToken = (page: Page) => page.evaluate(() => localStorage.getItem('session'))

async function fillRegistration(page: Page, name: string, secret: string): Promise<void> {
  await username(page).fill(name)
  await password(page).fill(secret)
  await confirmation(page).fill(secret)
  await page.getByRole('button', { name: 'Register' }).click()
}

test('AUTH-009 AUTH-011 of two who register at once one becomes the administrator, and the other is asked to sign in', async ({
  page,
  browser,
}) => {
  const fresh = await startPanel()
  const other = await (await browser.newContext({ locale: 'en-US' })).newPage()
  for (const each of [page, other]) await each.goto(`${fresh.origin}/auth/login`)
  await Promise.all([
    fillRegistration(page, 'first', 'First-Horse-9-Battery'),
    fillRegistration(other, 'second', 'Second-Horse-9-Battery'),
  ])
  const outcome = async (each: Page): Promise<string> => {
    const refusal = toast(each, 'Register').filter({ hasText: 'there is an administrator already' })
    await expect(refusal.or(each.getByRole('heading', { level: 1, name: 'Home' }))).toBeVisible()
    return HOME.test(each.url()) ? 'in' : 'out'
  }
  const outcomes = await Promise.all([outcome(page), outcome(other)])
  expect(outcomes.toSorted()).toEqual(['in', 'out'])
  const loser = outcomes[0] === 'out' ? page : other
  await expect(loser.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await expect(confirmation(loser)).toHaveCount(0)
  expect(await storedToken(loser)).toBeNull()
  await other.context().close()
  await fresh.close()
})

test('ERR-003 ERR-005 who guesses passwords is held up, and is told for how long', async ({ page }) => {
  const fresh = await startPanel()
  await registerAdmin(fresh.origin)
  await page.goto(`${fresh.origin}/auth/login`)
  await username(page).fill(ADMIN.username)
  for (let attempt = 1; attempt <= 11; attempt++) {
    await password(page).fill(`Wrong-Horse-${attempt}`)
    const answered = page.waitForResponse('**/api/auth/login')
    await page.getByRole('button', { name: 'Sign in' }).click()
    expect((await answered).status()).toBe(attempt <= 10 ? 403 : 429)
  }
  await expect(toast(page, 'Too many attempts to sign in. Try again in 15 minutes.')).toBeVisible()
  await password(page).fill(ADMIN.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeEnabled()
  await expect(page).toHaveURL(LOGIN)
  expect(await storedToken(page)).toBeNull()
  await fresh.close()
})

test('AUTH-035 a session that was revoked elsewhere ends at the next call, without a word', async ({ page, panel, session }) => {
  expect(session.token).not.toBe('')
  const { accessToken } = await apiClient(panel.origin)(login, ADMIN)
  await page.goto('/auth/login')
  await page.evaluate((token) => localStorage.setItem('session', token), accessToken)
  await page.goto('/dashboard/management/internal-squads')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Internal squads')
  await apiClient(panel.origin, accessToken)(logout, {})
  const refused = page.waitForResponse((response) => response.status() === 401)
  await page.getByRole('button', { name: 'Refresh internal squads' }).click()
  await refused
  await expect(page).toHaveURL(LOGIN)
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
  expect(await storedToken(page)).toBeNull()
  await page.goBack()
  await expect(page).toHaveURL(LOGIN)
})

test('AUTH-010 AUTH-016 AUTH-018 CALL-024 only where Telegram is on may its script be fetched, however one came to the page', async ({
  page,
  panel,
  session,
}) => {
  expect(session.token).not.toBe('')
  const policyOf = async (origin: string, path: string): Promise<string> =>
    (await page.request.get(`${origin}${path}`)).headers()['content-security-policy'] ?? ''
  expect(await policyOf(panel.origin, '/auth/login')).not.toContain('telegram')

  const withTelegram = await startPanel({
    env: {
      TELEGRAM_OAUTH_ENABLED: 'true',
      TELEGRAM_BOT_TOKEN: '4711:secret',
      TELEGRAM_OAUTH_ADMIN_IDS: '[77]',
      AUTH_PASSWORD_ENABLED: 'false',
    },
  })
  await registerAdmin(withTelegram.origin)
  expect(await policyOf(withTelegram.origin, '/dashboard/home')).not.toContain('telegram')
  const policy = await policyOf(withTelegram.origin, '/auth/login')
  expect(policy).toMatch(/script-src [^;]*https:\/\/telegram\.org/)
  expect(policy).toMatch(/frame-src https:\/\/oauth\.telegram\.org/)

  const refusedByPolicy: string[] = []
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) refusedByPolicy.push(message.text())
  })
  const script = page.waitForRequest('https://telegram.org/js/telegram-widget.js?*')
  await page.goto(`${withTelegram.origin}/`)
  await script
  await expect(page).toHaveURL(LOGIN)
  await expect(page.getByRole('button', { name: 'Continue with' })).toHaveText(['Continue with Telegram'])
  await expect(username(page)).toHaveCount(0)
  expect(refusedByPolicy).toEqual([])
  await withTelegram.close()
})

test('AUTH-024 AUTH-028 AUTH-029 AUTH-035 a sign-in by a code host that another browser began is refused, and so is its state a second time', async ({
  page,
  browser,
}) => {
  const provider = await startOAuthProvider('ann@example.com')
  const panel = await startPanel({
    env: {
      OAUTH2_GITHUB_ENABLED: 'true',
      OAUTH2_GITHUB_CLIENT_ID: 'id',
      OAUTH2_GITHUB_CLIENT_SECRET: 'secret',
      OAUTH2_GITHUB_ALLOWED_EMAILS: '["ann@example.com"]',
      OAUTH2_BASE_URL: provider.origin,
    },
  })
  provider.setCallback(`${panel.origin}/oauth2/callback/github`)
  await registerAdmin(panel.origin)

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
  await panel.close()
  await provider.close()
})

test('AUTH-025 AUTH-026 who comes back without a code is led to the login page by a link', async ({ page, session }) => {
  expect(session.token).not.toBe('')
  await page.goto('/oauth2/callback/github')
  await expect(page.getByRole('alert')).toContainText('sent you back without what is needed to sign in')
  await page.getByRole('link', { name: 'Back to sign-in' }).click()
  await expect(page).toHaveURL(LOGIN)
})
