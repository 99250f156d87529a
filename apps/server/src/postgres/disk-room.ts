import { randomBytes } from 'node:crypto'
import { existsSync, rmSync, statfsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'

// PostgreSQL that finds no room for its log ends, and cannot start again: not even reads are answered. So changes end before
// the room does (docs/decisions/020).

const MEGABYTE = 2 ** 20
/** Below this no more changes are taken; what is left is for what PostgreSQL writes by itself. */
const LEAST_BYTES = 64 * MEGABYTE
/** Given back when the room ends, for a disk that fills faster than we look. */
const BALLAST_BYTES = 64 * MEGABYTE
/** Given back only to a PostgreSQL that is started: what runs may have written all of the ballast before it was told to stop. */
const RESERVE_BYTES = 32 * MEGABYTE
/** Enough for both and as much again, or changes would come and go. */
export const EASE_BYTES = 3 * LEAST_BYTES
const CHECK_MS = 1000
const CONNECTION_LIMIT_MS = 60_000

export interface DiskRoom {
  /** Looks at once, takes or refuses changes accordingly, and goes on looking. */
  check(): Promise<void>
  /** Before PostgreSQL is started: gives back all that is kept if the disk is full. */
  ease(): void
  stop(): Promise<void>
}

export interface DiskRoomOptions {
  /** The folder of the database. */
  root: string
  socketDir: () => string
  onNotice: (sentence: string) => void
  checkMs?: number
}

/** Watches the room beside the database and makes it refuse changes before the disk is full. */
export function watchDiskRoom({ root, socketDir, onNotice, checkMs = CHECK_MS }: DiskRoomOptions): DiskRoom {
  const ballast = path.join(root, 'ballast')
  const reserve = path.join(root, 'reserve')
  let isFull: boolean | undefined // not known at the start: a server that ended while the disk was full left it so
  let hasWarned = false
  // Space freed here is for PostgreSQL itself, not for changes, however little PostgreSQL takes of it.
  let hasGiven = false
  const give = (file: string): void => {
    if (freeBytes(root) >= LEAST_BYTES || !existsSync(file)) return
    rmSync(file)
    hasGiven = true
  }
  const look = async (): Promise<void> => {
    const free = freeBytes(root)
    const next = free < LEAST_BYTES || ((isFull === true || hasGiven) && free < EASE_BYTES)
    if (next) give(ballast)
    else hasGiven = false
    if (next === isFull) return
    await refuseChanges(socketDir(), next)
    isFull = next
    if (next) onNotice(`The disk of ${root} is full: changes are refused, reads are answered. Make room; no restart is needed.`)
    else if (hasWarned) onNotice(`There is room on the disk of ${root} again: changes are taken.`)
    hasWarned = next
  }
  let looking: Promise<void> | undefined
  const check = (): Promise<void> => {
    timer ??= setInterval(() => {
      working ??= work().finally(() => (working = undefined))
    }, checkMs).unref()
    return (looking ??= look().finally(() => (looking = undefined)))
  }
  let working: Promise<void> | undefined
  const work = async (): Promise<void> => {
    try {
      await check()
      if (isFull) return
      if (!existsSync(reserve) && freeBytes(root) >= EASE_BYTES) await lay(reserve, RESERVE_BYTES)
      if (!existsSync(ballast) && freeBytes(root) >= EASE_BYTES) await lay(ballast, BALLAST_BYTES)
    } catch {
      // A database that is just starting again cannot be told; the next look tells it.
    }
  }
  let timer: NodeJS.Timeout | undefined
  const stop = async (): Promise<void> => {
    clearInterval(timer)
    await working
  }
  const ease = (): void => {
    give(ballast)
    give(reserve)
  }
  return { check, ease, stop }
}

/** Space that an ordinary account may still take: PostgreSQL does not run as root. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

/** Random bytes, as a file system that compresses would keep zeros for nothing. */
async function lay(file: string, bytes: number): Promise<void> {
  const handle = await open(file, 'w', 0o600)
  try {
    const chunk = randomBytes(MEGABYTE)
    for (let written = 0; written < bytes; written += chunk.length) await handle.writeFile(chunk)
  } catch (error) {
    rmSync(file, { force: true })
    throw error
  } finally {
    await handle.close()
  }
}

/** Holds for every connection from its next statement on, and for those of a database that starts again. */
async function refuseChanges(socketDir: string, isRefused: boolean): Promise<void> {
  const client = await connectLocally(socketDir)
  try {
    const { rows } = await client.query<{ setting: string }>(
      "select setting from pg_settings where name = 'default_transaction_read_only'",
    )
    if (rows[0]?.setting === (isRefused ? 'on' : 'off')) return
    await client.query(
      `alter system ${isRefused ? 'set default_transaction_read_only = on' : 'reset default_transaction_read_only'}`,
    )
    await client.query('select pg_reload_conf()')
    // Files of the log that are done with become those that are written next, so it needs no room to go on.
    if (isRefused) await client.query('checkpoint')
  } finally {
    await client.end()
  }
}

/** A connection of its own to the embedded database. @throws Error with a sentence when nothing answers there */
export async function connectLocally(socketDir: string, database = 'postgres'): Promise<pg.Client> {
  const connectionTimeoutMillis = CONNECTION_LIMIT_MS
  const client = new pg.Client({ host: socketDir, user: 'postgres', database, connectionTimeoutMillis })
  client.on('error', () => {}) // it may end under us; the statement says so
  try {
    await client.connect()
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(`The embedded PostgreSQL cannot be reached at ${socketDir} (${why}). End it and start again.`, {
      cause: error,
    })
  }
  return client
}
