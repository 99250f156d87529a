import { objectAt, textAt } from './config.ts'

// VLESS encryption as Xray writes it: `mlkem768x25519plus.<look>.<seconds a ticket lasts>.[padding.]<key>[.<key>]`. The server's
// keys are private ones, 32 bytes of X25519 or 64 of ML-KEM-768; clients have the public ones in the same order.

const SCHEME = 'mlkem768x25519plus'
const LOOKS = ['native', 'xorpub', 'random']
/** Shorter parts are paddings. */
const SHORTEST_KEY = 20
/** URL-safe Base64 without padding of 32 and of 64 bytes. */
const PRIVATE_KEY = /^(?:[\w-]{43}|[\w-]{86})$/

interface Decryption {
  look: string
  hasTickets: boolean
  keys: string[]
}

/** The `decryption` of an inbound; empty where it has none. */
export function decryptionOf(inbound: unknown): string {
  const decryption = textAt(objectAt(inbound, 'settings'), 'decryption')
  return decryption === 'none' ? '' : decryption
}

/** Whether the core can use it. */
export function isDecryption(text: string): boolean {
  return parse(text) !== undefined
}

/**
 * The `encryption` of clients of an inbound with this `decryption`; undefined when it is unusable. Paddings are each
 * side's own and stay with the server. `publicKeyOf` takes and gives keys in URL-safe Base64.
 */
export function encryptionFor(decryption: string, publicKeyOf: (privateKey: string) => string): string | undefined {
  const parsed = parse(decryption)
  if (!parsed) return undefined
  try {
    return [SCHEME, parsed.look, parsed.hasTickets ? '0rtt' : '1rtt', ...parsed.keys.map(publicKeyOf)].join('.')
  } catch {
    return undefined
  }
}

function parse(text: string): Decryption | undefined {
  const [scheme, look = '', lifetime = '', ...rest] = text.split('.')
  const seconds = /^(\d{1,9})(?:-(\d{1,9}))?s?$/.exec(lifetime)
  const keys = rest.filter((part) => part.length >= SHORTEST_KEY)
  // Paddings stand before the keys.
  const isOrdered = rest.slice(-keys.length).every((part) => part.length >= SHORTEST_KEY)
  if (scheme !== SCHEME || !LOOKS.includes(look) || !seconds || keys.length === 0 || !isOrdered) return undefined
  if (!keys.every((key) => PRIVATE_KEY.test(key))) return undefined
  return { look, hasTickets: Number(seconds[1]) > 0 || Number(seconds[2] ?? 0) > 0, keys }
}
