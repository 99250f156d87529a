import { getAuthStatus } from '@causeway/contract'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { apiClient } from './stage/api-client.ts'
import { ADMIN, startPanel } from './stage/panel.ts'

test.use({ isSignedIn: false })

const HOME = /\/dashboard\/home$/
const LOGIN = /\/auth\/login$/
const toast = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text })
const storedKeys = (page: Page) => page.evaluate(() => Object.keys(localStorage).toSorted())

async function signIn(page: Page, credentials = ADMIN): Promise<void> {
  await page.getByLabel('Username').fill(credentials.username)
  await page.getByLabel('Password', { exact: true }).fill(credentials.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

test('AUTH-009 AUTH-014 AUTH-034 AUTH-003 AUTH-030 with the password alone offered, signing in stores the token and nothing else', async ({
  page,
  session,
}) => {
  expect(session.token).not.toBe('')
  const opened = await page.goto('/auth/login')
  expect(opened?.headers()['content-security-policy']).not.toContain('telegram')
  await expect(page.locator('form').getByRole('button')).toHaveText(['', 'Sign in'])
  await expect(page.getByLabel('Confirm password')).toHaveCount(0)
  const sent = page.waitForRequest('**/api/auth/login')
  const answered = page.waitForResponse('**/api/auth/login')
  await signIn(page)
  expect((await sent).postDataJSON()).toEqual(ADMIN)
  await expect(page).toHaveURL(HOME)
  const { accessToken } = (await (await answered).json()).response
  expect(await page.evaluate(() => localStorage.getItem('session'))).toBe(accessToken)
  expect(await storedKeys(page)).toEqual(['i18nextLng', 'session'])
  await page.goto('/auth/login')
  await expect(page).toHaveURL(HOME)
})

test('AUTH-035 AUTH-046 a refused login leaves the visitor outside and says so on the form', async ({ page, session }) => {
  expect(session.token).not.toBe('')
  await page.goto('/auth/login')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByText('Enter a username')).toBeVisible()
  await signIn(page, { ...ADMIN, password: 'Wrong-Horse-9-Battery' })
  await expect(page.getByText('Username or password is wrong').first()).toBeVisible()
  await expect(page).toHaveURL(LOGIN)
  expect(await storedKeys(page)).toEqual(['i18nextLng'])
})

test.describe('the first start', () => {
  test('AUTH-011 AUTH-012 AUTH-013 AUTH-015 AUTH-019 AUTH-020 AUTH-039 AUTH-040 AUTH-042 AUTH-043 AUTH-046 AUTH-047 registering the administrator', async ({
    page,
    context,
  }) => {
    const fresh = await startPanel()
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const asked = page.waitForRequest('**/api/auth/status')
    await page.goto(`${fresh.origin}/auth/login`)
    expect((await asked).postData()).toBeNull()
    expect(await apiClient(fresh.origin)(getAuthStatus, {})).toMatchObject({
      isLoginAllowed: false,
      isRegisterAllowed: true,
      tgAuth: null,
      oauth2: { providers: { github: false, pocketid: false, yandex: false } },
    })

    const password = page.getByLabel('Password', { exact: true })
    const confirmation = page.getByLabel('Confirm password')
    await page.getByLabel('Username').fill(ADMIN.username)
    // What only the server knows of a password stands on the field, as what the page finds itself does.
    await password.fill('Password1234')
    await confirmation.fill('Password1234')
    await page.getByRole('button', { name: 'Register' }).click()
    await expect(page.getByText(/among the most common/)).toBeVisible()
    await expect(password).toHaveAttribute('aria-invalid', 'true')
    expect(await storedKeys(page)).toEqual(['i18nextLng'])
    expect((await apiClient(fresh.origin)(getAuthStatus, {})).isRegisterAllowed).toBe(true)

    await page.getByRole('button', { name: 'Generate password' }).click()
    await expect(toast(page, 'Password copied to the clipboard')).toBeVisible()
    const generated = await password.inputValue()
    expect(generated).toMatch(/^[a-zA-Z0-9]{32}$/)
    expect(await confirmation.inputValue()).toBe(generated)
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(generated)

    const sent = page.waitForRequest('**/api/auth/register')
    await page.getByRole('button', { name: 'Register' }).click()
    expect((await sent).postDataJSON()).toEqual({ username: ADMIN.username, password: generated })
    await expect(page).toHaveURL(HOME)
    await expect(toast(page, 'User registered successfully')).toBeVisible()
    await fresh.close()
  })
})

test('AUTH-002 AUTH-005 without a token every page leads to the login page', async ({ page, session }) => {
  expect(session.token).not.toBe('')
  for (const path of ['/', '/dashboard/management/nodes']) {
    await page.goto(path)
    await expect(page).toHaveURL(LOGIN)
  }
})

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

  const account = page.getByRole('banner').getByRole('button', { name: 'Account' })
  await expect(account).toBeVisible()
  for (let step = 0; step < 40 && !(await account.evaluate((button) => button === document.activeElement)); step++) {
    await page.keyboard.press('Tab')
  }
  await expect(account).toBeFocused()
  await page.keyboard.press('Enter')
  // The last entry of the menu, which goes round.
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(page.getByRole('menuitem', { name: 'Log out' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/auth\/login$/)
  await expect(page.getByLabel('Username')).toBeFocused()
})
