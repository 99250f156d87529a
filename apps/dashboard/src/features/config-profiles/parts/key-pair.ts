import { clamped, publicKeyBytes } from './x25519.ts'

/** As Xray's REALITY reads them: URL-safe base64 without padding. */
export interface KeyPair {
  publicKey: string
  privateKey: string
}

/** The prefix of the 32 bytes of a private key in PKCS #8 (RFC 8410). */
const PKCS8_HEAD = [0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x6e, 0x04, 0x22, 0x04, 0x20]

/** A fresh X25519 pair. It is made here and sent nowhere. */
export async function makeKeyPair(): Promise<KeyPair> {
  const privateKey = clamped(crypto.getRandomValues(new Uint8Array(32)))
  return { publicKey: await publicKeyOf(privateKey), privateKey: base64Url(privateKey) }
}

/** Both as lines of JSON, to be pasted. */
export function keyPairText({ publicKey, privateKey }: KeyPair): string {
  return `"publicKey": ${JSON.stringify(publicKey)},\n"privateKey": ${JSON.stringify(privateKey)}`
}

/**
 * By the browser's own cryptography. Where it lacks the algorithm, or hides it because the page came without TLS, by plain
 * arithmetic.
 */
export async function publicKeyOf(privateKey: Uint8Array): Promise<string> {
  try {
    const secret = await crypto.subtle.importKey('pkcs8', Uint8Array.from([...PKCS8_HEAD, ...privateKey]), 'X25519', true, [
      'deriveBits',
    ])
    const { x } = await crypto.subtle.exportKey('jwk', secret)
    if (x !== undefined) return x // JWK has it in the very form we need (RFC 8037)
  } catch {
    // unknown algorithm, or no `subtle` at all
  }
  return base64Url(publicKeyBytes(privateKey))
}

export function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
