import { mkdirSync, realpathSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { shortHash } from './embedded-folder.ts'

export interface FolderLock {
  release(): void
}

const PATIENCE_MS = 3000

/**
 * One process per data folder: the first of two to stop would stop the database of the other. The lock is a socket of
 * Linux's abstract namespace, which the kernel takes back from a process that dies in any way; who asks is told its pid.
 */
export async function lockFolder(dataDir: string): Promise<FolderLock> {
  mkdirSync(dataDir, { recursive: true })
  const folder = realpathSync(dataDir)
  const name = `\0causeway-${shortHash(folder)}`
  for (const end = Date.now() + PATIENCE_MS; ; await sleep(50)) {
    try {
      return await take(name)
    } catch (error) {
      const holder = await holderOf(name)
      // Nobody answers: the holder has just been killed, and the kernel is still cleaning up after it.
      if (holder === undefined && Date.now() < end) continue
      const process = holder === undefined ? '' : ` (process ${holder})`
      throw new Error(
        `Another Causeway${process} is using the data folder ${folder}. Stop it first, or set DATA_DIR to another folder.`,
        { cause: error },
      )
    }
  }
}

async function take(name: string): Promise<FolderLock> {
  const server = createServer((socket) => socket.on('error', () => {}).end(String(process.pid)))
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(name, resolve))
  server.unref()
  return { release: () => void server.close() }
}

async function holderOf(name: string): Promise<string | undefined> {
  try {
    return (await text(connect(name))) || undefined
  } catch {
    return undefined
  }
}
