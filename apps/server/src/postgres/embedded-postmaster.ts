import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, existsSync, fchmodSync, openSync, readFileSync, readlinkSync, renameSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DatabaseLock } from './database-lock.ts'
import { socketFolder, type Account, type Folder } from './embedded-folder.ts'
import { SETTINGS } from './embedded-settings.ts'

/** Recovery after a kill replays the WAL at the start: gigabytes, on slow disks, take minutes. */
const START_LIMIT_MS = 900_000
const STOP_TIMEOUT_MS = 30_000
/** Interval of the check for an outside request to stop the database. */
const LOOK_MS = 1000
const MAX_LOG_BYTES = 10_000_000
// Nothing of the caller's environment (PGDATA, LANG ...) may reach the database.
export const ENVIRONMENT = { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8', TZ: 'UTC' }

export interface Postmaster {
  pid: number
  data: string
  socketDir: string
  /** Absent when the process is not ours but was found running. */
  child?: ChildProcess
  exited: Promise<void>
}

interface Launch {
  bin: string
  data: string
  folder: Folder
  account: Account
  settings: Record<string, string>
  lock: Pick<DatabaseLock, 'inherited' | 'guard'>
  tellSlow?: () => NodeJS.Timeout
}

export async function launchPostmaster({ bin, data, folder, account, settings, lock, tellSlow }: Launch): Promise<Postmaster> {
  const socketDir = socketFolder(folder.root, account)
  const before = readPidFile(data)
  // The socket's own lock file names a process too, and would stop the start.
  for (const ending of ['', '.lock']) rmSync(path.join(socketDir, `.s.PGSQL.5432${ending}`), { force: true })
  const all = { ...SETTINGS, ...settings, unix_socket_directories: `"${socketDir.replaceAll('"', '""')}"` }
  const args = ['-D', data, '-p', '5432', ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
  const log = openLog(folder.root)
  const logged = statSync(log.file).size
  // PostgreSQL trusts any living process that a left-over pid file names, also one that has nothing to do with it. Named
  // as the grandparent it is passed over, while the interlock in shared memory still holds off a second server.
  const env = before ? { ...ENVIRONMENT, PG_GRANDPARENT_PID: String(before.pid) } : ENVIRONMENT
  // Detached, or Ctrl-C in a terminal would stop the database before the server has finished with it.
  const child = spawn(path.join(bin, 'postgres'), args, {
    ...account.ids,
    cwd: data,
    detached: true,
    // PostgreSQL and its workers inherit the lock: as long as one of them lives, no other database starts here.
    stdio: ['ignore', log.fd, log.fd, ...lock.inherited()],
    env,
  })
  closeSync(log.fd)
  if (child.pid !== undefined) lock.guard(child.pid, data)
  let hasExited = false
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  }).then(() => void (hasExited = true))
  const pid = child.pid
  const slow = tellSlow?.()
  try {
    for (const end = Date.now() + START_LIMIT_MS; ; await sleep(10)) {
      const now = readPidFile(data)
      if (pid !== undefined && now?.pid === pid && now.state === 'ready') break
      if (!hasExited && Date.now() < end) continue
      if (!hasExited) child.kill('SIGQUIT')
      const said = readFileSync(log.file).subarray(logged).toString()
      throw new Error(`The embedded PostgreSQL did not start. ${lastWords(said)}\nAll it said is in ${log.file}.`)
    }
  } finally {
    clearTimeout(slow)
  }
  child.unref()
  return { pid, data, socketDir, child, exited }
}

/** Takes over what a killed server left running; waits first for one that is still starting or already stopping. */
export async function adopt(data: string, tellSlow: () => NodeJS.Timeout): Promise<Postmaster | undefined> {
  const slow = tellSlow()
  try {
    for (const end = Date.now() + START_LIMIT_MS; ; await sleep(50)) {
      const found = readPidFile(data)
      if (!found || !isPostmaster(found.pid, data)) return undefined
      const { pid, socketDir, state } = found
      if (state === 'ready') return { pid, data, socketDir, exited: untilGone(pid, data) }
      if (state === 'stopping') signal({ pid, data }, 'SIGINT')
      if (Date.now() > end)
        throw new Error(`The PostgreSQL of ${data} (process ${found.pid}) neither starts nor stops. End it and start again.`)
    }
  } finally {
    clearTimeout(slow)
  }
}

/**
 * On SIGTERM from outside (`kill`, a service manager) PostgreSQL refuses new connections and waits until all clients
 * have left, which this server never does. It is stopped a moment later, since the sender may have signalled this
 * process too.
 */
export function hastenStop(
  postmaster: Postmaster,
  isStopping: () => boolean,
  onNotice: (sentence: string) => void,
): NodeJS.Timeout {
  let seen = 0
  return setInterval(() => {
    if (isStopping() || readPidFile(postmaster.data)?.state !== 'stopping' || ++seen !== 2) return
    onNotice('The embedded PostgreSQL was asked to stop by another process. It is ended, and started again.')
    signal(postmaster, 'SIGINT')
  }, LOOK_MS).unref()
}

async function untilGone(pid: number, data: string): Promise<void> {
  while (isPostmaster(pid, data)) await sleep(200, undefined, { ref: false })
}

export async function shutDown(postmaster: Postmaster): Promise<void> {
  postmaster.child?.ref()
  const late = setTimeout(() => signal(postmaster, 'SIGQUIT'), STOP_TIMEOUT_MS)
  // SIGINT is PostgreSQL's fast shutdown: it ends connections and writes everything.
  signal(postmaster, 'SIGINT')
  await postmaster.exited
  clearTimeout(late)
}

export function signal({ pid, data }: Pick<Postmaster, 'pid' | 'data'>, name: NodeJS.Signals): void {
  try {
    // The pid of a process that died a while ago may belong to another one.
    if (isPostmaster(pid, data)) process.kill(pid, name)
  } catch {
    // It has ended by itself meanwhile, which is what was wanted.
  }
}

/** postmaster.pid: process, data folder, start time, port, socket folder, addresses, shared memory, state. */
export function readPidFile(data: string): { pid: number; socketDir: string; state: string } | undefined {
  const file = path.join(data, 'postmaster.pid')
  if (!existsSync(file)) return undefined
  const lines = readFileSync(file, 'utf8').split('\n')
  const pid = Number(lines[0])
  if (!Number.isInteger(pid) || pid <= 0) return undefined
  return { pid, socketDir: lines[4] ?? '', state: lines[7]?.trim() ?? '' }
}

/** A pid by itself means nothing: it may be a zombie (a container without init) or belong to another program by now. */
function isPostmaster(pid: number, data: string): boolean {
  try {
    const isGone = /^\d+ \(.*\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
    return !isGone && isIn(pid, data)
  } catch {
    return false
  }
}

/** In a container root may not see the folder of another account's process (CAP_SYS_PTRACE), but its arguments. */
function isIn(pid: number, data: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === data
  } catch {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(data)
  }
}

/** The lines of a log that say why it ended. */
export function lastWords(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '')
  const reasons = lines.filter((line) => /(FATAL|PANIC):|^initdb: error/.test(line))
  const advice = output.includes('No space left on device') ? 'The disk is full: make room. ' : ''
  return `${advice}PostgreSQL says:\n${(reasons.length > 0 ? reasons : lines).slice(-3).join('\n')}`
}

function openLog(root: string): { fd: number; file: string } {
  const file = path.join(root, 'postgres.log')
  if (existsSync(file) && statSync(file).size > MAX_LOG_BYTES) renameSync(file, `${file}.old`)
  const fd = openSync(file, 'a', 0o600)
  fchmodSync(fd, 0o600)
  return { fd, file }
}
