import { createReadStream, existsSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { DumpScanner, LineCutter, readCopyRow, type SourceRow, type SourceSchema } from '@causeway/import'
import pg from 'pg'
import { beginSnapshot, cancellable, copyTable, countRows, listColumns } from './source.queries.ts'

/** A source of an import: tables whose rows are read as a stream, as often as need be. */
export interface Source {
  schema(): Promise<SourceSchema>
  /** Rows of a table, or how many of them have something in a column. */
  count(table: string, column?: string): Promise<number>
  /** Tables come in the source's own order. */
  read(columns: ReadonlyMap<string, readonly string[]>): AsyncIterable<SourceRows>
  close(): Promise<void>
}

export interface SourceRows {
  table: string
  rows: SourceRow[]
}

/**
 * `signal` ends what is read of it.
 * @throws Error with a sentence when it is neither a file nor an address, or cannot be read
 */
export async function openSource(place: string, signal?: AbortSignal): Promise<Source> {
  if (/^postgres(ql)?:/.test(place)) return openDatabase(place, signal)
  // Not said again in full: it may hold a password.
  const scheme = /^([a-z][a-z0-9+]*):\/\//i.exec(place)?.[1]
  if (scheme) throw new Error(`The source is no database of ${scheme}. Give a dump (.sql or .sql.gz) or an address postgres://…`)
  if (!existsSync(place)) throw new Error(`There is no file ${place}. Give a dump (.sql or .sql.gz) or an address postgres://…`)
  return openDump(place, signal)
}

// A running database ----------------------------------------------------------------------------------------------------

const CONNECT_LIMIT_MS = 15_000

async function openDatabase(url: string, signal: AbortSignal | undefined): Promise<Source> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
    options: '-c client_encoding=UTF8 -c timezone=UTC -c datestyle=ISO -c statement_timeout=0',
    application_name: 'causeway import',
  })
  client.on('error', () => {}) // told by the query that it breaks
  try {
    await client.connect()
    const { cancel } = await cancellable(client, url)
    signal?.addEventListener('abort', cancel)
    await beginSnapshot(client)
  } catch (error) {
    await client.end().catch(() => {}) // it never was connected
    throw new Error(`The database of the source cannot be opened: ${reasonOf(error)}.`, { cause: error })
  }
  return {
    schema: () => listColumns(client),
    count: (table, column) => countRows(client, table, column),
    read: (columns) => readTables(client, columns),
    close: () => client.end(),
  }
}

async function* readTables(client: pg.Client, tables: ReadonlyMap<string, readonly string[]>): AsyncIterable<SourceRows> {
  for (const [table, columns] of tables) {
    const cutter = new LineCutter()
    try {
      for await (const text of decoded(copyTable(client, table, columns), `table ${table}`))
        yield { table, rows: cutter.cut(text).map((line) => readCopyRow(line, columns)) }
    } catch (error) {
      throw new Error(`The table ${table} of the source could not be read to its end: ${reasonOf(error)}.`, { cause: error })
    }
  }
}

// A dump ----------------------------------------------------------------------------------------------------------------

/** Scanned once for what is in it, so that a dump that is cut off is refused before anything is written. */
async function openDump(file: string, signal: AbortSignal | undefined): Promise<Source> {
  const schema = new Map<string, readonly string[]>()
  const counts = new Map<string, number>()
  for await (const { table, columns, lines } of scanDump(file, signal)) {
    schema.set(table, columns)
    counts.set(table, (counts.get(table) ?? 0) + lines.length)
  }
  return {
    schema: async () => schema,
    count: async (table, column) => (column === undefined ? (counts.get(table) ?? 0) : countFilled(file, table, column)),
    read: (columns) => readDump(file, columns, signal),
    close: async () => {},
  }
}

async function countFilled(file: string, table: string, column: string): Promise<number> {
  let count = 0
  for await (const { rows } of readDump(file, new Map([[table, [column]]])))
    count += rows.filter((row) => row[column] !== null).length
  return count
}

async function* readDump(
  file: string,
  wanted: ReadonlyMap<string, readonly string[]>,
  signal?: AbortSignal,
): AsyncIterable<SourceRows> {
  for await (const { table, columns, lines } of scanDump(file, signal))
    if (wanted.has(table) && lines.length > 0) yield { table, rows: lines.map((line) => readRow(file, table, line, columns)) }
}

function readRow(file: string, table: string, line: string, columns: readonly string[]): SourceRow {
  try {
    return readCopyRow(line, columns)
  } catch (error) {
    throw new Error(`${file}, table ${table}: ${reasonOf(error)}.`, { cause: error })
  }
}

const GZIP = Buffer.from([0x1f, 0x8b])
const HEAD_BYTES = 16
/** What other files begin with, and what to do. */
const OTHER_FILES: [begins: Buffer, sentence: string][] = [
  [Buffer.from('PGDMP'), 'it is in the custom form of pg_dump. Make a plain one: pg_restore --file=dump.sql <this file>.'],
  [Buffer.from('SQLite format 3\0'), 'it is an SQLite database, as other panels have. Choose the panel it comes from.'],
  [Buffer.from('PK\x03\x04'), 'it is a ZIP archive. Unpack it and give the dump inside.'],
  [Buffer.from([0xff, 0xfe]), 'it is written in UTF-16. Make one with pg_dump --file, not by > of PowerShell.'],
  [Buffer.from([0xfe, 0xff]), 'it is written in UTF-16. Make one with pg_dump --file, not by > of PowerShell.'],
]

async function* scanDump(file: string, signal?: AbortSignal) {
  try {
    const found = statSync(file)
    if (found.isDirectory()) throw new Error('it is a folder. Give the file inside.')
    if (found.size === 0) throw new Error('it is empty.')
    const head = await readHead(file)
    const other = OTHER_FILES.find(([begins]) => head.subarray(0, begins.length).equals(begins))
    if (other) throw new Error(other[1])
    const scanner = new DumpScanner()
    const raw = createReadStream(file, { highWaterMark: 1 << 18, ...(signal ? { signal } : {}) })
    const stream = head.subarray(0, GZIP.length).equals(GZIP) ? raw.pipe(createGunzip()) : raw
    raw.on('error', (error) => stream.destroy(error))
    for await (const text of decoded(stream, 'file')) yield* scanner.scan(text)
    scanner.finish()
  } catch (error) {
    throw new Error(`The dump ${file} cannot be read: ${reasonOf(error)}.`, { cause: error })
  }
}

async function readHead(file: string): Promise<Buffer> {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

/** @throws Error that names the place of bytes that are no UTF-8 */
async function* decoded(stream: Readable, what: string): AsyncIterable<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let bytes = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    try {
      yield decoder.decode(chunk, { stream: true })
    } catch (error) {
      throw new Error(`the ${what} is not UTF-8 between its bytes ${bytes} and ${bytes + chunk.length}.`, { cause: error })
    }
    bytes += chunk.length
  }
}

/** Without an address or a password, which the messages of the driver do not hold. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message || ('code' in error ? String(error.code) : error.name) : String(error)
  return text.replace(/\.$/, '')
}
