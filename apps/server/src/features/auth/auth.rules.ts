// Decisions about signing in, without I/O.

import { networkOf } from '../../lib/addresses.ts'

/** Attempts to sign in are counted over this time, per address and per account. */
export const ATTEMPT_WINDOW_MINUTES = 15
export const ATTEMPTS_PER_ADDRESS = 10
export const ATTEMPTS_PER_ACCOUNT = 30

/** The commonest passwords that fit the rule of length and kinds, in lower case (docs/wire.md 9). */
const COMMON_PASSWORDS = new Set(
  `password1234 password12345 password123456 passw0rd1234 passw0rd12345 p@ssw0rd1234 p@ssword1234 mypassword123 mypassword1234
   qwerty123456 qwerty1234567 qwerty12345678 qwertyuiop12 qwertyuiop123 qwertyuiop1234 1q2w3e4r5t6y 1qaz2wsx3edc zxcvbnm12345
   admin1234567 admin12345678 admin123456789 administrator1 administrator123 adminadmin123 adminadmin1234 superadmin123 rootroot1234
   welcome12345 welcome123456 letmein12345 letmein123456 changeme1234 changeme12345 abcd12345678 abc123456789 iloveyou1234
   test12345678 user12345678`.split(/\s+/),
)

/** Why a new password is refused although it has the right length and kinds of characters. */
export function passwordProblem(username: string, password: string): string | undefined {
  const lower = password.toLowerCase()
  if (lower === username.toLowerCase()) return 'The password must differ from the username'
  if (COMMON_PASSWORDS.has(lower)) return 'This password is among the most common ones; choose another'
  return undefined
}

interface Place {
  address: string | null
  userAgent: string | null
}

/** Whether the network or the program is none of those of former sign-ins. Without any, nothing is new. */
export function isNewPlace(place: Place, known: readonly Place[]): boolean {
  if (known.length === 0) return false
  const isSameNetwork = known.some(({ address }) => networkOf(address ?? '') === networkOf(place.address ?? ''))
  return !isSameNetwork || !known.some(({ userAgent }) => programOf(userAgent) === programOf(place.userAgent))
}

/** Programs update themselves: their versions do not count. */
const programOf = (userAgent: string | null) => (userAgent ?? '').replaceAll(/[\d._]+/g, '')

/** Seconds until the oldest of the counted attempts leaves the window, so that one more is allowed. */
export function secondsToWait(oldestCounted: Date, now: Date): number {
  const free = oldestCounted.getTime() + ATTEMPT_WINDOW_MINUTES * 60_000
  return Math.max(1, Math.ceil((free - now.getTime()) / 1000))
}
