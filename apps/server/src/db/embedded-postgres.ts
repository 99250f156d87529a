import { spawn, type ChildProcess } from 'node:child_process'
import {
  closeSync,
  existsSync,
  fchmodSync,
  globSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { installBinaries } from './embedded-binaries.ts'
import { accountForPostgres, giveTo, openFolder, socketFolder, type Account, type Folder } from './embedded-folder.ts'
import { SETTINGS } from './embedded-settings.ts'
import { lockDatabase, type DatabaseLock } from './database-lock.ts'
import { connectLocally, watchDiskRoom, type DiskRoom } from './disk-room.ts'
import { lockFolder } from './folder-lock.ts'

export interface EmbeddedPostgres {
  /** For `connect()`; a unix socket, so there is neither a port nor a password. */
  url: string
  /** True when the database of a server that was killed was still running and has been taken over. */
  isAdopted: boolean
  stop(): Promise<void>
}

export interface EmbeddedPostgresOptions {
  dataDir: string
  /** Server settings as in postgresql.conf; they win over ours. */
  settings?: Record<string, string>
  /** Told in a sentence what happened outside of a call: another folder taken, the database died and was started again. */
  onNotice?: (sentence: string) => void
  /** Told when another server has taken the data folder over: the database has been ended, and this process must end too. */
  onLost?: () => void
  /** How long what is left of a killed database may take to end. */
  orphanPatienceMs?: number
  /** How often the room on the disk is looked at. */
  roomCheckMs?: number
  /** A start that takes longer is told of. */
  slowStartMs?: number
}

const DATABASE = 'causeway'
/** What was not yet in its tables when it was killed is brought there at the start: gigabytes, on slow disks, take minutes. */
const START_LIMIT_MS = 900_000
/** Who waits longer for a start is told what it is doing. */
const SLOW_START_MS = 10_000
const STOP_TIMEOUT_MS = 30_000
/** How often it is looked at whether somebody has asked the database to stop. */
const LOOK_MS = 1000
const ORPHAN_PATIENCE_MS = 20_000
const MAX_LOG_BYTES = 10_000_000
// Nothing of the caller's environment (PGDATA, LANG ...) may reach the database.
const ENVIRONMENT = { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8', TZ: 'UTC' }

/**
 * Runs the PostgreSQL that npm installed, with its data under `dataDir`. It runs apart from this process: after a
 * kill -9 of this one it lives on and the next start takes it over; when it dies itself it is started again.
 */
export async function startEmbeddedPostgres({
  dataDir,
  settings = {},
  onNotice = () => {},
  onLost = () => {},
  orphanPatienceMs = ORPHAN_PATIENCE_MS,
  roomCheckMs,
  slowStartMs = SLOW_START_MS,
}: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  let launched: Postmaster | undefined
  const lock = await lockFolder(dataDir, {
    onLost: () => {
      onNotice(`Another Causeway has taken over the data folder ${dataDir}. The database is ended here at once.`)
      if (launched) signal(launched, 'SIGQUIT')
      onLost()
    },
  })
  const databaseLock = lockDatabase(lock.folder, orphanPatienceMs)
  let room: DiskRoom | undefined
  try {
    const account = accountForPostgres()
    const folder = openFolder(dataDir, account, onNotice)
    const binaries = installBinaries(folder.root)
    const data = path.join(folder.root, `pg${binaries.major}`)
    refuseOtherMajor(folder.root, binaries.major)
    const launch = async (): Promise<Postmaster> => {
      await databaseLock.take()
      room?.ease()
      return launchPostmaster({ bin: binaries.bin, data, folder, account, settings, lock: databaseLock, tellSlow })
    }
    const tellSlow = (): NodeJS.Timeout =>
      setTimeout(() => onNotice('The embedded PostgreSQL is starting still. After a crash that may take minutes.'), slowStartMs)

    room = watchDiskRoom({
      root: folder.root,
      socketDir: () => launched?.socketDir ?? '',
      onNotice,
      ...(roomCheckMs === undefined ? {} : { checkMs: roomCheckMs }),
    })
    const disk = room
    let postmaster = await adopt(data, tellSlow)
    if (!postmaster) {
      await databaseLock.take()
      await createCluster(binaries.bin, data, account)
      postmaster = await launchAfterOrphans(launch)
    }
    launched = postmaster
    const isAdopted = postmaster.child === undefined
    let isStopping = false
    const watch = async (running: Postmaster): Promise<void> => {
      for (let current = running; ;) {
        const looking = hastenStop(current, () => isStopping, onNotice)
        await current.exited
        clearInterval(looking)
        if (isStopping) return
        onNotice('The embedded PostgreSQL has died and is being started again.')
        const next = await relaunch(launch, () => isStopping, onNotice)
        if (!next) return
        launched = current = next
        onNotice('The embedded PostgreSQL runs again.')
        await disk.check().catch(() => {}) // looked at again in a moment
        if (isStopping) await shutDown(next) // asked to stop while it was starting
      }
    }
    const url = `postgres://postgres@localhost/${DATABASE}?host=${encodeURIComponent(postmaster.socketDir)}`
    await disk.check()
    await createDatabase(postmaster.socketDir)
    const watched = watch(postmaster)
    return {
      url,
      isAdopted,
      stop: async () => {
        isStopping = true
        await disk.stop()
        if (launched) await shutDown(launched)
        await watched
        databaseLock.release()
        lock.release()
      },
    }
  } catch (error) {
    await room?.stop()
    if (launched) await shutDown(launched)
    databaseLock.release()
    lock.release()
    throw error
  }
}

interface Postmaster {
  pid: number
  data: string
  socketDir: string
  /** Absent when the process is not ours but was found running. */
  child?: ChildProcess
  exited: Promise<void>
}

async function createCluster(bin: string, data: string, account: Account): Promise<void> {
  if (existsSync(data)) return
  // Under another name until it is whole: a start that was cut off here begins anew.
  for (const old of globSync(`${path.basename(data)}.new*`, { cwd: path.dirname(data) }))
    rmSync(path.join(path.dirname(data), old), { recursive: true, force: true })
  const draft = `${data}.new-${process.pid}`
  mkdirSync(draft, { mode: 0o700 })
  giveTo(account, draft)
  const locale = ['--locale=C.UTF-8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const args = ['-D', draft, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', ...locale, '--data-checksums', '--no-instructions']
  const child = spawn(path.join(bin, 'initdb'), args, {
    ...account.ids,
    cwd: path.dirname(data),
    detached: true, // as the database below: Ctrl-C is for the server, which stops once it is whole
    stdio: ['ignore', 'pipe', 'pipe'],
    env: ENVIRONMENT,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const code = await new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve))
  if (code !== 0) throw new Error(`The database could not be created in ${data}. ${lastWords(output)}`)
  writeFileSync(path.join(draft, 'pg_hba.conf'), 'local all all trust\n')
  renameSync(draft, data)
}

/** An upgrade of PostgreSQL must never look like an empty database. */
function refuseOtherMajor(root: string, major: string): void {
  if (existsSync(path.join(root, `pg${major}`))) return
  const older = Array.from({ length: Number(major) - 1 }, (_, index) => `pg${index + 1}`).find((name) =>
    existsSync(path.join(root, name)),
  )
  if (older)
    throw new Error(
      `${root} holds a database of ${older}, but this version brings PostgreSQL ${major}. Start the version that made it, back up, and restore here.`,
    )
}

interface Launch {
  bin: string
  data: string
  folder: Folder
  account: Account
  settings: Record<string, string>
  lock: DatabaseLock
  tellSlow: () => NodeJS.Timeout
}

async function launchPostmaster({ bin, data, folder, account, settings, lock, tellSlow }: Launch): Promise<Postmaster> {
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
    // It inherits its lock, and so do its workers: as long as one of them lives, nobody else starts a database here.
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
  const slow = tellSlow()
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

/**
 * The workers of a killed postmaster live for a moment longer, and PostgreSQL rightly refuses to start beside them. They end
 * by themselves once they notice.
 */
async function launchAfterOrphans(launch: () => Promise<Postmaster>): Promise<Postmaster> {
  for (const end = Date.now() + ORPHAN_PATIENCE_MS; ; await sleep(200)) {
    try {
      return await launch()
    } catch (error) {
      const hasOrphans = error instanceof Error && error.message.includes('pre-existing shared memory block')
      if (!hasOrphans || Date.now() > end) throw error
    }
  }
}

/** Takes over what a killed server left running; waits first for one that is still starting or already stopping. */
async function adopt(data: string, tellSlow: () => NodeJS.Timeout): Promise<Postmaster | undefined> {
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
 * Asked to stop from outside (`kill` and a service manager send SIGTERM), PostgreSQL waits until all who are connected have
 * left, and lets nobody else in: as we never leave, for ever. A moment later, as whoever asked may have asked us too.
 */
function hastenStop(postmaster: Postmaster, isStopping: () => boolean, onNotice: (sentence: string) => void): NodeJS.Timeout {
  let seen = 0
  return setInterval(() => {
    if (isStopping() || readPidFile(postmaster.data)?.state !== 'stopping' || ++seen !== 2) return
    onNotice('The embedded PostgreSQL was asked to stop by somebody else. It is ended, and started again.')
    signal(postmaster, 'SIGINT')
  }, LOOK_MS).unref()
}

async function untilGone(pid: number, data: string): Promise<void> {
  while (isPostmaster(pid, data)) await sleep(200, undefined, { ref: false })
}

async function relaunch(
  launch: () => Promise<Postmaster>,
  isStopping: () => boolean,
  onNotice: (sentence: string) => void,
): Promise<Postmaster | undefined> {
  for (let pauseMs = 100; !isStopping(); pauseMs = Math.min(pauseMs * 2, 10_000)) {
    try {
      return await launchAfterOrphans(launch)
    } catch (error) {
      onNotice(`${error instanceof Error ? error.message : String(error)} Trying again.`)
      await sleep(pauseMs)
    }
  }
  return undefined
}

async function shutDown(postmaster: Postmaster): Promise<void> {
  postmaster.child?.ref()
  const late = setTimeout(() => signal(postmaster, 'SIGQUIT'), STOP_TIMEOUT_MS)
  // SIGINT is PostgreSQL's fast shutdown: it ends connections and writes everything.
  signal(postmaster, 'SIGINT')
  await postmaster.exited
  clearTimeout(late)
}

function signal({ pid, data }: Pick<Postmaster, 'pid' | 'data'>, name: NodeJS.Signals): void {
  try {
    // One that died a while ago has left its number to anybody.
    if (isPostmaster(pid, data)) process.kill(pid, name)
  } catch {
    // It has ended by itself meanwhile, which is what was wanted.
  }
}

/** postmaster.pid: process, data folder, start time, port, socket folder, addresses, shared memory, state. */
function readPidFile(data: string): { pid: number; socketDir: string; state: string } | undefined {
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
    return !isGone && readlinkSync(`/proc/${pid}/cwd`) === data
  } catch {
    return false
  }
}

/** The lines of a log that say why it ended. */
function lastWords(output: string): string {
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

async function createDatabase(socketDir: string): Promise<void> {
  const client = await connectLocally(socketDir)
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [DATABASE])
    if (rowCount === 0) await client.query(`create database ${DATABASE}`)
  } finally {
    await client.end()
  }
}
