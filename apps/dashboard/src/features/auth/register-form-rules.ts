import { adminNameProblem, MIN_PASSWORD_LENGTH, register } from '@causeway/contract'

export interface RegisterForm {
  username: string
  password: string
  confirmPassword: string
}

export type RegisterProblem =
  | 'usernameRequired'
  | 'usernameTooShort'
  | 'usernameUnusable'
  | 'passwordRequired'
  | 'passwordTooShort'
  | 'passwordTooSimple'
  | 'passwordsDoNotMatch'

const NAME_PROBLEMS = { missing: 'usernameRequired', short: 'usernameTooShort', unusable: 'usernameUnusable' } as const

/** The first problem of each field. The contract's schema has the last word on the password. */
export function registerProblems(form: RegisterForm): Partial<Record<keyof RegisterForm, RegisterProblem>> {
  const problems: ReturnType<typeof registerProblems> = {}
  const name = adminNameProblem(form.username)
  if (name) problems.username = NAME_PROBLEMS[name]
  if (form.password.length < MIN_PASSWORD_LENGTH) problems.password = 'passwordTooShort'
  else if (!register.body.shape.password.safeParse(form.password).success) problems.password = 'passwordTooSimple'
  if (form.confirmPassword !== form.password) problems.confirmPassword = 'passwordsDoNotMatch'
  return problems
}
