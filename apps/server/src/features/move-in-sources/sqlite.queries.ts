import { DatabaseSync, type SQLOutputValue } from 'node:sqlite'
import type { SourceRow } from '@causeway/import'

// Reads of another installation's SQLite file: one snapshot, in which nothing can be written.

export interface SqliteSource {
  /** Columns by table. */
  schema(): Map<string, string[]>
  rows(table: string): SourceRow[]
  count(table: string): number
  close(): void
}

/** @throws Error with a sentence, also from what it returns, when the file is damaged */
export function openSqlite(file: string): SqliteSource {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    // The first read takes the snapshot; a panel that goes on writing does not change what is read.
    database.exec('begin')
    database.exec('select count(*) from sqlite_schema')
  } catch (error) {
    database.close()
    throw new Error(unreadable(file, error), { cause: error })
  }
  const read = (statement: string, ...values: string[]) => {
    try {
      const prepared = database.prepare(statement)
      // Byte counts beyond 2^53 would make reading fail.
      prepared.setReadBigInts(true)
      return prepared.all(...values)
    } catch (error) {
      throw new Error(unreadable(file, error), { cause: error })
    }
  }
  return {
    schema: () => {
      const tables = read(`select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'`)
      return new Map(
        tables.map(({ name }) => [
          String(name),
          read('select name from pragma_table_info(?)', String(name)).map((column) => String(column['name'])),
        ]),
      )
    },
    rows: (table) => read(`select * from ${quoted(table)} order by rowid`).map(toRow),
    count: (table) => Number(read(`select count(*) as count from ${quoted(table)}`)[0]?.['count'] ?? 0),
    close: () => database.close(),
  }
}

function unreadable(file: string, error: unknown): string {
  return `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}. Nothing was changed.`
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

function toRow(row: Record<string, SQLOutputValue>): SourceRow {
  return Object.fromEntries(Object.entries(row).map(([column, value]) => [column, textOf(value)]))
}

/** PostgreSQL has no texts with a zero byte. */
function textOf(value: SQLOutputValue): string | null {
  if (value === null) return null
  const text = value instanceof Uint8Array ? new TextDecoder().decode(value) : String(value)
  return text.replaceAll('\0', '')
}
