import { randomUUID } from 'node:crypto'
import { closeSync, mkdirSync, openSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { lockFile, type FileLock } from './file-lock.ts'

export interface FolderLock {
  folder: string
  release(): void
}

const LOCK = 'server.lock'
const RECORD = 'server.json'
const RECORD_BYTES = 512
const BEAT_MS = 5000
/** A record that was not renewed for so long belongs to a server that is no more. */
const STALE_MS = 20_000
/** Of two that write their record at once, the later one's stays. */
const SETTLE_MS = 2000
/** How long the lock of a server that has just been killed may linger. */
const PATIENCE_MS = 1500

/** The holder of the folder. `kernel` names the kernel and the mount of the lock, where there is one. */
const owner = z.object({
  id: z.string(),
  pid: z.number(),
  host: z.string(),
  kernel: z.string().nullable(),
  since: z.string(),
})
type Owner = z.output<typeof owner>

export interface LockOptions {
  /** Told when another server took the folder over, which it does when this one was not heard of for too long. */
  onLost?: () => void
  /** The kernel's lock of a file; tests replace it by that of a file system without any. */
  takeLock?: (file: string) => FileLock
}

/**
 * One server per data folder: two databases on the same files destroy them. The lock is the kernel's, on a file in
 * the folder, and holds across containers. Another kernel (over a network, or a file system without locks) sees the
 * record beside it, renewed every few seconds.
 * @throws Error with a sentence that names the holder
 */
export async function lockFolder(dataDir: string, options: LockOptions = {}): Promise<FolderLock> {
  const { onLost = () => {}, takeLock = lockFile } = options
  mkdirSync(dataDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 })
  const folder = realpathSync(dataDir)
  const lock = await takePatiently(() => takeLock(path.join(folder, LOCK)))
  try {
    const before = readOwner(folder)
    const kernel = kernelOf(folder)
    if (lock.state === 'held') throw inUse(folder, before)
    const isCertain = lock.state === 'taken' && (before === undefined || before.kernel === kernel)
    if (!isCertain && before !== undefined && (await isBeating(folder))) throw inUse(folder, before)
    const own: Owner = {
      id: randomUUID(),
      pid: process.pid,
      host: os.hostname(),
      kernel: lock.state === 'taken' ? kernel : null,
      since: new Date().toISOString(),
    }
    writeRecord(folder, JSON.stringify(own))
    if (lock.state === 'unsupported') await sleep(SETTLE_MS)
    const after = readOwner(folder)
    if (after?.id !== own.id) throw inUse(folder, after)
    const beat = keepBeating(folder, own, onLost)
    return {
      folder,
      release: () => {
        clearInterval(beat)
        // Released but not deleted: on a disk that is full by then the next holder finds no room for another file.
        if (readOwner(folder)?.id === own.id) writeIfPossible(folder, '')
        lock.close()
      },
    }
  } catch (error) {
    lock.close()
    throw error
  }
}

async function takePatiently(take: () => FileLock): Promise<FileLock> {
  for (const end = Date.now() + PATIENCE_MS; ; await sleep(50)) {
    const lock = take()
    if (lock.state !== 'held' || Date.now() > end) return lock
    lock.close()
  }
}

function inUse(folder: string, holder: Owner | undefined): Error {
  const since = holder?.since.slice(0, 19).replace('T', ' ')
  const who = holder ? ` (process ${holder.pid} on ${holder.host}, since ${since} UTC)` : ''
  return new Error(`Another Causeway${who} is using the data folder ${folder}. Stop it first, or set DATA_DIR to another folder.`)
}

/** Locks are the kernel's, per mounted file system: a record of another one says nothing about the lock here. */
function kernelOf(folder: string): string {
  return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${statSync(folder).dev}`
}

/** Whether the record is being renewed, by the clock of the file system, which all its users share. */
async function isBeating(folder: string): Promise<boolean> {
  const record = path.join(folder, RECORD)
  const seen = statSync(record, { throwIfNoEntry: false })?.mtimeMs
  for (; seen !== undefined; await sleep(BEAT_MS / 5)) {
    const now = statSync(record, { throwIfNoEntry: false })?.mtimeMs
    if (now !== seen) return readOwner(folder) !== undefined
    if (clockOf(folder) - seen > STALE_MS) return false
  }
  return false
}

function clockOf(folder: string): number {
  const probe = path.join(folder, `clock-${randomUUID()}`)
  writeFileSync(probe, '')
  const { mtimeMs } = statSync(probe)
  rmSync(probe)
  return mtimeMs
}

function keepBeating(folder: string, own: Owner, onLost: () => void): NodeJS.Timeout {
  const timer = setInterval(() => {
    const found = readOwner(folder)
    if (found === undefined || found.id === own.id) return writeIfPossible(folder, JSON.stringify(own))
    clearInterval(timer)
    onLost()
  }, BEAT_MS)
  return timer.unref()
}

/** Always the same length and in place, so that a full disk does not end the beat. */
function writeRecord(folder: string, text: string): void {
  const file = path.join(folder, RECORD)
  const fd = openSync(file, statSync(file, { throwIfNoEntry: false }) ? 'r+' : 'w', 0o600)
  try {
    writeSync(fd, text.padEnd(RECORD_BYTES), 0)
  } finally {
    closeSync(fd)
  }
}

function writeIfPossible(folder: string, text: string): void {
  try {
    writeRecord(folder, text)
  } catch {
    // No room, or the file system is away for a moment: the next beat tries again.
  }
}

function readOwner(folder: string): Owner | undefined {
  try {
    return owner.parse(JSON.parse(readFileSync(path.join(folder, RECORD), 'utf8')))
  } catch {
    return undefined // there is none, or it is being written
  }
}
