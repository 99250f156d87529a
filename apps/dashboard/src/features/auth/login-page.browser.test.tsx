import {
  getAuthStatus,
  login,
  oauth2Authorize,
  oauth2Callback,
  register,
  telegramCallback,
  type OAuth2Provider,
} from '@causeway/contract'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { violations } from '../../../test/axe.ts'
import { answer, disconnect, hold, isAnswered, refuse, requests } from '../../../test/fake-api.ts'
import { answerSmallPanel } from '../../../test/small-panel.ts'
import { PHONE, showPage } from '../../../test/screen.tsx'

const username = page.getByLabelText('Username')
const password = page.getByLabelText('Password', { exact: true })
const confirmation = page.getByLabelText('Confirm password')
const button = (name: string) => page.getByRole('button', { name })
const toast = (text: string) => page.getByRole('alert').filter({ hasText: text })
const STRONG = 'Correct-Horse-9-Battery'

interface Offered {
  telegram?: boolean
  providers?: OAuth2Provider[]
  /** Nobody has registered yet. */
  isFirst?: boolean
}

function offer({ telegram = false, providers = [], isFirst = false }: Offered = {}): void {
  const on = (name: OAuth2Provider) => providers.includes(name)
  answer(getAuthStatus, () => ({
    isLoginAllowed: !isFirst,
    isRegisterAllowed: isFirst,
    tgAuth: telegram ? { botId: 4711 } : null,
    oauth2: { providers: { github: on('github'), pocketid: on('pocketid'), yandex: on('yandex') } },
  }))
}

function show(view: Parameters<typeof showPage>[1] = {}, address = '/auth/login') {
  if (!isAnswered(getAuthStatus)) offer()
  return showPage(address, { isSignedIn: false, ...view })
}

async function fillRegistration(name: string, secret: string, again = secret): Promise<void> {
  await username.fill(name)
  await password.fill(secret)
  await confirmation.fill(again)
  await button('Register').click()
}

afterEach(() => Reflect.deleteProperty(window, 'Telegram'))

/** Stands for the provider's script, which is outside. */
function standInForTelegram(given: unknown): void {
  window.Telegram = { Login: { auth: (_, done) => done(given) } }
}

it('AUTH-006 the page has its product title', async () => {
  await show()
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Causeway')
  expect(document.title).toBe('Sign in | Causeway')
})

it('AUTH-007 AUTH-008 a loader while the options are fetched, a badge when the server does not answer', async () => {
  offer()
  const release = hold(getAuthStatus)
  await show()
  await expect.element(page.getByRole('progressbar')).toBeVisible()
  release()
  await expect.element(button('Sign in')).toBeVisible()
  expect(page.getByRole('progressbar').query()).toBeNull()
  disconnect(getAuthStatus)
  await show()
  await expect.element(page.getByText('Server is not responding. Check logs.')).toBeVisible()
  expect(username.query()).toBeNull()
})

it('AUTH-038 AUTH-039 AUTH-040 AUTH-046 each field of the registration refuses what is wrong with it', async () => {
  offer({ isFirst: true })
  await show()
  await button('Register').click()
  await expect.element(page.getByText('Enter a username')).toBeVisible()
  await expect.element(page.getByText('The password is too short: at least 12 characters')).toBeVisible()
  for (const [name, secret, complaint] of [
    ['admin', 'Eleven7char', 'The password is too short'],
    ['admin', 'nocapital7letter', 'The password needs a capital letter, a small letter and a digit'],
    ['admin', 'NoDigitAnywhere', 'The password needs a capital letter, a small letter and a digit'],
    ['   ', 'Correct7Horse', 'Enter a username'],
  ] as const) {
    await fillRegistration(name, secret)
    await expect.element(page.getByText(complaint)).toBeVisible()
  }
  await fillRegistration('admin', 'Correct7Horse', 'Correct7House')
  await expect.element(page.getByText('The passwords do not match')).toBeVisible()
  expect(requests(register)).toEqual([])
})

it('AUTH-046 server complaints about a field stand on that field', async () => {
  const issue = { code: 'custom', path: ['username'], message: 'this name is not welcome' }
  refuse(login, { status: 400, message: 'Validation failed', errors: [issue] })
  await show()
  await username.fill('admin')
  await password.fill(STRONG)
  await button('Sign in').click()
  await expect.element(page.getByText('this name is not welcome')).toBeVisible()
  await expect.element(username).toHaveAttribute('aria-invalid', 'true')
})

it('AUTH-044 a clipboard that refuses is told', async () => {
  offer({ isFirst: true })
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new DOMException('denied'))
  vi.spyOn(document, 'execCommand').mockReturnValue(false)
  await show()
  await button('Generate password').click()
  await expect.element(page.getByRole('alert')).toMatchTextContent(/^Error: the password could not be copied$/)
})

it('AUTH-010 AUTH-016 other methods stand beside the password, each only when it is offered', async () => {
  offer({ providers: ['github'] })
  const methods = () =>
    button('Continue with')
      .elements()
      .map((one) => one.textContent)
  await show()
  await expect.element(username).toBeVisible()
  await expect.poll(methods).toEqual(['Continue with GitHub'])
  standInForTelegram(false)
  offer({ telegram: true, providers: ['pocketid', 'yandex'] })
  await show()
  await expect.element(username).toBeVisible()
  await expect.poll(methods).toEqual(['Continue with Telegram', 'Continue with Pocket ID', 'Continue with Yandex'])
})

it('AUTH-022 AUTH-023 AUTH-049 an OAuth2 button says why it leads nowhere, and can be pressed again after a second', async () => {
  offer({ providers: ['github', 'yandex'] })
  refuse(oauth2Authorize, { status: 500, code: 'A148', message: 'OAuth2 authorize error' })
  await show()
  const github = button('Continue with GitHub')
  await github.click()
  await expect.element(toast('OAuth2 authorize error')).toBeVisible()
  await expect.element(github).not.toHaveAttribute('data-loading')
  expect(requests(oauth2Authorize)).toEqual([{ provider: 'github' }])

  answer(oauth2Authorize, () => ({ authorizationUrl: null }))
  const timers = vi.spyOn(window, 'setTimeout')
  await github.click()
  await expect.poll(() => timers.mock.calls.map(([, delayMs]) => delayMs)).toContain(1000)
  await expect.element(github).toHaveAttribute('data-loading', 'true')
  await expect.element(github).not.toHaveAttribute('data-loading')
})

it('AUTH-017 AUTH-048 the messaging platform’s answer is sent whole, and a refusal shows under Login', async () => {
  const given = {
    id: 77,
    first_name: 'Ada',
    last_name: 'L',
    username: 'ada',
    photo_url: 'https://example.org/ada.png',
    auth_date: 1_763_000_000,
    hash: 'abc',
  }
  standInForTelegram(given)
  offer({ telegram: true })
  refuse(telegramCallback, { status: 403, code: 'E000', message: 'Forbidden' })
  await show()
  await button('Continue with Telegram').click()
  await expect.element(toast('Login')).toMatchTextContent('Signing in was refused: this account may not sign in here')
  expect(requests(telegramCallback)).toEqual([given])
})

it('AUTH-004 AUTH-024 AUTH-025 AUTH-026 AUTH-027 the callback page trades code and state for a session', async () => {
  for (const [address, said] of [
    ['/oauth2/callback/github?code=0123', 'GitHub sent you back without what is needed to sign in'],
    ['/oauth2/callback/github', 'GitHub sent you back without what is needed to sign in'],
    ['/oauth2/callback/unknown?code=0123&state=7', 'There is no way to sign in by this address'],
  ] as const) {
    await show({}, address)
    await expect.element(page.getByRole('alert')).toMatchTextContent(said)
    expect(page.getByText('Signing you in…').elements()).toEqual([])
    await expect.element(page.getByRole('link', { name: 'Back to sign-in' })).toBeVisible()
  }
  expect(requests(oauth2Callback)).toEqual([])
  answer(oauth2Callback, () => ({ accessToken: 'a new token' }))
  answerSmallPanel()
  const screen = await show({}, '/oauth2/callback/github?code=0123&state=98765432109876543210')
  await expect.poll(screen.address).toBe('/dashboard/home')
  expect(requests(oauth2Callback)).toEqual([{ provider: 'github', code: '0123', state: '98765432109876543210' }])
  expect(localStorage.getItem('session')).toBe('a new token')
})

it('AUTH-028 AUTH-029 a failed callback says so and leads back to the login page', async () => {
  refuse(oauth2Callback, { status: 403, code: 'E000', message: 'Forbidden' })
  const screen = await show({}, '/oauth2/callback/github?code=a&state=b')
  await expect.element(toast('OAuth2 Callback')).toMatchTextContent('Signing in was refused: this account may not sign in here')
  await expect.poll(screen.address).toBe('/auth/login')
  expect(localStorage.getItem('session')).toBeNull()
})

it.each([
  ['en', '?error=access_denied&error_description=The+user+%3Cb%3Edenied%3C/b%3E+it.&state=7', 'The user <b>denied</b> it.'],
  ['ru', '?error=access_denied', 'access_denied'],
  ['fa', `?error=server_error&error_description=${'so '.repeat(200)}`, 'so '.repeat(100).trim()],
  ['zh', '?error_description=access_denied', 'access_denied'],
] as const)('AUTH-004 who declined at the provider is told what it says, and led back (%s)', async (language, search, said) => {
  const screen = await show({ language }, `/oauth2/callback/github${search}`)
  const alert = page.getByRole('alert')
  await expect.element(alert.getByRole('heading')).toMatchTextContent(/GitHub/)
  expect(alert.getByRole('paragraph').element().textContent.trim()).toBe(said)
  await expect.element(page.getByRole('status')).not.toBeInTheDocument()
  expect(requests(oauth2Callback)).toEqual([])
  await page.viewport(PHONE.width, PHONE.height)
  expect(await violations()).toEqual([])
  expect(document.documentElement.scrollWidth - window.innerWidth).toBeLessThanOrEqual(0)
  await page.getByRole('link').click()
  await expect.poll(screen.address).toBe('/auth/login')
})

describe.each(['en', 'fa'] as const)('in %s', (language) => {
  /** Nothing axe complains about and nothing wider than the screen, at both sizes. */
  async function expectFine(): Promise<void> {
    for (const { width, height } of [{ width: 1440, height: 900 }, PHONE]) {
      await page.viewport(width, height)
      expect(await violations()).toEqual([])
      expect(document.documentElement.scrollWidth - window.innerWidth).toBeLessThanOrEqual(0)
    }
    expect(getComputedStyle(document.documentElement).direction).toBe(language === 'fa' ? 'rtl' : 'ltr')
  }
  const inputs = () => document.querySelectorAll('input').length
  const invalid = () => document.querySelectorAll('[aria-invalid=true]').length
  const submit = () => page.elementLocator(document.querySelector('[type=submit]')!).click() // every form of the page has one

  it('SHELL-019 AUTH-006 AUTH-011 the registration is accessible and fits, also with its complaints', async () => {
    offer({ isFirst: true, providers: ['github', 'yandex'] })
    await show({ language })
    await expect.poll(inputs).toBe(3)
    await expectFine()
    await submit()
    await expect.poll(invalid).toBe(2)
    await expectFine()
  })

  it('AUTH-009 AUTH-010 every method of signing in is accessible and fits, also when it is refused', async () => {
    standInForTelegram(false)
    offer({ telegram: true, providers: ['github', 'yandex'] })
    refuse(login, { status: 403, code: 'E000', message: 'Forbidden' })
    await show({ language })
    await expect.poll(inputs).toBe(2)
    await expectFine()
    await page.getByRole('textbox').first().fill('admin')
    await page.elementLocator(document.querySelector('input[type=password]')!).fill(STRONG) // inputs() has seen it
    await submit()
    await expect.poll(invalid).toBe(1)
    await expectFine()
  })

  it('AUTH-004 AUTH-007 AUTH-008 loading, unreachable and coming back are accessible and fit', async () => {
    offer()
    const release = hold(getAuthStatus)
    await show({ language })
    await expect.element(page.getByRole('progressbar')).toBeVisible()
    await expectFine()
    release()
    disconnect(getAuthStatus)
    await show({ language })
    await expect.element(page.getByRole('alert')).toBeVisible()
    await expectFine()
    await show({ language }, '/oauth2/callback/github')
    await expect.element(page.getByRole('link')).toBeVisible()
    await expectFine()
  })
})
