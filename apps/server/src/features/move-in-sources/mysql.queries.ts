import type { SourceRow } from '@causeway/import'
import { createConnection, type Connection, type RowDataPacket } from 'mysql2/promise'

// Reads of another installation's MySQL or MariaDB: one snapshot, in which nothing can be written.

const CONNECT_LIMIT_MS = 15_000

export function openMysql({ hostname, port, username, password, pathname }: URL): Promise<Connection> {
  return createConnection({
    host: hostname.replaceAll(/[[\]]/g, ''),
    port: Number(port || 3306),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: decodeURIComponent(pathname.slice(1)),
    charset: 'utf8mb4',
    connectTimeout: CONNECT_LIMIT_MS,
    // Numbers beyond 2^53 and instants without a zone stay as they are written.
    typeCast: (field) => field.string('utf8'),
  })
}

export async function beginMysqlSnapshot(connection: Connection): Promise<void> {
  await connection.query('set session transaction isolation level repeatable read')
  await connection.query('start transaction with consistent snapshot, read only')
}

/** Columns by table. */
export async function listMysqlColumns(connection: Connection): Promise<Map<string, string[]>> {
  const rows = await read(
    connection,
    `select c.table_name as \`table\`, c.column_name as \`column\`
      from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
      where c.table_schema = database() and t.table_type = 'BASE TABLE' order by c.table_name, c.ordinal_position`,
  )
  const found = Map.groupBy(rows, (row) => row['table'] ?? '')
  return new Map(Array.from(found, ([table, columns]) => [table, columns.map((row) => row['column'] ?? '')]))
}

/** Whole, the oldest first where rows are numbered. */
export function listMysqlRows(connection: Connection, table: string): Promise<SourceRow[]> {
  return read(connection, `select * from ${quoted(table)} order by 1`)
}

export async function countMysqlRows(connection: Connection, table: string): Promise<number> {
  const [row] = await read(connection, `select count(*) as \`count\` from ${quoted(table)}`)
  return Number(row?.['count'] ?? 0)
}

async function read(connection: Connection, statement: string): Promise<SourceRow[]> {
  const [rows] = await connection.query<(SourceRow & RowDataPacket)[]>(statement)
  // PostgreSQL has no texts with a zero byte.
  return rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([column, value]) => [column, value?.replaceAll('\0', '') ?? null])),
  )
}

function quoted(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``
}
