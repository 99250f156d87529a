import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

// Tokens of links that other panels signed. They are not stored, and many of one user are valid at once.

/** The user of a token, by name or number, and the time when it was made. */
export interface SignedLink {
  user: { username: string } | { id: number }
  madeAt: Date
}

const SIGNATURE_LENGTH = 10
const MOST_SECONDS = 253_402_300_799

/** The contents of a token; undefined where the secret has not signed it. */
export function readSignedLink(token: string, secret: string): SignedLink | undefined {
  const parts = token.split('.')
  if (parts.length === 3) return readJwt(parts, secret)
  const [payload = '', signature = ''] =
    parts.length === 2 ? parts : [token.slice(0, -SIGNATURE_LENGTH), token.slice(-SIGNATURE_LENGTH)]
  const isSigned =
    parts.length === 2
      ? isSame(signature, hmacOf(payload, secret))
      : parts.length === 1 && shortSignatures(payload, secret).some((each) => isSame(signature, each))
  return isSigned ? readPayload(Buffer.from(payload, 'base64url').toString()) : undefined
}

/** `name,time`, or with a version and the user's number in the place of the name. */
function readPayload(text: string): SignedLink | undefined {
  const [, id, later] = /^v[23],(\d+),(\d+)$/.exec(text) ?? []
  if (id !== undefined) return linkOf({ id: Number(id) }, Number(later))
  const [, username, time] = /^(.+),(\d+)$/.exec(text) ?? []
  return username === undefined ? undefined : linkOf({ username }, Number(time))
}

function readJwt([head = '', body = '', signature = '']: string[], secret: string): SignedLink | undefined {
  if (!isSame(signature, hmacOf(`${head}.${body}`, secret)) || jsonOf(head)['alg'] !== 'HS256') return undefined
  const { sub, access, iat } = jsonOf(body)
  return typeof sub === 'string' && access === 'subscription' ? linkOf({ username: sub }, Number(iat)) : undefined
}

function linkOf(user: SignedLink['user'], seconds: number): SignedLink | undefined {
  const isPossible = seconds >= 0 && seconds <= MOST_SECONDS && (!('id' in user) || Number.isSafeInteger(user.id))
  return isPossible ? { user, madeAt: new Date(seconds * 1000) } : undefined
}

function jsonOf(part: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString())
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

function hmacOf(text: string, secret: string): string {
  return createHmac('sha256', secret).update(text).digest('base64url')
}

/** The beginning of a hash, in Base64 or, by some versions, in hexadecimal. */
function shortSignatures(payload: string, secret: string): string[] {
  const hash = createHash('sha256')
    .update(payload + secret)
    .digest()
  return [hash.toString('base64url'), hash.toString('hex')].map((text) => text.slice(0, SIGNATURE_LENGTH))
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}
