import { methodOfOne, objectAt, textAt, type XrayObject } from './config.ts'

// Every runtime of ours has it and it is a pure function; declared here because the language's own library lacks it.
declare const btoa: (binary: string) => string

/** The method of users in inbounds of the older kind, whatever the inbound names; nodes and subscriptions agree on it. */
export const shadowsocksMethod = 'chacha20-ietf-poly1305'

/** Methods of Shadowsocks 2022 that let several users into one inbound, and how long their keys are. */
const KEY_BYTES = { '2022-blake3-aes-128-gcm': 16, '2022-blake3-aes-256-gcm': 32 } as const
export type SharedMethod = keyof typeof KEY_BYTES
/** All of Shadowsocks 2022. */
const METHODS_2022: Record<string, number> = { ...KEY_BYTES, [methodOfOne]: 32 }

/** No user is called so: usernames have no brackets. */
export const NOBODY = '(nobody)'

/** The method of a Shadowsocks 2022 inbound that takes users; undefined for all others. */
export function sharedMethodOf(inbound: unknown): SharedMethod | undefined {
  const method = textAt(objectAt(inbound, 'settings'), 'method')
  return isShared(method) ? method : undefined
}

function isShared(method: string): method is SharedMethod {
  return Object.hasOwn(KEY_BYTES, method)
}

/**
 * A user's key of the length that the method needs, derived from the VLESS uuid. The uuid is random, renewed by a
 * revocation, and compared on nodes; a password may be eight chosen letters. 16 bytes are the uuid, 32 its digits.
 */
export function sharedKey(vlessUuid: string, method: SharedMethod): string {
  const digits = vlessUuid.replaceAll('-', '').toLowerCase()
  if (KEY_BYTES[method] === 32) return btoa(digits)
  return btoa(digits.replaceAll(/../g, (pair) => String.fromCharCode(Number.parseInt(pair, 16))))
}

/** The inbound's own key, which clients name before that of the user. */
export function inboundKey(inbound: unknown): string {
  return textAt(objectAt(inbound, 'settings'), 'password')
}

/** The mistake in the method or key of a Shadowsocks 2022 inbound; undefined when the core would accept both. */
export function shadowsocks2022Problem(settings: XrayObject): { key: 'method' | 'password'; text: string } | undefined {
  const method = textAt(settings, 'method')
  if (!method.startsWith('2022-')) return undefined
  const bytes = METHODS_2022[method]
  if (bytes === undefined)
    return { key: 'method', text: `has the method "${method}". Use one of: ${Object.keys(METHODS_2022).join(', ')}.` }
  const key = textAt(settings, 'password')
  const digits = Math.ceil(bytes / 3) * 4
  const isKey =
    /^[A-Za-z0-9+/]+={0,2}$/.test(key) && key.length === digits && key.replace(/=+$/, '').length === Math.ceil((bytes * 4) / 3)
  if (isKey) return undefined
  return {
    key: 'password',
    text: `needs a password that is the Base64 of ${bytes} random bytes. "openssl rand -base64 ${bytes}" makes one.`,
  }
}

/**
 * Adds a placeholder user to a Shadowsocks 2022 inbound without users. Xray takes such an inbound for one with a
 * single user. It then admits all holders of its key, which every subscription names, and accepts no users until a
 * restart. `randomKey` makes a key of so many bytes in Base64; it is never given out.
 */
export function withoutOpenDoor<Inbound extends XrayObject>(inbound: Inbound, randomKey: (bytes: number) => string): Inbound {
  const method = inbound['protocol'] === 'shadowsocks' ? sharedMethodOf(inbound) : undefined
  const settings = objectAt(inbound, 'settings')
  const { clients } = settings
  if (!method || (Array.isArray(clients) && clients.length > 0)) return inbound
  return { ...inbound, settings: { ...settings, clients: [{ password: randomKey(KEY_BYTES[method]), email: NOBODY }] } }
}
