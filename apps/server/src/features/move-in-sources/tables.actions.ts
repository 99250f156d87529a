import { existsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { Findings, type Finding, type Line, type SourceRow, type SourceSchema } from '@causeway/import'
import { beginMysqlSnapshot, countMysqlRows, listMysqlColumns, listMysqlRows, openMysql } from './mysql.queries.ts'
import { openSource } from './source.actions.ts'
import { openSqlite } from './sqlite.queries.ts'

// Databases of panels with few users, whose tables are read whole: a SQLite file, or MySQL, MariaDB or PostgreSQL.

/** Lines given to the loader at a time. */
const BATCH = 5000

/** One snapshot, in which nothing can be written. */
export interface TableSource {
  schema(): Promise<SourceSchema>
  rows(table: string): Promise<SourceRow[]>
  count(table: string): Promise<number>
  close(): Promise<void>
}

/** Those of the tables that there are, whole. */
export async function readTables(
  source: TableSource,
  schema: SourceSchema,
  wanted: readonly string[],
): Promise<Map<string, SourceRow[]>> {
  const tables = new Map<string, SourceRow[]>()
  for (const table of wanted) if (schema.has(table)) tables.set(table, await source.rows(table))
  return tables
}

/** Tables that have no place here, with how many rows they have. */
export async function countLeft(source: TableSource, tables: readonly string[]): Promise<Finding[]> {
  const findings = new Findings()
  for (const table of tables) {
    const count = await source.count(table)
    if (count > 0) findings.note('notCarried', `the table ${table} with ${count} rows`, count)
  }
  return findings.list()
}

export async function* batches(lines: readonly Line[]): AsyncIterable<readonly Line[]> {
  for (let at = 0; at < lines.length; at += BATCH) yield lines.slice(at, at + BATCH)
}

/** A file, or an address as these panels write it: also with the name of a driver, such as mysql+pymysql://. */
export function openTables(place: string): Promise<TableSource> {
  const address = place.replace(/^(\w+)\+\w+:/, '$1:')
  if (/^(mysql|mariadb):/.test(address)) return openMysqlTables(address)
  if (/^postgres(ql)?:/.test(address)) return openPostgresTables(address)
  return openSqliteTables(place)
}

async function openMysqlTables(address: string): Promise<TableSource> {
  if (!URL.canParse(address) || new URL(address).pathname.length < 2)
    throw new Error(
      'The address of the database must have the form mysql://user:password@host:3306/database. Nothing was changed.',
    )
  const opening = openMysql(new URL(address)).then(async (connection) => {
    await beginMysqlSnapshot(connection)
    return connection
  })
  const connection = await opening.catch((error: unknown) => {
    throw new Error(`The database of the source cannot be opened: ${reasonOf(error)}. Nothing was changed.`, { cause: error })
  })
  const told = <T>(what: string, reading: Promise<T>) =>
    reading.catch((error: unknown) => {
      throw new Error(`${what} of the source could not be read: ${reasonOf(error)}. Nothing was changed.`, { cause: error })
    })
  return {
    schema: () => told('The tables', listMysqlColumns(connection)),
    rows: (table) => told(`The table ${table}`, listMysqlRows(connection, table)),
    count: (table) => told(`The table ${table}`, countMysqlRows(connection, table)),
    close: async () => connection.destroy(),
  }
}

async function openPostgresTables(address: string): Promise<TableSource> {
  const source = await openSource(address)
  const schema = await source.schema()
  return {
    schema: async () => schema,
    rows: async (table) => {
      const rows: SourceRow[] = []
      for await (const part of source.read(new Map([[table, schema.get(table) ?? []]]))) rows.push(...part.rows)
      // The oldest first, as the rules of translations have it. COPY has no order.
      return rows.toSorted((one, other) => Number(one['id'] ?? 0) - Number(other['id'] ?? 0))
    },
    count: (table) => source.count(table),
    close: () => source.close(),
  }
}

const HEAD = 'SQLite format 3\0'

async function openSqliteTables(file: string): Promise<TableSource> {
  if (!existsSync(file)) throw new Error(`There is no file ${file}. Give the SQLite file of the panel. Nothing was changed.`)
  if (!(await beginsWith(file, HEAD))) throw new Error(`${file} is no SQLite file. Nothing was changed.`)
  const source = openSqlite(file)
  return {
    schema: async () => source.schema(),
    rows: async (table) => source.rows(table),
    count: async (table) => source.count(table),
    close: async () => source.close(),
  }
}

/** Without the password, which the messages of the driver do not hold. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message || ('code' in error ? String(error.code) : error.name) : String(error)
  return text.replace(/\.$/, '')
}

async function beginsWith(file: string, head: string): Promise<boolean> {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(head.length), 0, head.length, 0)
    return buffer.toString('latin1', 0, bytesRead) === head
  } finally {
    await handle.close()
  }
}
