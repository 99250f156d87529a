import { createPrivateKey, createPublicKey } from 'node:crypto'

/** The prefixes of the 32 bytes of an X25519 private key in PKCS#8 (RFC 8410), and of the 64 of ML-KEM-768 (RFC 9935). */
const X25519_PREFIX = Buffer.from('302e020100300506032b656e04220420', 'hex')
const ML_KEM_PREFIX = Buffer.from('3054020100300b060960864801650304040204428040', 'hex')
const X25519_BYTES = 32
const ML_KEM_SEED_BYTES = 64
const ML_KEM_PUBLIC_BYTES = 1184

/**
 * The public key that belongs to a private one, both URL-safe Base64: X25519, which REALITY has, and what VLESS encryption may
 * have beside it, ML-KEM-768. @throws when it is neither.
 */
export function publicKey(privateKey: string): string {
  const raw = Buffer.from(privateKey, 'base64url')
  const isMlKem = raw.length === ML_KEM_SEED_BYTES
  if (!isMlKem && raw.length !== X25519_BYTES) throw new RangeError(`A private key has 32 or 64 bytes, not ${raw.length}.`)
  const whole = Buffer.concat([isMlKem ? ML_KEM_PREFIX : X25519_PREFIX, raw])
  const key = createPublicKey(createPrivateKey({ key: whole, format: 'der', type: 'pkcs8' }))
  const bytes = isMlKem ? ML_KEM_PUBLIC_BYTES : X25519_BYTES
  return key.export({ format: 'der', type: 'spki' }).subarray(-bytes).toString('base64url')
}
