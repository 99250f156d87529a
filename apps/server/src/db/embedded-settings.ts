import { readdirSync, statSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

const MIB = 2 ** 20
/** What the database keeps of itself in memory of its own; the rest is in the kernel's, which gives it back when asked. */
const KEPT_PART = 4
const KEPT_MIB = { atLeast: 128, atMost: 2048 }
/** Never more than this part of the machine. */
const MACHINE_PART = 8

const SETTINGS = {
  listen_addresses: '',
  effective_cache_size: `${between(256, os.totalmem() / MIB / 2, 65_536)}MB`,
  work_mem: '16MB',
  max_connections: '200',
  max_wal_size: '2GB',
  random_page_cost: '1.1',
  effective_io_concurrency: '64',
  jit: 'off',
  recovery_init_sync_method: syncMethod(os.release()),
  // Nothing is replicated from here; its launcher would be a process for nothing.
  max_logical_replication_workers: '0',
  // Errors of statements come to us and are logged by us; their texts quote what people have stored.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_file_mode: '0600',
  log_line_prefix: '%m [%p] ',
}

/** The server settings for a cluster, by what it holds when it starts. */
export function settingsFor(data: string): Record<string, string> {
  return { ...SETTINGS, shared_buffers: `${sharedBuffersMib(heldBytes(data), os.totalmem())}MB` }
}

/**
 * A database that many lists look through is quicker when a part of it is kept; tables of what is kept are made for its
 * full size at the start (a fortieth of it), so that a small service pays for a small one (decision 035).
 */
export function sharedBuffersMib(heldBytes: number, machineBytes: number): number {
  const most = Math.max(KEPT_MIB.atLeast, Math.min(KEPT_MIB.atMost, machineBytes / MIB / MACHINE_PART))
  return between(KEPT_MIB.atLeast, heldBytes / MIB / KEPT_PART, most)
}

/**
 * Before a database that was killed is brought up to date, what it wrote has to be on the disk. One call for the file system
 * takes a second where one for each of its files takes seven; kernels before 5.8 do not tell of that one's failure.
 */
export function syncMethod(kernelRelease: string): string {
  const [major = 0, minor = 0] = kernelRelease.split('.').map(Number)
  return major > 5 || (major === 5 && minor >= 8) ? 'syncfs' : 'fsync'
}

function between(least: number, value: number, most: number): number {
  return Math.round(Math.min(most, Math.max(least, value)))
}

/** What the tables and indexes of all databases of a cluster take. */
function heldBytes(data: string): number {
  const files = readdirSync(path.join(data, 'base'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  // What is dropped while it is looked at counts nothing.
  return files.reduce(
    (sum, { parentPath, name }) => sum + (statSync(path.join(parentPath, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  )
}
