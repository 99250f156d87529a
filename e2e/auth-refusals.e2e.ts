import { login, logout } from '@causeway/contract'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { apiClient } from './stage/api-client.ts'
import { ADMIN, startPanel } from './stage/panel.ts'

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

test('AUTH-009 AUTH-011 ERR-003 ERR-005 of two who register at once one becomes the administrator; the other is asked to sign in, and held up when guessing passwords', async ({
  page,
  browser,
}) => {
  const fresh = await startPanel()
  const secrets = { first: 'First-Horse-9-Battery', second: 'Second-Horse-9-Battery' }
  const other = await (await browser.newContext({ locale: 'en-US' })).newPage()
  for (const each of [page, other]) await each.goto(`${fresh.origin}/auth/login`)
  await Promise.all([fillRegistration(page, 'first', secrets.first), fillRegistration(other, 'second', secrets.second)])
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

  const winner = loser === page ? 'second' : 'first'
  await username(loser).fill(winner)
  const statuses: number[] = []
  while (statuses.at(-1) !== 429 && statuses.length < 11) {
    await password(loser).fill(`Wrong-Horse-${statuses.length}`)
    const answered = loser.waitForResponse('**/api/auth/login')
    await loser.getByRole('button', { name: 'Sign in' }).click()
    statuses.push((await answered).status())
  }
  // A registration that is refused only when it is stored has been counted with them.
  expect([9, 10]).toContain(statuses.lastIndexOf(403) + 1)
  expect(statuses.at(-1)).toBe(429)
  await expect(toast(loser, 'Too many attempts to sign in. Try again in 15 minutes.')).toBeVisible()
  await password(loser).fill(secrets[winner])
  await loser.getByRole('button', { name: 'Sign in' }).click()
  await expect(loser.getByRole('button', { name: 'Sign in' })).toBeEnabled()
  await expect(loser).toHaveURL(LOGIN)
  expect(await storedToken(loser)).toBeNull()
  await other.context().close()
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

test('AUTH-025 AUTH-026 who comes back without a code is led to the login page by a link', async ({ page, session }) => {
  expect(session.token).not.toBe('')
  await page.goto('/oauth2/callback/github')
  await expect(page.getByRole('alert')).toContainText('sent you back without what is needed to sign in')
  await page.getByRole('link', { name: 'Back to sign-in' }).click()
  await expect(page).toHaveURL(LOGIN)
})
