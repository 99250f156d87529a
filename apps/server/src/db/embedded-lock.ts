import { mkdirSync, realpathSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { shortHash } from './embedded-folder.ts'

export interface FolderLock {
  release(): void
}

/**
 * One process per data folder: the first of two to stop would stop the database of the other. The lock is a socket of
 * Linux's abstract namespace, which the kernel takes back from a process that dies in any way; who asks is told its pid.
 */
export async function lockFolder(dataDir: string): Promise<FolderLock> {
  mkdirSync(dataDir, { recursive: true })
  const folder = realpathSync(dataDir)
  const name = `\0causeway-${shortHash(folder)}`
  const server = createServer((socket) => socket.on('error', () => {}).end(String(process.pid)))
  try {
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(name, resolve))
  } catch (error) {
    throw new Error(
      `Another Causeway${await holderOf(name)} is using the data folder ${folder}. Stop it first, or set DATA_DIR to another folder.`,
      {
        cause: error,
      },
    )
  }
  server.unref()
  return { release: () => void server.close() }
}

async function holderOf(name: string): Promise<string> {
  try {
    return ` (process ${await text(connect(name))})`
  } catch {
    return '' // it has just ended; the sentence is as true without its number
  }
}
