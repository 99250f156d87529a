import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { Decrypter, Encrypter } from 'age-encryption'
import { codeOf } from '../db/driver/failures.ts'

// A backup as one encrypted file: age of gzip of tar, so that it opens with programs that every system has.

export const SEALED = '.tar.gz.age'
/** Fast: the disk and the network are slower, and the service needs the processor. */
const GZIP_LEVEL = 1

/** A folder below `parent` as one file that only the holder of the recipient's key can open. In constant memory. */
export async function seal(parent: string, name: string, recipient: string): Promise<ReadableStream<Uint8Array>> {
  const tar = spawn('tar', ['-C', parent, '--numeric-owner', '-cf', '-', name], { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  tar.stderr.on('data', (text: Buffer) => (said += text.toString()))
  const ended = once(tar, 'close')
  ended.catch(() => {}) // told when the archive ends
  const archive = createGzip({ level: GZIP_LEVEL })
  pipeline(
    tar.stdout,
    async function* whole(chunks: AsyncIterable<Buffer>) {
      yield* chunks
      // Without its end the file must not look whole.
      await ended
      if (tar.exitCode !== 0) throw new Error(`tar failed: ${said}`)
    },
    archive,
  ).catch((error: unknown) => archive.destroy(error instanceof Error ? error : new Error(String(error))))
  archive.once('close', () => tar.kill())
  return encryptFor(recipient, Readable.toWeb(archive) as ReadableStream<Uint8Array>) // of bytes
}

/** Any stream, for the holder of the recipient's key. */
export async function encryptFor(recipient: string, content: ReadableStream<Uint8Array>): Promise<ReadableStream<Uint8Array>> {
  const encrypter = new Encrypter()
  encrypter.addRecipient(recipient)
  return encrypter.encrypt(content)
}

const WRONG_KEY = 'This key does not open the backup. Give the one that was shown when encryption was set up.'
const CHANGED = 'The backup is not as it was written: a byte of it has changed. Take another backup.'

/** @throws Error with a sentence where the key is another one, or the file is not as it was written */
export async function decryptWith(identity: string, content: ReadableStream<Uint8Array>): Promise<ReadableStream<Uint8Array>> {
  const decrypter = new Decrypter()
  try {
    decrypter.addIdentity(identity)
    return await decrypter.decrypt(content)
  } catch (error) {
    const isOther = error instanceof Error && /no identity|identity|bech32|checksum/i.test(error.message)
    throw new Error(isOther ? WRONG_KEY : CHANGED, { cause: error })
  }
}

/** Puts the folder of a sealed backup into another one. */
export async function unseal(content: ReadableStream<Uint8Array>, identity: string, into: string): Promise<void> {
  const plain = await decryptWith(identity, content)
  const tar = spawn('tar', ['-C', into, '--no-same-owner', '-xpf', '-'], { stdio: ['pipe', 'ignore', 'pipe'] })
  let said = ''
  tar.stderr.on('data', (text: Buffer) => (said += text.toString()))
  const ended = once(tar, 'close')
  try {
    await pipeline(Readable.fromWeb(plain as never), createGunzip(), tar.stdin) // two types of the same stream
  } catch (error) {
    // tar ends by itself at the end of the archive, before what fills up its last block, and on a full disk.
    const isOfTar = ['EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'].includes(codeOf(error))
    if (!isOfTar) tar.kill()
    await ended
    if (!isOfTar) throw new Error(CHANGED, { cause: error })
  }
  await ended
  if (tar.exitCode !== 0) throw new Error(`The backup could not be unpacked in ${into}: ${said.trim()}`)
}
