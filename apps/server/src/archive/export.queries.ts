import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { Readable } from 'node:stream'
import { FINGERPRINT, INSTALLATION_KEY } from '../lib/keys/master-key.ts'
import { quoted } from './bulk-load.queries.ts'
import { carriedRows, type Table } from './tables.queries.ts'

/** Everything is read as it is at this moment. */
export async function beginSnapshot(client: pg.ClientBase): Promise<Date> {
  await client.query('begin transaction isolation level repeatable read, read only')
  await client.query(`set local timezone = 'UTC'; set local bytea_output = 'hex'; set local extra_float_digits = 1`)
  await client.query(`set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0`)
  const { rows } = await client.query<{ at: Date }>('select now() as "at"')
  return rows[0]?.at ?? new Date(0)
}

/** The process that works for this connection. From here on it has no others to help it: they would have the usual priority. */
export async function backendAlone(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ pid: number }>(
    `select pg_backend_pid() as "pid", set_config('max_parallel_workers_per_gather', '0', false)`,
  )
  return rows[0]?.pid ?? 0
}

/** The database's record of its master key. */
export async function readKeys(client: pg.ClientBase): Promise<{ fingerprint?: Buffer; wrapped?: Buffer }> {
  const { rows } = await client.query<{ name: string; wrapped: Buffer }>(
    'select "name", "wrapped" from "secrets" where "name" = any($1)',
    [[FINGERPRINT, INSTALLATION_KEY]],
  )
  const of = (name: string) => rows.find((row) => row.name === name)?.wrapped
  const [fingerprint, wrapped] = [of(FINGERPRINT), of(INSTALLATION_KEY)]
  return { ...(fingerprint && { fingerprint }), ...(wrapped && { wrapped }) }
}

/** Whether a server has worked on the database within a minute. */
export async function isServed(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query(`select from "serverProcesses" where "seenAt" > now() - interval '1 minute' limit 1`)
  return rows.length > 0
}

export async function readNewestChange(client: pg.ClientBase): Promise<Date | null> {
  const { rows } = await client.query<{ at: Date | null }>('select max("at") as "at" from "auditLog"')
  return rows[0]?.at ?? null
}

export async function countRows(client: pg.ClientBase, table: Table): Promise<number> {
  const { rows } = await client.query<{ count: string }>(
    `select count(*) as "count" from ${quoted(table.name)} ${carriedRows(table.name)}`,
  )
  return Number(rows[0]?.count)
}

/** The number that a sequence has given out last; undefined before the first. */
export async function lastNumber(client: pg.ClientBase, table: string, column: string): Promise<number | undefined> {
  const { rows } = await client.query<{ sequence: string }>(`select pg_get_serial_sequence($1, $2) as "sequence"`, [
    quoted(table),
    column,
  ])
  const { rows: found } = await client.query<{ last: string; isCalled: boolean }>(
    `select last_value as "last", is_called as "isCalled" from ${rows[0]?.sequence}`,
  )
  return found[0]?.isCalled ? Number(found[0].last) : undefined
}

/** JSON has no control characters, so that as CSV with such for quote and delimiter each line is sent as it is. */
const AS_IT_IS = `with (format csv, quote e'\\x01', delimiter e'\\x02')`

/** Rows as lines, in the order of their key. */
export function readRows(client: pg.ClientBase, { name, columns, key }: Table, beginning: string): Readable {
  // Texts of json are kept as they are: order, digits and spaces may matter.
  const selected = columns.map((column) => (column.type === 'json' ? `${quoted(column.name)}::text` : quoted(column.name)))
  const order = key.length === 0 ? '' : `order by ${key.map(quoted).join(', ')}`
  const rows = `select ${selected.join(', ')} from ${quoted(name)} ${carriedRows(name)} ${order}`
  return client.query(
    copyTo(
      `copy (select '${beginning.replaceAll("'", "''")}' || row_to_json("row") || '}' from (${rows}) "row") to stdout ${AS_IT_IS}`,
      {
        highWaterMark: READ_BYTES,
      },
    ),
  )
}

const READ_BYTES = 2 ** 18
