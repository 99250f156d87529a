import { spawn } from 'node:child_process'
import { existsSync, globSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { endWithUs, lockDatabase } from './database-lock.ts'
import { connectLocally, watchDiskRoom, type DiskRoom } from './disk-room.ts'
import { installBinaries, installedMajor } from './embedded-binaries.ts'
import { accountForPostgres, giveTo, mendOwner, openFolder, rootOf, type Account } from './embedded-folder.ts'
import {
  adopt,
  ENVIRONMENT,
  hastenStop,
  lastWords,
  launchPostmaster,
  shutDown,
  signal,
  type Postmaster,
  readPidFile,
} from './embedded-postmaster.ts'
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
  /** However this process ends, so that a database for a while is left by no crash. */
  endsWithUs?: boolean
  /** How long what is left of a killed database may take to end. */
  orphanPatienceMs?: number
  /** How often the room on the disk is looked at. */
  roomCheckMs?: number
  /** A start that takes longer is told of. */
  slowStartMs?: number
}

export const DATABASE = 'causeway'
const SOCKET = '.s.PGSQL.5432'

const urlAt = (socketDir: string) => `postgres://postgres@localhost/${DATABASE}?host=${encodeURIComponent(socketDir)}`

/** Where the database of this folder answers, when it runs. After a loss of power its files say that it runs, too. */
export async function runningUrl(dataDir: string): Promise<string | undefined> {
  const root = rootOf(dataDir)
  const running = readPidFile(path.join(root, `pg${installedMajor()}`))
  // In another container the same folder may have another name.
  const socketDir = running && [running.socketDir, path.join(root, 'run')].find((each) => existsSync(each))
  return socketDir !== undefined && (await listens(socketDir)) ? urlAt(socketDir) : undefined
}

function listens(socketDir: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path.join(socketDir, SOCKET))
    const end = (isThere: boolean) => {
      socket.destroy()
      resolve(isThere)
    }
    socket.once('connect', () => end(true)).once('error', () => end(false))
  })
}

/** A start that takes longer reports its progress. */
const SLOW_START_MS = 10_000
const ORPHAN_PATIENCE_MS = 20_000

/**
 * Runs the PostgreSQL that npm installed, with its data under `dataDir`. The database runs apart from this process.
 * After a kill -9 it lives on and the next start adopts it; when it dies itself it is restarted.
 */
export async function startEmbeddedPostgres({
  dataDir,
  settings = {},
  onNotice = () => {},
  onLost = () => {},
  endsWithUs = false,
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
      const held = endsWithUs ? { inherited: () => databaseLock.inherited(), guard: endWithUs } : databaseLock
      return launchPostmaster({ bin: binaries.bin, data, folder, account, settings, lock: held, tellSlow })
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
      mendOwner(data, account)
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
    const url = urlAt(postmaster.socketDir)
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
export function refuseOtherMajor(root: string, major: string): void {
  if (existsSync(path.join(root, `pg${major}`))) return
  const older = Array.from({ length: Number(major) - 1 }, (_, index) => `pg${index + 1}`).find((name) =>
    existsSync(path.join(root, name)),
  )
  if (older)
    throw new Error(
      `${root} holds a database of ${older}, but this version brings PostgreSQL ${major}. Start the version that made it, back up, and restore here.`,
    )
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

async function createDatabase(socketDir: string): Promise<void> {
  const client = await connectLocally(socketDir)
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [DATABASE])
    if (rowCount === 0) await client.query(`create database ${DATABASE}`)
  } finally {
    await client.end()
  }
}
