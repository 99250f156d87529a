import {
  createReadStream,
  createWriteStream,
  existsSync,
  openSync,
  closeSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import path from 'node:path'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'

/** The first bytes of an archive's file, as it is compressed. */
const ZSTD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])
const READ_BYTES = 2 ** 18
/** Under this name until it is whole. */
const DRAFT = '.part'

/** Writes an archive to a file that has its name only once it is whole and on the disk. Gives its bytes. */
export async function writeArchiveFile(file: string, text: AsyncIterable<Buffer>): Promise<number> {
  if (existsSync(file)) throw new Error(`${file} is there already. Name another file.`)
  if (!existsSync(path.dirname(file))) throw new Error(`There is no folder ${path.dirname(file)}. Make it, and export again.`)
  const draft = `${file}${DRAFT}`
  try {
    // It holds every key of the installation.
    await compressTo(text, createWriteStream(draft, { mode: 0o600, flush: true }))
    const { size } = statSync(draft)
    renameSync(draft, file)
    return size
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

/** Compressed by zstd, with a checksum of its own. */
export async function compressTo(text: AsyncIterable<Buffer>, target: Writable): Promise<void> {
  await pipeline(text, createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } }), target)
}

/** The text of an archive from its file, as often as it is asked for. @throws Error with a sentence */
export function openArchiveFile(file: string): () => AsyncIterable<Buffer> {
  if (!existsSync(file)) throw new Error(`There is no file ${file}. Nothing was changed.`)
  if (!statSync(file).isFile()) throw new Error(`${file} is no file. Name the archive itself. Nothing was changed.`)
  const isCompressed = firstBytes(file).equals(ZSTD)
  return () => textOf(file, isCompressed)
}

async function* textOf(file: string, isCompressed: boolean): AsyncGenerator<Buffer> {
  const bytes = createReadStream(file, { highWaterMark: READ_BYTES })
  const text = isCompressed ? bytes.pipe(createZstdDecompress({ chunkSize: READ_BYTES })) : bytes
  bytes.on('error', (error) => text.destroy(error))
  try {
    yield* text
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(`${file} cannot be read to its end, as it is cut off or was changed: ${why}`, { cause: error })
  } finally {
    bytes.destroy()
  }
}

function firstBytes(file: string): Buffer {
  const opened = openSync(file, 'r')
  try {
    const bytes = Buffer.alloc(ZSTD.length)
    return bytes.subarray(0, readSync(opened, bytes, 0, ZSTD.length, 0))
  } finally {
    closeSync(opened)
  }
}
