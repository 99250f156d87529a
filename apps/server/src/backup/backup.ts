import { randomUUID } from 'node:crypto'
import { existsSync, globSync, lstatSync, readdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { lowerPriority } from '../archive/priority.ts'
import { BACKUPS } from '../config.ts'
import { bytesBelow, copyFolder, giveAs, type CopyOptions } from './backup-copy.ts'
import { openDraft, type Draft } from './backup-draft.ts'
import { DETAILS, findLastBackup, LAST_BACKUP, noteLastBackup, TARGET_STATES, writeDetails } from './kept-backups.ts'
import { prove } from './backup-proof.ts'
import { copyWal, cutWal, findWal } from './backup-wal.ts'
import { findEmptied, openMoment, readFigures, type Figures, type Moment } from './figures.ts'
import { connectLocally, EASE_BYTES, freeBytes } from '../postgres/disk-room.ts'
import { installBinaries } from '../postgres/embedded-binaries.ts'
import { accountForPostgres, INSIDE, RECORD, rootOf } from '../postgres/embedded-folder.ts'
import { DATABASE, refuseOtherMajor, startEmbeddedPostgres } from '../postgres/embedded-postgres.ts'
import { readPidFile } from '../postgres/embedded-postmaster.ts'
import { codeOf } from '../db/driver/failures.ts'
import { FINGERPRINT, fingerprintOf } from '../lib/keys/master-key.ts'
import { checkPages, type PageCheck } from './page-checksums.ts'
import { isOfRestore } from './restore-swap.ts'
import { findPlace } from './wal/wal-reader.ts'

// A backup is a data folder, taken while the service runs (docs/decisions/042).

export interface BackupOptions {
  dataDir: string
  /** The folder that is made. */
  target: string
  onProgress?: (copiedBytes: number, allBytes: number) => void
  onNotice?: (sentence: string) => void
  /** Ends it, with a sentence as its reason; nothing is kept. */
  signal?: AbortSignal
  /** It says of itself that the schedule asked for it, which deletes it later. */
  isScheduled?: boolean
  /** Of databases that are started for it, as in postgresql.conf. */
  settings?: Record<string, string>
}

export interface Backup {
  folder: string
  users: number
  /** The time of the newest change. */
  newestChangeAt: Date | null
  bytes: number
  seconds: number
  /** All that was acknowledged before is in it. */
  takenAt: Date
  hasMasterKey: boolean
  /** Pages of the database that its disk has spoilt, and which are so in the backup. */
  damaged: string[]
  /** Tables that have lost all of their rows since the last backup, without an entry in the history. */
  emptied: string[]
  rehearsal: Rehearsal
  /** Where its log ends, if that is sent to targets as well and can be added. */
  wal?: { chain: string; lsn: string }
}

/** The comparison of the database that was started on the copy with its source. */
export interface Rehearsal extends Omit<Figures, 'newestChangeAt'> {
  at: Date
  seconds: number
}

/** The source of a backup: a data folder, and the database inside it or elsewhere. */
interface Source {
  folder: string
  root: string
  data: string
  bin: string
}

/** For the log of the database while it is copied, and what the proof takes. */
const SPARE_BYTES = 64 * 2 ** 20
/** How long a database that is just starting or stopping is waited for. */
const PATIENCE_MS = 60_000

/**
 * Of a data folder: the database, which is copied apart, what a start makes anew, backups and what tells of them, and
 * what a disk has that is mounted there.
 */
const NOT_OF_FOLDER = new Set([
  INSIDE,
  RECORD,
  BACKUPS,
  DETAILS,
  LAST_BACKUP,
  TARGET_STATES,
  'server.lock',
  'server.json',
  'database.lock',
  'lost+found',
])
/** Of the database: what PostgreSQL makes anew, as its own tool for copies leaves it out. */
const EMPTIED = new Set([
  'pg_wal',
  'pg_dynshmem',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
])
/** `pg_control` is read last. */
const LEFT_OUT =
  /^(global\/pg_control|postmaster\.(pid|opts)|backup_label.*|tablespace_map.*|current_logfiles.*|postgresql\.auto\.conf\.tmp)$/
const TEMPORARY = /^(pgsql_tmp.*|pg_internal\.init.*|t\d+_\d+.*)$/
/** Sent to clients that connect while the database starts or stops. */
const STARTING = '57P03'

/** Makes a backup of a data folder and proves that it holds. @throws Error with a sentence that says why there is none */
export async function backUp(options: BackupOptions): Promise<Backup> {
  const source = findSource(options.dataDir)
  const account = accountForPostgres()
  const begunAt = performance.now()
  const draft = openDraft(options.target, source, account)
  try {
    for (const left of draft.leftovers)
      options.onNotice?.(`${left} is left of a backup that was cut off. Nothing needs it: rm -r '${left}'`)
    const { figures, fingerprint, ...copied } = await copyAll(source, draft, options)
    const hasMasterKey = checkMasterKey(draft.folder, fingerprint)
    const root = path.join(draft.folder, INSIDE)
    const data = path.join(root, path.basename(source.data))
    const provenAt = performance.now()
    const settings = options.settings ?? {}
    const followedFrom = copied.wal?.lsn
    await prove({ bin: source.bin, root, data, account, settings, source: figures, followedFrom }).catch((error: unknown) => {
      throw new Error(`The copy does not hold, so it is not kept. ${firstLines(error)}`, { cause: error })
    })
    options.signal?.throwIfAborted()
    const now = performance.now()
    const { newestChangeAt, ...compared } = figures
    const backup = {
      bytes: bytesBelow(draft.folder),
      seconds: (now - begunAt) / 1000,
      users: Object.values(figures.usersByStatus).reduce((sum, count) => sum + count, 0),
      newestChangeAt,
      hasMasterKey,
      ...copied,
      isScheduled: options.isScheduled ?? false,
      rehearsal: { at: new Date(), seconds: (now - provenAt) / 1000, ...compared },
    }
    writeDetails(draft.folder, backup)
    draft.keep()
    noteLastBackup(source.folder, { folder: draft.target, ...backup }, options.onNotice)
    return { folder: draft.target, ...backup }
  } catch (error) {
    draft.discard()
    throw error
  }
}

/** What there is to back up. @throws Error with a sentence where there is nothing */
export function findSource(dataDir: string): Source {
  if (!existsSync(dataDir)) throw new Error(`There is no data folder ${dataDir}. DATA_DIR names the one that the server has.`)
  const folder = realpathSync(dataDir)
  const root = rootOf(folder)
  const found = lstatSync(root, { throwIfNoEntry: false })
  if (found === undefined) throw new Error(`There is no database in ${folder}. DATA_DIR names the data folder of the server.`)
  if (found.uid !== process.getuid?.())
    throw new Error(`${root} belongs to another user (id ${found.uid}). Back it up as that user.`)
  const { bin, major } = installBinaries(root)
  refuseOtherMajor(root, major)
  const data = path.join(root, `pg${major}`)
  if (!existsSync(data)) throw new Error(`There is no database in ${root}. DATA_DIR names the data folder of the server.`)
  if (readdirSync(path.join(data, 'pg_tblspc')).length > 0)
    throw new Error(`${data} has tablespaces made by hand, which a backup would not have.`)
  return { folder, root, data, bin }
}

type Copied = Pick<Backup, 'takenAt' | 'damaged' | 'emptied' | 'wal'> & { figures: Figures; fingerprint: string | null }

async function copyAll(source: Source, draft: Draft, options: BackupOptions): Promise<Copied> {
  const ofDatabase = { isLeftOut: leavingOut(source.data) }
  const ofFolder = { isLeftOut: (name: string) => NOT_OF_FOLDER.has(name) || isOfRestore(name) }
  const allBytes = bytesBelow(source.data, ofDatabase.isLeftOut) + bytesBelow(source.folder, ofFolder.isLeftOut)
  refuseWithoutRoom(draft, allBytes)
  // A disk that is full before is none that we fill.
  const places = freeBytes(source.root) < EASE_BYTES ? [draft.folder] : [draft.folder, source.root]
  const database = await reachDatabase(source, options)
  // Serving requests has priority. Not lowered earlier: a server may adopt what was started for the copy if this
  // process is killed.
  os.setPriority(os.constants.priority.PRIORITY_LOW)
  let isLost = false
  database.client.once('end', () => (isLost = true))
  const check = (): void => {
    options.signal?.throwIfAborted()
    if (isLost) throw new Error('The database ended while it was copied, so nothing is kept. Back it up again.')
    for (const place of places) refuseFullDisk(place)
  }
  let copiedBytes = 0
  const onBytes = (bytes: number) => options.onProgress?.((copiedBytes += bytes), allBytes)
  try {
    const pages = await beginCopy(database.client, source.data)
    const data = draft.folderLike(source.data, path.join(INSIDE, path.basename(source.data)))
    await copyFolder(source.data, data, { ...ofDatabase, check, onBytes, ...(pages && { onRead: pages.onRead }) })
    await copyFolder(source.folder, draft.folder, { ...ofFolder, check, onBytes })
    check()
    const damaged = pages?.damaged() ?? []
    return { ...(await endCopy(database, source, data, { check, onBytes })), damaged }
  } catch (error) {
    if (isLost) check()
    throw error
  } finally {
    await database.client.end().catch(() => {}) // it may have ended by itself
    await database.release()
  }
}

function refuseWithoutRoom({ folder, target }: Draft, allBytes: number): void {
  const needed = allBytes + SPARE_BYTES + EASE_BYTES
  const free = freeBytes(folder)
  if (free < needed)
    throw new Error(`There is no room for ${target}: ${megabytes(needed)} are needed, and there are ${megabytes(free)}.`)
}

function refuseFullDisk(place: string): void {
  if (freeBytes(place) < EASE_BYTES)
    throw new Error(`The disk of ${place} became full while the copy was made, so nothing is kept. Make room and back up again.`)
}

export function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1e6).toLocaleString('en')} MB`
}

interface Reached {
  client: pg.Client
  socketDir: string
  release(): Promise<void>
}

/** The database as it runs, or started for the copy, which keeps a server from it as long. */
async function reachDatabase({ folder, root, data }: Source, options: BackupOptions): Promise<Reached> {
  const { onNotice = () => {}, settings = {} } = options
  for (const end = Date.now() + PATIENCE_MS; ; await sleep(200)) {
    options.signal?.throwIfAborted()
    const running = readPidFile(data)
    try {
      // In another container the same folder may have another name.
      const socketDir = running && [running.socketDir, path.join(root, 'run')].find((each) => existsSync(each))
      if (socketDir !== undefined) return { client: await connectLocally(socketDir), socketDir, release: async () => {} }
    } catch (error) {
      const code = error instanceof Error ? codeOf(error.cause) : ''
      if (code === STARTING && Date.now() < end) continue
      if (!['ECONNREFUSED', 'ENOENT'].includes(code)) throw error
    }
    const started = await startEmbeddedPostgres({ dataDir: folder, settings, onNotice }).catch((error: unknown) => {
      if (readPidFile(data)?.pid === running?.pid || Date.now() > end) throw error
    })
    const itsSocketDir = readPidFile(data)?.socketDir ?? ''
    if (started) return { client: await connectLocally(itsSocketDir), socketDir: itsSocketDir, release: () => started.stop() }
  }
}

/** Returns the page verifier, unless the checksums of the database are switched off. */
async function beginCopy(client: pg.Client, data: string): Promise<PageCheck | undefined> {
  // WAL from here on is kept until this session ends, for whatever reason.
  await client.query('select pg_create_physical_replication_slot($1, true, true)', [`backup_${randomUUID().replaceAll('-', '')}`])
  const { rows } = await client.query<{ begunAt: string; hasChecksums: boolean }>(`
    select pg_backup_start('causeway', fast => true)::text as "begunAt", current_setting('data_checksums') = 'on' as "hasChecksums"`)
  const [file = '', offset = ''] = rows[0]?.begunAt.split('/') ?? []
  return rows[0]?.hasChecksums ? checkPages(data, (BigInt(`0x${file}`) << 32n) | BigInt(`0x${offset}`)) : undefined
}

/** Brings what was logged during the copy to it, up to a moment whose figures are read meanwhile. */
async function endCopy(
  { client, socketDir }: Reached,
  source: Source,
  to: string,
  copying: Omit<CopyOptions, 'isLeftOut'>,
): Promise<Omit<Copied, 'damaged'>> {
  const from = source.data
  await copyFolder(path.join(from, 'global'), path.join(to, 'global'), {
    ...copying,
    isLeftOut: (name) => name !== 'pg_control',
  })
  const [end] = (
    await client.query<{ label: string }>('select "labelfile" as "label" from pg_backup_stop(wait_for_archive => false)')
  ).rows
  const firstSegment = /^START WAL LOCATION: .*\(file ([0-9A-F]{24})\)/m.exec(end?.label ?? '')?.[1]
  if (!end || !firstSegment) throw new Error('PostgreSQL has not said where its log begins for the copy.')
  const reader = await connectLocally(socketDir, DATABASE)
  try {
    const moment = await lockedMoment(reader, socketDir)
    // Not earlier: writers wait until the moment is there.
    await lowerPriority(reader)
    const wal = await findWal(client, firstSegment, moment.lsn)
    await copyWal(from, to, wal, copying)
    cutWal(to, wal)
    const label = path.join(to, 'backup_label')
    writeFileSync(label, end.label, { mode: 0o600 })
    giveAs(label, statSync(path.join(to, 'PG_VERSION')))
    const figures = await readFigures(reader)
    const last = findLastBackup(source.folder)
    const emptied = await findEmptied(reader, last?.rehearsal && { ...last.rehearsal, takenAt: last.takenAt }, figures)
    const place = await findPlace(client)
    return {
      takenAt: moment.at,
      figures,
      emptied,
      fingerprint: await readFingerprint(reader),
      ...(place && { wal: { chain: place.chain, lsn: moment.lsn } }),
    }
  } finally {
    await reader.end().catch(() => {}) // it may have ended by itself
  }
}

async function lockedMoment(reader: pg.Client, socketDir: string): Promise<Moment> {
  const locker = await connectLocally(socketDir, DATABASE)
  try {
    return await openMoment(reader, locker)
  } finally {
    await locker.end()
  }
}

async function readFingerprint(client: pg.Client): Promise<string | null> {
  const { rows } = await client.query<{ held: string }>(
    `select encode("wrapped", 'hex') as "held" from "secrets" where "name" = $1`,
    [FINGERPRINT],
  )
  return rows[0]?.held ?? null
}

/** Whether the key is in the backup. @throws Error with a sentence when nothing could open the secrets of the copy */
function checkMasterKey(folder: string, fingerprint: string | null): boolean {
  const file = path.join(folder, 'master.key')
  const isInside = existsSync(file)
  const fromEnvironment = process.env['MASTER_KEY']
  const text = fromEnvironment || (isInside ? readFileSync(file, 'utf8') : '')
  const isRight = fingerprintOf(Buffer.from(text.trim(), 'base64')).toString('hex') === fingerprint
  if (fingerprint === null || isRight) return isInside
  if (text === '')
    throw new Error(
      'The file master.key is missing from the data folder, and a backup without it cannot be restored, so it is not kept. Put the file back from an earlier backup.',
    )
  const where = fromEnvironment ? 'MASTER_KEY' : 'The file master.key in the data folder'
  throw new Error(`${where} is not the key of this database, so the backup is not kept. Put the right key back.`)
}

function leavingOut(data: string): (name: string) => boolean {
  // Such tables are empty after every start that no clean stop came before.
  const unlogged = new Set(globSync('base/*/*_init', { cwd: data }).map((name) => name.slice(0, -'_init'.length)))
  return (name) =>
    EMPTIED.has(path.dirname(name)) ||
    LEFT_OUT.test(name) ||
    TEMPORARY.test(path.basename(name)) ||
    unlogged.has(name.replace(/(_fsm|_vm)?(\.\d+)?$/, ''))
}

function firstLines(error: unknown): string {
  return error instanceof Error ? (error.message.split('\nAll it said')[0] ?? '') : String(error)
}
