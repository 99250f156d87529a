// X25519 by RFC 7748, for pages that came without TLS: browsers hide their own cryptography there.

const PRIME = 2n ** 255n - 19n
const A24 = 121_665n
const BASE = 9n

const mod = (value: bigint): bigint => ((value % PRIME) + PRIME) % PRIME

/** The public key of a private one. It takes some milliseconds. */
export function publicKeyBytes(privateKey: Uint8Array): Uint8Array {
  const scalar = [...clamped(privateKey)].reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n)
  let [x2, z2, x3, z3] = [1n, 0n, BASE, 1n]
  let isSwapped = false
  for (let bit = 254n; bit >= 0n; bit--) {
    const isOne = ((scalar >> bit) & 1n) === 1n
    if (isOne !== isSwapped) [x2, z2, x3, z3] = [x3, z3, x2, z2]
    isSwapped = isOne
    const [a, b, c, d] = [mod(x2 + z2), mod(x2 - z2), mod(x3 + z3), mod(x3 - z3)]
    const [aa, bb, da, cb] = [mod(a * a), mod(b * b), mod(d * a), mod(c * b)]
    const e = mod(aa - bb)
    x3 = mod((da + cb) ** 2n)
    z3 = mod(BASE * (da - cb) ** 2n)
    x2 = mod(aa * bb)
    z2 = mod(e * (aa + A24 * e))
  }
  if (isSwapped) [x2, z2] = [x3, z3]
  let rest = mod(x2 * power(z2, PRIME - 2n))
  return Uint8Array.from({ length: 32 }, () => {
    const byte = Number(rest & 255n)
    rest >>= 8n
    return byte
  })
}

function power(base: bigint, exponent: bigint): bigint {
  let [result, square] = [1n, base]
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result = mod(result * square)
    square = mod(square * square)
  }
  return result
}

/** Fixes the bits that every implementation fixes when it uses the key (RFC 7748), so that Xray shows the same text. */
export function clamped(bytes: Uint8Array): Uint8Array {
  return bytes.map((byte, index) => (index === 0 ? byte & 248 : index === 31 ? (byte & 127) | 64 : byte))
}
