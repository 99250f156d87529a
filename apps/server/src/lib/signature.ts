import { createHash, createPublicKey, sign, verify, type KeyObject } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'

// Detached signatures in the form of minisign (https://jedisct1.github.io/minisign/#signature-format), so that a release can
// be checked by a program that is not ours as well: Ed25519 over the BLAKE2b-512 digest of the file.

const PREHASHED = Buffer.from('ED')
const KEY_ALGORITHM = Buffer.from('Ed')
const ID_BYTES = 8
const KEY_BYTES = 32
const SIGNATURE_BYTES = 64
/** Header that makes a raw Ed25519 key a public key in DER (RFC 8410). */
const SPKI_HEAD = Buffer.from('302a300506032b6570032100', 'hex')

/** Text of a `.minisig` file. The comment is signed with the file. */
export async function signFile(file: string, key: KeyObject, comment: string): Promise<string> {
  const signature = sign(null, await digestOf(file), key)
  const whole = Buffer.concat([PREHASHED, idOf(key), signature])
  const global = sign(null, Buffer.concat([signature, Buffer.from(comment)]), key)
  return [
    'untrusted comment: signature of a Causeway release',
    whole.toString('base64'),
    `trusted comment: ${comment}`,
    global.toString('base64'),
    '',
  ].join('\n')
}

/** Text of the public key's file. */
export function publicKeyText(key: KeyObject): string {
  const raw = rawKey(key)
  return `untrusted comment: key of Causeway releases\n${Buffer.concat([KEY_ALGORITHM, idOf(key), raw]).toString('base64')}\n`
}

/**
 * Holds a file against its signature.
 * @returns the signed comment
 * @throws Error with a sentence when the file, the signature or the key is another one
 */
export async function verifyFile(file: string, signatureText: string, keyText: string): Promise<string> {
  const key = Buffer.from(keyText.split('\n')[1] ?? '', 'base64')
  if (key.length !== KEY_ALGORITHM.length + ID_BYTES + KEY_BYTES || !key.subarray(0, 2).equals(KEY_ALGORITHM))
    throw new Error('The key is no public key of minisign.')
  const [, encoded = '', trusted = '', encodedGlobal = ''] = signatureText.split('\n')
  const whole = Buffer.from(encoded, 'base64')
  const comment = trusted.replace(/^trusted comment: /, '')
  if (whole.length !== PREHASHED.length + ID_BYTES + SIGNATURE_BYTES || !whole.subarray(0, 2).equals(PREHASHED))
    throw new Error('The signature is none of minisign, or was made without its digest.')
  if (!whole.subarray(2, 2 + ID_BYTES).equals(key.subarray(2, 2 + ID_BYTES)))
    throw new Error('The signature was made with another key. A release of the same makers has the key that this one carries.')
  const signature = whole.subarray(2 + ID_BYTES)
  const publicKey = createPublicKey({ key: Buffer.concat([SPKI_HEAD, key.subarray(2 + ID_BYTES)]), format: 'der', type: 'spki' })
  const isCommentSigned = verify(
    null,
    Buffer.concat([signature, Buffer.from(comment)]),
    publicKey,
    Buffer.from(encodedGlobal, 'base64'),
  )
  if (!verify(null, await digestOf(file), publicKey, signature))
    throw new Error(`${file} is not what was signed: it was changed, or its download was cut off.`)
  if (!isCommentSigned) throw new Error('The signature’s comment is not what was signed.')
  return comment
}

async function digestOf(file: string): Promise<Buffer> {
  const hash = createHash('blake2b512')
  await pipeline(createReadStream(file), hash)
  return hash.digest()
}

function rawKey(key: KeyObject): Buffer {
  const half = key.type === 'private' ? createPublicKey(key) : key
  return half.export({ format: 'der', type: 'spki' }).subarray(-KEY_BYTES)
}

/** The id says only which key to look for, so any fixed function of the key will do. */
function idOf(key: KeyObject): Buffer {
  return createHash('sha256').update(rawKey(key)).digest().subarray(0, ID_BYTES)
}
