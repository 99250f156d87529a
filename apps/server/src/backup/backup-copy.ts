import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  copyFileSync,
  fdatasyncSync,
  fsyncSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  rmSync,
  symlinkSync,
  writeSync,
  type Stats,
} from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf } from '../db/driver/failures.ts'

const CHUNK_BYTES = 2 ** 18
/**
 * Bytes written before they are flushed to disk. With more at once, the commits of the service would wait behind the
 * flush.
 */
const PIECE_BYTES = 8 * CHUNK_BYTES
/**
 * How long the processor is left alone after each step and the disk after each piece, in times of what it took. Steps are
 * short: the lowest priority alone does not keep a request from waiting until this process has had its turn.
 */
const PAUSE_TIMES = 2
/** Of the processor's time: what this process had to wait for it counts as rest already. */
const STEP_MS = 1

export interface CopyOptions {
  /** By its path below the folder that is copied. */
  isLeftOut: (name: string) => boolean
  /** Before every piece. What it throws ends the copy. */
  check: () => void
  onBytes: (bytes: number) => void
  /** Told what is read, unless the file system copies by itself. */
  onRead?: (name: string, at: number, bytes: Buffer) => void
}

/**
 * Copies a folder whose files grow, shrink and vanish meanwhile, with owners and modes. The disk is the service's, and is
 * left alone after each piece.
 */
export async function copyFolder(from: string, to: string, options: CopyOptions): Promise<void> {
  const pace = newPace(options)
  for (const name of below(from, options.isLeftOut)) {
    const found = lstatSync(path.join(from, name), { throwIfNoEntry: false })
    const onRead = (at: number, bytes: Buffer) => options.onRead?.(name, at, bytes)
    if (found) await copyEntry(path.join(from, name), path.join(to, name), found, { ...pace, onRead })
  }
}

/** The size of the files that `copyFolder` would copy. */
export function bytesBelow(from: string, isLeftOut: CopyOptions['isLeftOut'] = () => false): number {
  let bytes = 0
  for (const name of below(from, isLeftOut)) bytes += lstatSync(path.join(from, name), { throwIfNoEntry: false })?.size ?? 0
  return bytes
}

/** Folders before what they hold. */
function* below(from: string, isLeftOut: CopyOptions['isLeftOut'], within = ''): Generator<string> {
  for (const entry of entriesOf(path.join(from, within))) {
    const name = path.join(within, entry.name)
    if (isLeftOut(name)) continue
    yield name
    if (entry.isDirectory()) yield* below(from, isLeftOut, name)
  }
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [] // as a database does that is dropped
    throw error
  }
}

async function copyEntry(from: string, to: string, found: Stats, pace: Pace & Reading): Promise<void> {
  if (found.isDirectory()) {
    mkdirSync(to)
    giveAs(to, found)
  } else if (found.isSymbolicLink()) {
    symlinkSync(readlinkSync(from), to)
    if (process.getuid?.() === 0) lchownSync(to, found.uid, found.gid)
  } else if (found.isFile()) await copyFile(from, to, found, pace) // sockets belong to their listeners
}

async function copyFile(from: string, to: string, found: Stats, pace: Pace & Reading): Promise<void> {
  const source = openIfThere(from)
  if (source === undefined) return
  try {
    if (pace.clone(from, to)) await pace.spend(found.size)
    else await copyContents(source, to, pace)
    giveAs(to, found)
  } finally {
    closeSync(source)
  }
}

async function copyContents(source: number, to: string, { chunk, spend, onRead }: Pace & Reading): Promise<void> {
  const target = openSync(to, 'wx', 0o600)
  try {
    for (let at = 0, read = 1; read > 0; at += read) {
      read = readSync(source, chunk, 0, chunk.length, at)
      onRead(at, chunk.subarray(0, read))
      for (let written = 0; written < read;) written += writeSync(target, chunk, written, read - written)
      await spend(read, target)
    }
  } finally {
    closeSync(target)
  }
}

interface Pace {
  chunk: Buffer
  /** Has the copy share the room of its file, where the file system can. */
  clone: (from: string, to: string) => boolean
  spend: (bytes: number, target?: number) => Promise<void>
}

interface Reading {
  onRead: (at: number, bytes: Buffer) => void
}

function newPace({ check, onBytes }: CopyOptions): Pace {
  let canClone = true
  let piece = 0
  let worked = process.cpuUsage()
  const rest = async (): Promise<void> => {
    const { user, system } = process.cpuUsage(worked)
    const milliseconds = (user + system) / 1000
    if (milliseconds < STEP_MS) return
    await sleep(PAUSE_TIMES * milliseconds)
    worked = process.cpuUsage()
  }
  return {
    chunk: Buffer.allocUnsafe(CHUNK_BYTES),
    clone: (from, to) => {
      if (!canClone) return false
      try {
        copyFileSync(from, to, constants.COPYFILE_FICLONE_FORCE | constants.COPYFILE_EXCL)
        return true
      } catch (error) {
        canClone = codeOf(error) === 'ENOENT' // vanished; else it is another disk, or its file system cannot
        rmSync(to, { force: true })
        return false
      }
    },
    spend: async (bytes, target) => {
      onBytes(bytes)
      piece += bytes
      await rest()
      if (piece < PIECE_BYTES) return
      piece = 0
      check()
      if (target === undefined) return
      const begunAt = performance.now()
      fdatasyncSync(target)
      await sleep(PAUSE_TIMES * (performance.now() - begunAt))
    },
  }
}

function openIfThere(file: string): number | undefined {
  try {
    return openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Owner, if we may, and mode. */
export function giveAs(to: string, { uid, gid, mode }: Pick<Stats, 'uid' | 'gid' | 'mode'>): void {
  if (process.getuid?.() === 0) chownSync(to, uid, gid)
  chmodSync(to, mode & 0o7777)
}

/** Brings to the disk what was copied without waiting for it. */
export function syncBelow(folder: string, isLeftOut: CopyOptions['isLeftOut']): void {
  for (const name of below(folder, isLeftOut))
    if (!lstatSync(path.join(folder, name)).isSymbolicLink()) syncFile(path.join(folder, name))
  syncFile(folder)
}

/** A new directory entry is durable only after the directory itself is flushed. */
export function syncFile(file: string): void {
  const fd = openSync(file, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}
