import type { Readable } from 'node:stream'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'

// Reads of another installation's database: one snapshot, in which nothing can be written.

export async function beginSnapshot(client: pg.ClientBase): Promise<void> {
  await client.query('begin isolation level repeatable read read only')
}

export async function listColumns(client: pg.ClientBase): Promise<Map<string, string[]>> {
  const { rows } = await client.query<{ table: string; columns: string[] }>(
    `select c."table_name"::text as "table", array_agg(c."column_name"::text order by c."ordinal_position") as "columns"
      from information_schema.columns c join information_schema.tables t using ("table_schema", "table_name")
      where c."table_schema" = 'public' and t."table_type" = 'BASE TABLE' group by 1`,
  )
  return new Map(rows.map(({ table, columns }) => [table, columns]))
}

/** How many rows a table has, or how many of them have something in a column. */
export async function countRows(client: pg.ClientBase, table: string, column?: string): Promise<number> {
  const { rows } = await client.query<{ count: string }>(
    `select count(${column === undefined ? '*' : quoted(column)}) as "count" from ${quoted(table)}`,
  )
  return Number(rows[0]?.count ?? 0)
}

/** The rows of a table in the text form of COPY. */
export function copyTable(client: pg.ClientBase, table: string, columns: readonly string[]): Readable {
  return client.query(copyTo(`copy (select ${columns.map(quoted).join(', ')} from ${quoted(table)}) to stdout`))
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** A way to end what a connection is asked, over another one: a statement in a lock or a long sort does not listen to its own. */
export async function cancellable(client: pg.ClientBase, url: string): Promise<{ cancel: () => void }> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as "pid"')
  const cancel = async () => {
    const other = new pg.Client({ connectionString: url })
    try {
      await other.connect()
      await other.query('select pg_cancel_backend($1)', [rows[0]?.pid])
    } finally {
      await other.end()
    }
  }
  // Where it cannot be ended so, it ends with the next rows.
  return { cancel: () => void cancel().catch(() => {}) }
}
