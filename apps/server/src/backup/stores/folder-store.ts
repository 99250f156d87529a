import { createHash } from 'node:crypto'
import { createReadStream, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { codeOf } from '../../db/driver/failures.ts'
import { syncFile } from '../backup-copy.ts'
import { BROKEN, digestOf, StoreFailure, type Store } from './store.ts'

/** Names of files that are being written begin with it. */
const DRAFT = '.part-'

/** A folder, best of another disk. It must be there: an empty one in place of a disk that is not mounted would fill. */
export function folderStore(folder: string): Store {
  const at = (name: string) => path.join(folder, name)
  const read = (name: string) => Readable.toWeb(createReadStream(at(name))) as ReadableStream<Uint8Array> // of bytes
  const inSentences = async <Result>(work: () => Result | Promise<Result>): Promise<Result> => {
    if (!existsSync(folder)) throw new StoreFailure(`There is no folder ${folder}. Make it, or mount the disk it is on.`)
    try {
      return await work()
    } catch (error) {
      throw error instanceof StoreFailure ? error : new StoreFailure(sentenceOf(error, folder), { cause: error })
    }
  }
  return {
    place: folder,
    list: () =>
      inSentences(() =>
        readdirSync(folder, { withFileTypes: true })
          .filter((entry) => entry.isFile() && !entry.name.startsWith(DRAFT))
          .map(({ name }) => ({ name, bytes: statSync(at(name)).size })),
      ),
    read: (name) =>
      inSentences(() => {
        statSync(at(name))
        return read(name)
      }),
    write: (name, content) =>
      inSentences(async () => {
        const draft = at(`${DRAFT}${name}`)
        try {
          const written = await writeDraft(draft, content)
          // Read from the disk again: some shares tell of a full disk only then.
          if ((await digestOf(createReadStream(draft))) !== written.sha256) throw new StoreFailure(BROKEN)
          renameSync(draft, at(name))
          syncFile(folder)
          return written
        } catch (error) {
          rmSync(draft, { force: true })
          throw error
        }
      }),
    remove: (name) => inSentences(() => rmSync(at(name), { force: true })),
    removeLeftovers: () =>
      inSentences(() => {
        for (const name of readdirSync(folder)) if (name.startsWith(DRAFT)) rmSync(at(name), { force: true })
      }),
    close: async () => {},
  }
}

async function writeDraft(draft: string, content: ReadableStream<Uint8Array>) {
  mkdirSync(path.dirname(draft), { recursive: true })
  const file = await open(draft, 'w', 0o600)
  const hash = createHash('sha256')
  let bytes = 0
  try {
    for await (const chunk of content) {
      hash.update(chunk)
      bytes += chunk.length
      await file.write(chunk)
    }
    await file.sync()
  } finally {
    await file.close()
  }
  return { bytes, sha256: hash.digest('hex') }
}

function sentenceOf(error: unknown, folder: string): string {
  const code = codeOf(error)
  if (code === 'ENOSPC' || code === 'EDQUOT') return `The disk of ${folder} is full. Make room there, or keep fewer backups.`
  if (code === 'EROFS') return `${folder} can only be read. Mount its disk so that it takes files.`
  if (code === 'EACCES' || code === 'EPERM')
    return `The account of the server may not write in ${folder}. Give the folder to that account.`
  if (code === 'ENOENT') return `A file is missing in ${folder}.`
  return `${folder} fails: ${error instanceof Error ? error.message : String(error)}`
}
