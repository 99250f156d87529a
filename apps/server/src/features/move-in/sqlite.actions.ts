import { existsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { Findings, type Finding, type Line, type SourceRow } from '@causeway/import'
import { openSqlite, type SqliteSource } from './sqlite.queries.ts'

/** Lines given to the loader at a time. */
const BATCH = 5000

/** Those of the tables that there are, whole. */
export function readTables(
  source: SqliteSource,
  schema: ReadonlyMap<string, unknown>,
  wanted: readonly string[],
): Map<string, SourceRow[]> {
  return new Map(wanted.filter((table) => schema.has(table)).map((table) => [table, source.rows(table)]))
}

/** Tables that have no place here, with how many rows they have. */
export function countLeft(source: SqliteSource, tables: readonly string[]): Finding[] {
  const findings = new Findings()
  for (const table of tables) {
    const count = source.count(table)
    if (count > 0) findings.note('notCarried', `the table ${table} with ${count} rows`, count)
  }
  return findings.list()
}

export async function* batches(lines: readonly Line[]): AsyncIterable<readonly Line[]> {
  for (let at = 0; at < lines.length; at += BATCH) yield lines.slice(at, at + BATCH)
}

const HEAD = 'SQLite format 3\0'

/** @throws Error with a sentence when it is no SQLite file */
export async function openSqliteFile(file: string): Promise<SqliteSource> {
  if (/^(mysql|mariadb|postgres(ql)?):/.test(file))
    throw new Error('This panel is imported from its SQLite file. Convert its database into one first. Nothing was changed.')
  if (!existsSync(file)) throw new Error(`There is no file ${file}. Give the SQLite file of the panel. Nothing was changed.`)
  if (!(await beginsWith(file, HEAD))) throw new Error(`${file} is no SQLite file. Nothing was changed.`)
  return openSqlite(file)
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
