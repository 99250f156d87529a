import { mkdirSync, rmSync, statSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Client } from '../db/driver/hosts/client.ts'
import { exportArchive, type Exported } from '../archive/export.ts'
import { importArchive } from '../archive/import.ts'
import { openArchiveFile, writeArchiveFile } from '../archive/archive-file.ts'
import { migrate } from '../db/migrate.ts'
import { checkOwnDatabase } from '../db/driver/own-database.ts'
import { readVersion } from '../lib/product.ts'
import { accountForPostgres, INSIDE } from '../postgres/embedded-folder.ts'
import { startEmbeddedPostgres } from '../postgres/embedded-postgres.ts'
import type { Backup } from './backup.ts'
import { openDraft } from './backup-draft.ts'
import { readFigures, type Figures } from './figures.ts'
import { noteLastBackup, writeDetails } from './kept-backups.ts'

// A backup of a database that is elsewhere is an archive, of which a scratch database was filled and read again.

export const ARCHIVE_FILE = 'causeway.jsonl.zst'

export interface ArchiveBackupOptions {
  url: string
  masterKey: Buffer
  dataDir: string
  /** The folder that is made. */
  target: string
  onProgress?: (done: number, all: number) => void
  onNotice?: (sentence: string) => void
  signal?: AbortSignal
  isScheduled?: boolean
}

/** Parts of the work, as far as progress tells: writing, reading twice, and writing once more. */
const PARTS = 3
/** It is thrown away, and may lose what it has at a crash. */
const SETTINGS = { shared_buffers: '64MB', fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', autovacuum: 'off' }

/** Makes a backup of a database that is elsewhere, and proves that it holds. @throws Error with a sentence */
export async function backUpDatabase(options: ArchiveBackupOptions): Promise<Backup> {
  const { url, masterKey, dataDir, target, signal, onNotice, isScheduled = false } = options
  const begunAt = performance.now()
  await checkOwnDatabase(url)
  mkdirSync(dataDir, { recursive: true }) // with MASTER_KEY it may never have been needed
  const draft = openDraft(target, { folder: dataDir, root: dataDir }, accountForPostgres())
  let scratch: Scratch | undefined
  try {
    rmSync(path.join(draft.folder, INSIDE), { recursive: true })
    const file = path.join(draft.folder, ARCHIVE_FILE)
    const partly = (part: number) => (rows: number, all: number) => options.onProgress?.(part * all + rows, PARTS * all)
    const exporting = {
      url,
      masterKey,
      isEmbedded: false,
      isAlone: true,
      madeBy: `Causeway ${readVersion()}`,
      ...(signal && { signal }),
    }
    let exported: Exported | undefined
    scratch = await openScratch(path.join(draft.folder, 'rehearsal'))
    // Serving requests has priority. Not lowered earlier: a start is short, and would take minutes where others work.
    os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL)
    await writeArchiveFile(
      file,
      exportArchive({ ...exporting, onProgress: partly(0) }, (done) => (exported = done)),
    )
    if (!exported) throw new Error('The archive was not written to its end.')
    const provenAt = performance.now()
    const { newestChangeAt: _, ...figures } = await rehearse(file, scratch, { ...exported, masterKey, signal, partly })
    const rehearsal = { at: new Date(), seconds: (performance.now() - provenAt) / 1000, ...figures }
    await scratch.end()
    signal?.throwIfAborted()
    const { takenAt, users, newestChangeAt } = exported
    const details = {
      takenAt,
      bytes: statSync(file).size,
      seconds: (performance.now() - begunAt) / 1000,
      users,
      newestChangeAt,
      // Within the archive.
      hasMasterKey: true,
      damaged: [],
      emptied: [],
      rehearsal,
      isScheduled,
    }
    writeDetails(draft.folder, details)
    draft.keep()
    noteLastBackup(dataDir, { folder: draft.target, ...details }, onNotice)
    return { folder: draft.target, ...details }
  } catch (error) {
    await scratch?.end()
    draft.discard()
    throw error
  }
}

interface Rehearsed extends Exported {
  masterKey: Buffer
  signal: AbortSignal | undefined
  partly: (part: number) => (rows: number, all: number) => void
}

interface Scratch {
  url: string
  end(): Promise<void>
}

/** A database that is thrown away, and ends with this process. */
async function openScratch(folder: string): Promise<Scratch> {
  const postgres = await startEmbeddedPostgres({ dataDir: folder, settings: SETTINGS, endsWithUs: true })
  await migrate(postgres.url)
  return {
    url: postgres.url,
    end: async () => {
      await postgres.stop()
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** Fills a scratch database with the archive, and exports it again: every line must be the same. Gives the figures of that database. */
async function rehearse(file: string, { url }: Scratch, { masterKey, signal, partly, ...source }: Rehearsed): Promise<Figures> {
  const watching = signal ? { signal } : {}
  await importArchive({ url, open: openArchiveFile(file), masterKey, isBeside: true, onProgress: partly(1), ...watching })
  let again: Exported | undefined
  const options = { url, masterKey, isEmbedded: true, isBeside: true, madeBy: 'rehearsal', onProgress: partly(2), ...watching }
  for await (const _ of exportArchive(options, (done) => (again = done))) signal?.throwIfAborted()
  if (again?.linesSha256 !== source.linesSha256)
    throw new Error('The archive does not hold, so it is not kept: what was read from it differs from the database.')
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('begin')
    return await readFigures(client)
  } finally {
    await client.end()
  }
}
