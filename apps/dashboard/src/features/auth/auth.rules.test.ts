import { describe, expect, it } from 'vitest'
import { isPasskeyOffered, loginProblems, signInLayout } from './auth.rules.ts'

const status = {
  isLoginAllowed: true,
  isRegisterAllowed: false,
  tgAuth: null,
  oauth2: { providers: { github: false, pocketid: false, yandex: false } },
}

describe('what the sign-in page offers', () => {
  it('the login form alone when nothing else is on', () => {
    expect(signInLayout(status)).toEqual({ form: 'login', hasTelegram: false, providers: [] })
  })

  it('the login form with other methods, each only when it is on', () => {
    const more = { ...status, tgAuth: { botId: 7 }, oauth2: { providers: { github: true, pocketid: false, yandex: true } } }
    expect(signInLayout(more)).toEqual({ form: 'login', hasTelegram: true, providers: ['github', 'yandex'] })
    expect(signInLayout({ ...more, isPasswordLoginAllowed: false }).form).toBe('none')
  })

  it('registration while there is no administrator, and nothing when both are closed', () => {
    expect(signInLayout({ ...status, isLoginAllowed: false, isRegisterAllowed: true }).form).toBe('register')
    expect(signInLayout({ ...status, isLoginAllowed: false }).form).toBe('none')
  })
})

it.each([
  ['panel.example', true],
  ['localhost', true],
  ['127.0.0.1', false],
  ['[::1]', false],
])('passkeys are offered at %s: %s', (hostname, isOffered) => {
  const authentication = { passkey: { enabled: true }, oauth2: { providers: {} } }
  expect(isPasskeyOffered({ ...status, authentication } as never, hostname)).toBe(isOffered) // other members do not matter
  expect(isPasskeyOffered(status, hostname)).toBe(false)
})

describe('login form', () => {
  it('AUTH-045 any two texts may be sent, empty ones are asked for', () => {
    expect(loginProblems({ username: 'a', password: 'b' })).toEqual({})
    expect(loginProblems({ username: '', password: '' })).toEqual({ username: 'usernameRequired', password: 'passwordRequired' })
  })
})
