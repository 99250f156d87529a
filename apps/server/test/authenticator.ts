import { createHash, createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest()

/** A code of RFC 6238, computed apart from the library that the server uses. */
export function codeAt(secret: string, at: Date): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(at.getTime() / 30_000)))
  const mac = createHmac('sha1', fromBase32(secret)).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 15
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

function fromBase32(text: string): Buffer {
  const bits = text
    .split('')
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
    .join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

interface Ceremony {
  challenge: string
  origin?: string
  rpId?: string
}

/** A passkey in software, which does as it is told: also what no real one does. */
export function softPasskey() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(16)
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const coseKey = new Map<number, number | Uint8Array>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
    [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
  ])
  const clientData = (type: string, { challenge, origin = 'http://localhost' }: Ceremony) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const authData = (flags: number, counter: number, rpId = 'localhost') => {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count])
  }
  const answer = (response: Record<string, string>) => ({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: {},
    response,
  })
  return {
    id: id.toString('base64url'),
    /** As the server keeps it. */
    publicKey: () => Buffer.from(isoCBOR.encode(coseKey)),
    register(ceremony: Ceremony) {
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const attested = Buffer.concat([Buffer.alloc(16), length, id, Buffer.from(isoCBOR.encode(coseKey))])
      const object = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', new Uint8Array(Buffer.concat([authData(0x45, 0, ceremony.rpId), attested]))],
      ])
      return answer({
        clientDataJSON: clientData('webauthn.create', ceremony).toString('base64url'),
        attestationObject: Buffer.from(isoCBOR.encode(object as Parameters<typeof isoCBOR.encode>[0])).toString('base64url'), // CBOR of these very kinds
      })
    },
    prove({ counter = 1, isVerified = true, ...ceremony }: Ceremony & { counter?: number; isVerified?: boolean }) {
      const data = clientData('webauthn.get', ceremony)
      const authenticatorData = authData(isVerified ? 5 : 1, counter, ceremony.rpId)
      const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(data)]), privateKey)
      return answer({
        clientDataJSON: data.toString('base64url'),
        authenticatorData: authenticatorData.toString('base64url'),
        signature: signature.toString('base64url'),
      })
    },
  }
}
