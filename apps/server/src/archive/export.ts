import os from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { Client } from '../db/driver/hosts/client.ts'
import { compareMigrations, migrationNames } from '../db/migrate.ts'
import { beginningOf, endLine, headLine, sha256 } from './archive-form.ts'
import { fingerprintOf, openInstallationKey, OTHER_KEY } from '../lib/keys/master-key.ts'
import { beginSnapshot, countRows, isServed, lastNumber, readKeys, readNewestChange, readRows } from './export.queries.ts'
import { readOwnNames } from './own-names.ts'
import { lowerPriority } from './priority.ts'
import { carried, listMigrations, listMonths, listTables, type Table } from './tables.queries.ts'

export interface ExportOptions {
  url: string
  masterKey: Buffer
  /** Its processes are on this machine. */
  isEmbedded: boolean
  /** A server works on another database of this machine. */
  isBeside?: boolean
  /** This process does nothing else, so that its priority may be lowered. */
  isAlone?: boolean
  /** The program that makes it, such as "Causeway 0.2.0". */
  madeBy: string
  onProgress?: (rows: number, allRows: number) => void
  /** Ends it, with a sentence as its reason. */
  signal?: AbortSignal
}

export interface Exported {
  /** All that was acknowledged before is in it. */
  takenAt: Date
  rows: number
  users: number
  /** The time of the newest entry of the history. */
  newestChangeAt: Date | null
  /** Of all lines but the first and the last. */
  linesSha256: string
}

const CHUNK_BYTES = 2 ** 18
const NEWLINE = 10
const MOST_REST_MS = 1000

/**
 * The text of an archive, in memory that does not grow, of one moment of the database, which goes on working.
 * @throws Error with a sentence
 */
export async function* exportArchive(options: ExportOptions, onEnd: (exported: Exported) => void): AsyncGenerator<Buffer> {
  const client = new Client({ connectionString: options.url, application_name: 'causeway export' })
  client.on('error', () => {}) // told by the query that it breaks
  await client.connect()
  try {
    const takenAt = await beginSnapshot(client)
    const migrations = await listMigrations(client)
    refuseOthers(migrations, await migrationNames())
    const tables = carried(await listTables(client, (await readOwnNames()).tables))
    const { numbers, counts } = await describe(client, tables)
    const head = headLine({
      madeAt: takenAt.toISOString(),
      madeBy: options.madeBy,
      migrations,
      installationKey: await readInstallationKey(client, options.masterKey),
      months: await listMonths(client),
      numbers,
      fields: Object.fromEntries(tables.map(({ name, columns }) => [name, columns.map((column) => column.name)])),
      counts,
    })
    yield head
    const allRows = Object.values(counts).reduce((sum, count) => sum + count, 0)
    const rest = await serveFirst(client, options)
    const hash = sha256()
    let rows = 0
    for (const table of tables) {
      if (counts[table.name] === 0) continue
      for await (const chunk of gathered(readRows(client, table, beginningOf(table.name)))) {
        options.signal?.throwIfAborted()
        hash.update(chunk)
        rows += countLines(chunk)
        yield chunk
        options.onProgress?.(rows, allRows)
        await rest()
      }
    }
    if (rows !== allRows) throw new Error(`The database gave ${rows} rows, and had counted ${allRows}.`)
    const newestChangeAt = await readNewestChange(client)
    await client.query('commit')
    const linesSha256 = hash.digest('hex')
    yield endLine(sha256().update(head).digest('hex'), linesSha256)
    onEnd({ takenAt, rows, users: counts['users'] ?? 0, newestChangeAt, linesSha256 })
  } finally {
    await client.end()
  }
}

/**
 * Where a server runs, serving has priority. The embedded database's process for this gets the lowest one; another database is given as much time to
 * rest as it worked, by what is called after each chunk.
 */
async function serveFirst(
  client: pg.Client,
  { isEmbedded, isBeside = false, isAlone = false }: Pick<ExportOptions, 'isEmbedded' | 'isBeside' | 'isAlone'>,
): Promise<() => Promise<void>> {
  if (!isBeside && !(await isServed(client))) return async () => {}
  if (isAlone) os.setPriority(os.constants.priority.PRIORITY_LOW)
  if (isEmbedded) {
    await lowerPriority(client)
    return async () => {}
  }
  let workedSince = performance.now()
  return async () => {
    await sleep(Math.min(MOST_REST_MS, performance.now() - workedSince))
    workedSince = performance.now()
  }
}

function refuseOthers(migrations: string[], known: string[]): void {
  if (migrations.length === 0) throw new Error('The database holds no installation: no server was ever started on it.')
  const [newer] = compareMigrations(migrations, known).newer
  if (newer !== undefined)
    throw new Error(`The database belongs to a newer version of Causeway: it has ${newer}. Export it with that version.`)
}

/** The key that wraps the secrets of the database, as base64. @throws Error when the master key is another one */
async function readInstallationKey(client: pg.Client, masterKey: Buffer): Promise<string> {
  const { fingerprint, wrapped } = await readKeys(client)
  if (fingerprint && !fingerprint.equals(fingerprintOf(masterKey))) throw new Error(OTHER_KEY)
  return openInstallationKey(masterKey, wrapped).toString('base64')
}

async function describe(client: pg.ClientBase, tables: readonly Table[]) {
  const numbers: Record<string, number> = {}
  const counts: Record<string, number> = {}
  for (const table of tables) {
    counts[table.name] = await countRows(client, table)
    for (const { name } of table.columns.filter(({ isNumbered }) => isNumbered)) {
      const last = await lastNumber(client, table.name, name)
      if (last !== undefined) numbers[`${table.name}.${name}`] = last
    }
  }
  return { numbers, counts }
}

/** Chunks of some size: what is done with each has its price. */
async function* gathered(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream) {
    waiting.push(chunk)
    bytes += chunk.length
    if (bytes < CHUNK_BYTES) continue
    yield Buffer.concat(waiting, bytes)
    waiting = []
    bytes = 0
  }
  if (bytes > 0) yield Buffer.concat(waiting, bytes)
}

function countLines(chunk: Buffer): number {
  let count = 0
  for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) count++
  return count
}
