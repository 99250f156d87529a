import { createPrivateKey, createPublicKey } from 'node:crypto'

/** What stands before the 32 bytes of an X25519 private key in PKCS#8 (RFC 8410). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b656e04220420', 'hex')
const KEY_BYTES = 32

/** The public key that belongs to a private one, both URL-safe Base64. @throws when it is not a key. */
export function x25519PublicKey(privateKey: string): string {
  const raw = Buffer.from(privateKey, 'base64url')
  if (raw.length !== KEY_BYTES) throw new RangeError(`An X25519 key has ${KEY_BYTES} bytes.`)
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, raw]), format: 'der', type: 'pkcs8' })
  return createPublicKey(key).export({ format: 'jwk' }).x ?? ''
}
