import { changePassword, MIN_PASSWORD_LENGTH } from '@causeway/contract'

/** Browsers name others before themselves, so the order counts. */
const PROGRAMS = [
  ['Edge', /\bEdgA?(?:iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Yandex Browser', /\bYaBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|Chromium)\//],
  ['Safari', /\bVersion\/\S+ (?:Mobile\/\S+ )?Safari\//],
  ['curl', /^curl\//],
] as const
const SYSTEMS = [
  ['Android', /\bAndroid\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
] as const

interface Browser {
  program: string | undefined
  system: string | undefined
}

/** The program and system that a user agent names, as far as it names known ones. */
export function browserOf(userAgent: string): Browser {
  const named = (known: readonly (readonly [string, RegExp])[]) => known.find(([, pattern]) => pattern.test(userAgent))?.[0]
  return { program: named(PROGRAMS), system: named(SYSTEMS) }
}

export interface PasswordForm {
  currentPassword: string
  password: string
  confirmPassword: string
}

type PasswordProblem = 'passwordRequired' | 'passwordTooShort' | 'passwordTooSimple' | 'passwordsDoNotMatch' | 'passwordUnchanged'

/** The first problem of each field. The server checks the current password, and the new one for common ones. */
export function passwordProblems(form: PasswordForm): Partial<Record<keyof PasswordForm, PasswordProblem>> {
  const problems: ReturnType<typeof passwordProblems> = {}
  if (form.currentPassword === '') problems.currentPassword = 'passwordRequired'
  if (form.password.length < MIN_PASSWORD_LENGTH) problems.password = 'passwordTooShort'
  else if (!changePassword.body.shape.password.safeParse(form.password).success) problems.password = 'passwordTooSimple'
  else if (form.password === form.currentPassword) problems.password = 'passwordUnchanged'
  if (form.confirmPassword !== form.password) problems.confirmPassword = 'passwordsDoNotMatch'
  return problems
}
