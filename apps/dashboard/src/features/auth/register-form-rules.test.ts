import { describe, expect, it } from 'vitest'
import { registerProblems } from './register-form-rules.ts'

const good = { username: 'root', password: 'Correct7Horse', confirmPassword: 'Correct7Horse' }

describe('registration form', () => {
  it('AUTH-038 what the register schema accepts has no problems', () => {
    expect(registerProblems(good)).toEqual({})
  })

  it.each([
    [
      'AUTH-040 eleven characters are too short',
      { password: 'Correct7Hor', confirmPassword: 'Correct7Hor' },
      { password: 'passwordTooShort' },
    ],
    ['AUTH-038 no digit', { password: 'CorrectHorses', confirmPassword: 'CorrectHorses' }, { password: 'passwordTooSimple' }],
    [
      'AUTH-038 no capital letter',
      { password: 'correct7horse', confirmPassword: 'correct7horse' },
      { password: 'passwordTooSimple' },
    ],
    ['AUTH-039 a different confirmation', { confirmPassword: 'Correct7Horsf' }, { confirmPassword: 'passwordsDoNotMatch' }],
    ['no username', { username: ' ' }, { username: 'usernameRequired' }],
    ['one letter', { username: 'a' }, { username: 'usernameTooShort' }],
    ['markup', { username: '<b>root</b>' }, { username: 'usernameUnusable' }],
    ['a name of two words', { username: 'ann lee' }, { username: 'usernameUnusable' }],
    ['a Persian name', { username: 'مدیر' }, {}],
    ['an address of mail', { username: 'ann+ops@example.org' }, {}],
  ])('%s', (_, change, problems) => {
    expect(registerProblems({ ...good, ...change })).toEqual(problems)
  })
})
