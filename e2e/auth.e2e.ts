import AxeBuilder from '@axe-core/playwright'
import { getAuthStatus, register } from '@causeway/contract'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { apiClient } from './stage/api-client.ts'
import { startFaultProxy } from './stage/fault-proxy.ts'
import { ADMIN, startPanel } from './stage/panel.ts'

test.use({ isSignedIn: false })

const HOME = /\/dashboard\/home$/
const LOGIN = /\/auth\/login$/
const toast = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text })
const storedKeys = (page: Page) => page.evaluate(() => Object.keys(localStorage).toSorted())

/** What the real server would say with other methods turned on; their providers are outside. */
function status(given: { telegram?: boolean; providers?: string[]; isLoginAllowed?: boolean; isRegisterAllowed?: boolean }) {
  const on = (name: string) => given.providers?.includes(name) ?? false
  return {
    response: {
      isLoginAllowed: given.isLoginAllowed ?? true,
      isRegisterAllowed: given.isRegisterAllowed ?? false,
      tgAuth: given.telegram ? { botId: 4711 } : null,
      oauth2: { providers: { github: on('github'), pocketid: on('pocketid'), yandex: on('yandex') } },
    },
  }
}

declare global {
  interface Window {
    loadings: { name: string; lastedMs: number }[]
  }
}

/** Notes which buttons show loading and for how long, as a look from outside may come too late to see it. */
function recordLoading(page: Page): Promise<void> {
  return page.evaluate(() => {
    window.loadings = []
    const begun = new Map<Node, number>()
    new MutationObserver((changes) => {
      for (const { target } of changes) {
        const since = begun.get(target)
        if (!(target instanceof HTMLButtonElement)) continue // its parts carry the mark as well
        if (target.dataset['loading'] !== undefined) begun.set(target, since ?? performance.now())
        else if (since !== undefined && begun.delete(target))
          window.loadings.push({ name: target.textContent ?? '', lastedMs: performance.now() - since })
      }
    }).observe(document.body, { attributes: true, attributeFilter: ['data-loading'], subtree: true })
  })
}

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
  await page.goto('/auth/login')
  await expect(page.getByRole('button')).toHaveText(['', 'Sign in'])
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

test('AUTH-006 the page has its product title and no accessibility violations', async ({ page, session }) => {
  expect(session.token).not.toBe('')
  await page.goto('/auth/login')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Causeway')
  await expect(page).toHaveTitle('Sign in | Causeway')
  await page.waitForTimeout(350) // the fade would spoil what axe measures
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
})

test('AUTH-035 AUTH-046 a refused login leaves the visitor outside and says so on the form', async ({ page, session }) => {
  expect(session.token).not.toBe('')
  await page.goto('/auth/login')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByText('Enter a username')).toBeVisible()
  await signIn(page, { ...ADMIN, password: 'Wrong-Horse-9-Battery' })
  await expect(page.getByText('Username or password is wrong')).toBeVisible()
  await expect(page).toHaveURL(LOGIN)
  expect(await storedKeys(page)).toEqual(['i18nextLng'])
})

test('AUTH-046 server complaints about a field stand on that field', async ({ page, panel, session }) => {
  expect(session.token).not.toBe('')
  const proxy = await startFaultProxy(panel.origin)
  const issue = { code: 'custom', path: ['username'], message: 'this name is not welcome' }
  proxy.inject({
    path: '/api/auth/login',
    effect: { kind: 'answer', status: 400, body: { statusCode: 400, message: 'Validation failed', errors: [issue] } },
  })
  await page.goto(`${proxy.origin}/auth/login`)
  await signIn(page)
  await expect(page.getByText('this name is not welcome')).toBeVisible()
  await expect(page.getByLabel('Username')).toHaveAttribute('aria-invalid', 'true')
  await proxy.close()
})

test.describe('the first start', () => {
  test('AUTH-011 AUTH-012 AUTH-013 AUTH-015 AUTH-019 AUTH-020 AUTH-039 AUTH-040 AUTH-042 AUTH-043 AUTH-047 registering the administrator', async ({
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
    await password.fill('Short7Horse')
    await confirmation.fill('Other7Horse')
    await page.getByRole('button', { name: 'Register' }).click()
    await expect(page.getByText('The password is too short')).toBeVisible()
    await expect(page.getByText('The passwords do not match')).toBeVisible()
    await page.waitForTimeout(350)
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])

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

  test('AUTH-044 a clipboard that refuses is told', async ({ page }) => {
    const fresh = await startPanel()
    await page.addInitScript(() => {
      navigator.clipboard.writeText = () => Promise.reject(new DOMException('denied'))
      document.execCommand = () => false
    })
    await page.goto(`${fresh.origin}/auth/login`)
    await page.getByRole('button', { name: 'Generate password' }).click()
    await expect(toast(page, 'Error')).toContainText('Password could not be copied')
    await fresh.close()
  })

  test('a second administrator cannot be registered after the first', async ({ page }) => {
    const fresh = await startPanel()
    await page.goto(`${fresh.origin}/auth/login`)
    await apiClient(fresh.origin)(register, ADMIN)
    await page.getByLabel('Username').fill('second')
    await page.getByLabel('Password', { exact: true }).fill(ADMIN.password)
    await page.getByLabel('Confirm password').fill(ADMIN.password)
    await page.getByRole('button', { name: 'Register' }).click()
    await expect(toast(page, 'Register')).toContainText('Forbidden')
    await expect(page).toHaveURL(LOGIN)
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
    await fresh.close()
  })
})

test('AUTH-007 AUTH-008 a loader while the options are fetched, a badge when the server does not answer', async ({
  page,
  panel,
}) => {
  const proxy = await startFaultProxy(panel.origin)
  proxy.inject({ path: '/api/auth/status', times: 1, effect: { kind: 'delay', ms: 1500 } })
  await page.goto(`${proxy.origin}/auth/login`)
  await expect(page.getByRole('progressbar')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await expect(page.getByRole('progressbar')).toHaveCount(0)
  proxy.inject({ path: '/api/auth/status', effect: { kind: 'drop' } })
  await page.reload()
  await expect(page.getByText('Server is not responding. Check logs.')).toBeVisible()
  await expect(page.getByLabel('Username')).toHaveCount(0)
  await proxy.close()
})

test('AUTH-010 AUTH-016 AUTH-018 other methods stand beside the password, each only when it is offered', async ({
  page,
  panel,
}) => {
  const proxy = await startFaultProxy(panel.origin)
  const script = page.locator('script[src^="https://telegram.org/js/telegram-widget.js"]')
  const take = proxy.inject({
    path: '/api/auth/status',
    effect: { kind: 'answer', status: 200, body: status({ providers: ['github'] }) },
  })
  await page.goto(`${proxy.origin}/auth/login`)
  await expect(page.getByLabel('Username')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Continue with' })).toHaveText(['Continue with GitHub'])
  await expect(script).toHaveCount(0)
  take()
  proxy.inject({
    path: '/api/auth/status',
    effect: { kind: 'answer', status: 200, body: status({ telegram: true, providers: ['pocketid', 'yandex'] }) },
  })
  await page.reload()
  await expect(page.getByRole('button', { name: 'Continue with' })).toHaveText([
    'Continue with Telegram',
    'Continue with Pocket ID',
    'Continue with Yandex',
  ])
  await expect(script).toHaveCount(1)
  await proxy.close()
})

test('AUTH-021 AUTH-022 AUTH-023 AUTH-049 an OAuth2 button leads to the address the server names, or says why not', async ({
  page,
  panel,
}) => {
  const proxy = await startFaultProxy(panel.origin)
  const authorize = '/api/auth/oauth2/authorize'
  proxy.inject({
    path: '/api/auth/status',
    effect: { kind: 'answer', status: 200, body: status({ providers: ['github', 'yandex'] }) },
  })
  await page.goto(`${proxy.origin}/auth/login`)
  const github = page.getByRole('button', { name: 'Continue with GitHub' })
  const yandex = page.getByRole('button', { name: 'Continue with Yandex' })

  const failed = proxy.inject({
    path: authorize,
    effect: { kind: 'answer', status: 500, body: { message: 'OAuth2 authorize error', errorCode: 'A148' } },
  })
  await github.click()
  await expect(toast(page, 'OAuth2 authorize error')).toBeVisible()
  await expect(github).not.toHaveAttribute('data-loading')
  failed()

  const nowhere = proxy.inject({
    path: authorize,
    effect: { kind: 'answer', status: 200, body: { response: { authorizationUrl: null } } },
  })
  await recordLoading(page)
  await github.click()
  await expect.poll(() => page.evaluate(() => window.loadings)).toHaveLength(1)
  const [loading] = await page.evaluate(() => window.loadings)
  expect(loading?.name).toBe('Continue with GitHub')
  // The second begins with the server's answer.
  expect(loading?.lastedMs).toBeGreaterThan(900)
  nowhere()

  proxy.inject({
    path: authorize,
    effect: { kind: 'answer', status: 200, body: { response: { authorizationUrl: `${proxy.origin}/provider-stand-in` } } },
  })
  const sent = page.waitForRequest(`**${authorize}`)
  await yandex.click()
  expect((await sent).postDataJSON()).toEqual({ provider: 'yandex' })
  await expect(page).toHaveURL(/\/provider-stand-in$/)
  await proxy.close()
})

test('AUTH-017 AUTH-048 the messaging platform’s answer is sent whole, and a refusal shows under Login', async ({
  page,
  panel,
}) => {
  const answer = {
    id: 77,
    first_name: 'Ada',
    last_name: 'L',
    username: 'ada',
    photo_url: 'https://example.org/ada.png',
    auth_date: 1_763_000_000,
    hash: 'abc',
  }
  const proxy = await startFaultProxy(panel.origin)
  proxy.inject({ path: '/api/auth/status', effect: { kind: 'answer', status: 200, body: status({ telegram: true }) } })
  // Stands for the provider's script, which is outside.
  await page.addInitScript((given) => {
    Object.assign(window, { Telegram: { Login: { auth: (_: unknown, done: (answer: unknown) => void) => done(given) } } })
  }, answer)
  await page.goto(`${proxy.origin}/auth/login`)
  const sent = page.waitForRequest('**/api/auth/oauth2/tg/callback')
  await page.getByRole('button', { name: 'Continue with Telegram' }).click()
  expect((await sent).postDataJSON()).toEqual(answer)
  await expect(toast(page, 'Login')).toContainText('Forbidden')
  await proxy.close()
})

test('AUTH-004 AUTH-024 AUTH-025 AUTH-026 AUTH-027 the callback page trades code and state for a session', async ({
  page,
  panel,
  session,
}) => {
  const proxy = await startFaultProxy(panel.origin)
  const callback = '/api/auth/oauth2/callback'
  const exchanges: unknown[] = []
  page.on('request', (request) => {
    if (request.url().endsWith(callback)) exchanges.push(request.postDataJSON())
  })
  await page.goto(`${proxy.origin}/oauth2/callback/github?code=0123`)
  await expect(page.getByRole('status')).toHaveText('Signing you in…')
  await page.goto(`${proxy.origin}/oauth2/callback/unknown?code=0123&state=7`)
  await expect(page.getByRole('status')).toHaveText('Signing you in…')
  expect(exchanges).toEqual([])

  proxy.inject({
    path: callback,
    effect: { kind: 'answer', status: 200, body: { response: { accessToken: session.token } } },
  })
  await page.goto(`${proxy.origin}/oauth2/callback/github?code=0123&state=98765432109876543210`)
  await expect(page).toHaveURL(HOME)
  expect(exchanges).toEqual([{ provider: 'github', code: '0123', state: '98765432109876543210' }])
  await proxy.close()
})

test('AUTH-028 AUTH-029 a failed callback says so and leads back to the login page', async ({ page, session }) => {
  expect(session.token).not.toBe('')
  await page.goto('/oauth2/callback/github?code=a&state=b')
  await expect(toast(page, 'OAuth2 Callback')).toContainText('Forbidden')
  await expect(page).toHaveURL(LOGIN)
  expect(await storedKeys(page)).toEqual(['i18nextLng'])
})

test('AUTH-002 AUTH-005 without a token every page leads to the login page', async ({ page, session }) => {
  expect(session.token).not.toBe('')
  for (const path of ['/', '/dashboard/home', '/dashboard/management/users', '/dashboard/management/nodes']) {
    await page.goto(path)
    await expect(page).toHaveURL(LOGIN)
  }
})
