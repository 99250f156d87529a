import { createHash } from 'node:crypto'
import { RECOVERY_CODES } from '@causeway/contract'
import { Secret, TOTP } from 'otpauth'

// One-time codes by RFC 6238, as authenticator apps make them: SHA-1, six digits, thirty seconds.

const STEP_SECONDS = 30
/** Clocks of phones may be a step ahead of ours or behind it. */
const DRIFT_STEPS = 1
const SECRET_BYTES = 20

const totpOf = (secret: Secret, label: string, issuer: string) =>
  new TOTP({ secret, label, issuer, algorithm: 'SHA1', digits: 6, period: STEP_SECONDS })

/** The text of the picture that an app scans. */
export function uriOf(secret: string, label: string, issuer: string): string {
  return totpOf(Secret.fromBase32(secret), label, issuer).toString()
}

export function secretOf(random: Uint8Array<ArrayBuffer>): string {
  return new Secret({ buffer: random.buffer.slice(random.byteOffset, random.byteOffset + SECRET_BYTES) }).base32
}

/** The step that this code belongs to; undefined where it is of none near now. */
export function stepOf(secret: string, code: string, now: Date): number | undefined {
  const token = code.replaceAll(/\s/g, '')
  if (!/^\d{6}$/.test(token)) return undefined
  const timestamp = now.getTime()
  const delta = totpOf(Secret.fromBase32(secret), '', '').validate({ token, timestamp, window: DRIFT_STEPS })
  return delta === null ? undefined : Math.floor(timestamp / 1000 / STEP_SECONDS) + delta
}

/** Without letters that are read for one another. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'
const CODE_LETTERS = 16

/** Codes of 79 bits each, so that their hashes need no salt. */
export function recoveryCodesOf(randomBelow: (bound: number) => number): string[] {
  const letter = () => ALPHABET[randomBelow(ALPHABET.length)]
  return Array.from({ length: RECOVERY_CODES }, () =>
    Array.from({ length: CODE_LETTERS / 4 }, () => Array.from({ length: 4 }, letter).join('')).join('-'),
  )
}

/** Of a recovery code as it was shown or typed. */
export function hashOfCode(code: string): string {
  const letters = code.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  return createHash('sha256').update(letters).digest('base64url')
}
