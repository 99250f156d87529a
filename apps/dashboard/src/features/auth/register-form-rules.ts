import { login, MIN_PASSWORD_LENGTH, register } from '@causeway/contract'

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

const MIN_USERNAME_LENGTH = 3
/** Names in any script and addresses of mail. Such a name stands in the history and in messages, where markup would be read. */
const USERNAME = /^[\p{L}\p{M}\p{N}._@+-]+$/u

/** The first problem of each field. The contract's schema has the last word on the password. */
export function registerProblems(form: RegisterForm): Partial<Record<keyof RegisterForm, RegisterProblem>> {
  const problems: ReturnType<typeof registerProblems> = {}
  const username = form.username.trim()
  if (username === '') problems.username = 'usernameRequired'
  else if (username.length < MIN_USERNAME_LENGTH) problems.username = 'usernameTooShort'
  else if (!USERNAME.test(username)) problems.username = 'usernameUnusable'
  if (form.password.length < MIN_PASSWORD_LENGTH) problems.password = 'passwordTooShort'
  else if (!register.body.shape.password.safeParse(form.password).success) problems.password = 'passwordTooSimple'
  if (form.confirmPassword !== form.password) problems.confirmPassword = 'passwordsDoNotMatch'
  return problems
}

export function loginProblems(form: {
  username: string
  password: string
}): Partial<Record<'username' | 'password', RegisterProblem>> {
  const problems: ReturnType<typeof loginProblems> = {}
  const isReadable = login.body.safeParse(form).success
  if (!isReadable || form.username.trim() === '') problems.username = 'usernameRequired'
  if (!isReadable || form.password === '') problems.password = 'passwordRequired'
  return problems
}
