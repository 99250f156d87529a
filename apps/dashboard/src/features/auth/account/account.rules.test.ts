import { expect, it } from 'vitest'
import { browserOf, passwordProblems } from './account.rules.ts'

it.each([
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
    { program: 'Chrome', system: 'Linux' },
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0',
    { program: 'Edge', system: 'Windows' },
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
    { program: 'Safari', system: 'iPhone' },
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:145.0) Gecko/20100101 Firefox/145.0',
    { program: 'Firefox', system: 'macOS' },
  ],
  [
    'Mozilla/5.0 (Linux; Android 15; SM-S921B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/27.0 Chrome/125.0.0.0 Mobile Safari/537.36',
    { program: 'Samsung Internet', system: 'Android' },
  ],
  ['curl/8.5.0', { program: 'curl', system: undefined }],
  ['my own script', { program: undefined, system: undefined }],
])('a session’s program and system are read from %s', (userAgent, browser) => {
  expect(browserOf(userAgent)).toEqual(browser)
})

const form = { currentPassword: 'Correct4horse', password: 'Another4horse', confirmPassword: 'Another4horse' }
it.each([
  [{}, {}],
  [{ currentPassword: '' }, { currentPassword: 'passwordRequired' }],
  [{ password: 'Short4', confirmPassword: 'Short4' }, { password: 'passwordTooShort' }],
  [{ password: 'alllowercase1', confirmPassword: 'alllowercase1' }, { password: 'passwordTooSimple' }],
  [{ password: 'Correct4horse', confirmPassword: 'Correct4horse' }, { password: 'passwordUnchanged' }],
  [{ confirmPassword: 'Another4hors' }, { confirmPassword: 'passwordsDoNotMatch' }],
])('a new password is checked before it is sent: %j', (edit, problems) => {
  expect(passwordProblems({ ...form, ...edit })).toEqual(problems)
})
