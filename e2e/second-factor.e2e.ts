import { login } from '@causeway/contract'
import { expect, test, type Page } from '@playwright/test'
import { codeAt } from '../apps/server/test/authenticator.ts'
import { apiClient } from './stage/api-client.ts'
import { ADMIN, signedIn, startPanel, type Panel } from './stage/panel.ts'

// Passkeys by the virtual authenticator of Chromium: the browser's own WebAuthn, without interception.

const HOME = /\/dashboard\/home$/
let panel: Panel
/** Browsers have passkeys at a name, and at an address have none. */
let origin: string

test.beforeEach(async () => {
  panel = await startPanel()
  await signedIn(panel)
  origin = panel.origin.replace('127.0.0.1', 'localhost')
})
test.afterEach(() => panel.close())

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const part = (page: Page, name: string) => page.getByRole('region', { name })

async function addAuthenticator(page: Page) {
  const client = await page.context().newCDPSession(page)
  await client.send('WebAuthn.enable')
  const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { client, authenticatorId }
}

async function enterPassword(page: Page): Promise<void> {
  await page.getByLabel('Username').fill(ADMIN.username)
  await page.getByLabel('Password', { exact: true }).fill(ADMIN.password)
  await button(page, 'Sign in').click()
}

async function signOut(page: Page): Promise<void> {
  await button(page, 'Account').click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await expect(page.getByLabel('Username')).toBeVisible()
}

test('SIGN-005 a passkey is registered, then signs in by itself and after the password; a copy of it whose counter is behind does not', async ({
  page,
}) => {
  const { client, authenticatorId } = await addAuthenticator(page)
  await page.goto(`${origin}/auth/login`)
  // Not offered while there is none.
  await expect(button(page, 'Sign in with a passkey')).toHaveCount(0)
  await enterPassword(page)
  await expect(page).toHaveURL(HOME)
  await page.goto(`${origin}/dashboard/account`)
  await button(page, 'Add a passkey').click()
  // The first factor brings the codes for its loss.
  const codes = page.getByRole('dialog', { name: 'Your recovery codes' })
  await expect(codes.getByRole('listitem')).toHaveCount(10)
  await button(page, 'I have kept them').click()
  await expect(part(page, 'Passkeys').getByRole('listitem')).toHaveCount(1)
  await expect(part(page, 'Passkeys')).toContainText('Linux')
  const { credentials } = await client.send('WebAuthn.getCredentials', { authenticatorId })
  expect(credentials).toHaveLength(1)

  await signOut(page)
  await button(page, 'Sign in with a passkey').click()
  await expect(page).toHaveURL(HOME)

  await signOut(page)
  await enterPassword(page)
  await expect(page.getByRole('heading', { name: 'Second step' })).toBeVisible()
  await button(page, 'Use a passkey').click()
  await expect(page).toHaveURL(HOME)

  // The credential as it was registered, whose counter the server has seen go on.
  await signOut(page)
  const [registered] = credentials
  await client.send('WebAuthn.clearCredentials', { authenticatorId })
  await client.send('WebAuthn.addCredential', { authenticatorId, credential: { ...registered!, signCount: 0 } }) // the one above
  await button(page, 'Sign in with a passkey').click()
  await expect(page.getByRole('alert').filter({ hasText: 'does not sign in here' })).toBeVisible()
})

test('SIGN-004 SIGN-011 an authenticator is set up by its text, asked for after the password, and a recovery code stands in for it', async ({
  page,
}) => {
  await page.goto(`${origin}/auth/login`)
  await enterPassword(page)
  await expect(page).toHaveURL(HOME)
  await page.goto(`${origin}/dashboard/account`)
  await button(page, 'Set up…').click()
  const dialog = page.getByRole('dialog', { name: 'Set up an authenticator app' })
  const secret = await dialog.getByText(/^[A-Z2-7]{32}$/).textContent()
  await dialog.getByLabel('Code').fill(codeAt(secret ?? '', new Date()))
  await button(page, 'Turn on').click()
  const list = page.getByRole('dialog', { name: 'Your recovery codes' }).getByRole('listitem')
  await expect(list).toHaveCount(10)
  const [first = ''] = await list.allTextContents()
  await button(page, 'I have kept them').click()

  await signOut(page)
  await enterPassword(page)
  const code = page.getByLabel('Code', { exact: true })
  await code.fill('000000')
  await page.keyboard.press('Enter')
  await expect(page.getByText('This code is wrong, has been used before, or is too old.')).toBeVisible()
  await code.fill(first)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(HOME)
  await page.goto(`${origin}/dashboard/account`)
  await expect(part(page, 'Second factor')).toContainText('9 codes left')
  await expect(apiClient(panel.origin)(login, ADMIN)).rejects.toThrow(/second factor/)
})

test('SIGN-007 a second factor that is required of all is set up before anything else, and the panel goes on', async ({
  page,
}) => {
  await page.goto(`${origin}/auth/login`)
  await enterPassword(page)
  await expect(page).toHaveURL(HOME)
  await page.goto(`${origin}/dashboard/utils/installation`)
  await page.getByRole('switch', { name: 'Require a second factor of all administrators' }).click()
  const saved = page.waitForResponse((reply) => reply.request().method() === 'PATCH')
  await button(page, 'Save').click()
  expect((await saved).ok()).toBe(true)
  // It counts from the next request on, for its writer too.
  await page.goto(`${origin}/dashboard/management/users`)
  await expect(page.getByRole('heading', { level: 1, name: 'Set up a second factor' })).toBeVisible()
  await button(page, 'Set up…').click()
  const dialog = page.getByRole('dialog', { name: 'Set up an authenticator app' })
  const secret = await dialog.getByText(/^[A-Z2-7]{32}$/).textContent()
  await dialog.getByLabel('Code').fill(codeAt(secret ?? '', new Date()))
  await button(page, 'Turn on').click()
  await button(page, 'I have kept them').click()
  await expect(page).toHaveURL(HOME)
})
