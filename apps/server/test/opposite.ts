import { sql } from 'kysely'
import { z } from 'zod'
import { audited, type AuditedTable } from '../src/db/audited.ts'
import type { Tx } from '../src/db/driver/connect.ts'
import type { KeptRows, Row } from '../src/db/audited-rows.ts'
import { keyOf } from '../src/db/audited-rows.ts'
import type { SecretStore } from '../src/ground/secret-store.ts'

interface Entry {
  before: unknown
  after: unknown
}

/** The change that takes an entry back: from the rows after to the rows before. */
export function oppositeOf(secrets: SecretStore, { before, after }: Entry) {
  return { from: unwrapped(secrets, after), to: unwrapped(secrets, before) }
}

/** Makes rows what they shall be: deletes those that go, adds those that come, changes those that stay. */
export async function applyRows(tx: Tx, { from, to }: { from: KeptRows; to: KeptRows }): Promise<void> {
  const tables = Object.keys(audited) as AuditedTable[] // parents first; the type of keys() does not tell
  for (const table of tables.toReversed()) {
    const staying = new Set((to[table] ?? []).map((row) => keyOf(table, row)))
    for (const row of from[table] ?? []) {
      if (!staying.has(keyOf(table, row))) await sql`delete from ${sql.table(table)} where ${isRow(table, row)}`.execute(tx)
    }
  }
  for (const table of tables) {
    const known = new Set((from[table] ?? []).map((row) => keyOf(table, row)))
    for (const row of to[table] ?? []) await (known.has(keyOf(table, row)) ? changeRow : addRow)(tx, table, row)
  }
}

async function addRow(tx: Tx, table: AuditedTable, row: Row): Promise<void> {
  const names = sql.join(Object.keys(row).map((name) => sql.ref(name)))
  const values = sql.join(Object.values(row).map(asParameter))
  await sql`insert into ${sql.table(table)} (${names}) overriding system value values (${values})`.execute(tx)
}

async function changeRow(tx: Tx, table: AuditedTable, row: Row): Promise<void> {
  const changes = Object.entries(row).filter(([name]) => !audited[table].key.includes(name))
  const set = sql.join(changes.map(([name, value]) => sql`${sql.ref(name)} = ${asParameter(value)}`))
  await sql`update ${sql.table(table)} set ${set} where ${isRow(table, row)}`.execute(tx)
}

function isRow(table: AuditedTable, row: Row) {
  return sql.join(
    audited[table].key.map((name) => sql`${sql.ref(name)} = ${row[name]}`),
    sql` and `,
  )
}

/** JSON columns take text. */
function asParameter(value: Row[string]) {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}

function unwrapped(secrets: SecretStore, rows: unknown): KeptRows {
  const tables = Object.entries((rows ?? {}) as Record<AuditedTable, Row[]>) // what audit rows hold
  return Object.fromEntries(
    tables.map(([table, list]) => [
      table,
      list.map((row) =>
        Object.fromEntries(
          Object.entries(row).map(([name, value]) => {
            const isWrapped = typeof value === 'object' && value !== null && 'wrapped' in value
            return [name, isWrapped ? secrets.unwrap(`audit ${table}.${name}`, z.string().parse(value['wrapped'])) : value]
          }),
        ),
      ),
    ]),
  )
}
