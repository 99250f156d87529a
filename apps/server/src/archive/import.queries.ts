import type pg from 'pg'
import { quoted } from './bulk-load.queries.ts'
import type { Column, Table } from './tables.queries.ts'

/** Opens the transaction of an import, and holds off the start of another server that would fill the installation. */
export async function beginImport(client: pg.ClientBase): Promise<void> {
  await client.query('begin')
  await client.query(`select pg_advisory_xact_lock(hashtext('first start'))`)
  await client.query(`set local timezone = 'UTC'; set local causeway.quiet = 'on'; set constraints all immediate`)
  await client.query(`set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0`)
}

/** Removes the tables and routines of these names. */
export async function dropOwn(
  client: pg.ClientBase,
  { tables, routines }: { tables: ReadonlySet<string>; routines: ReadonlySet<string> },
): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(
    `select format('drop table if exists %s cascade', oid::regclass) as "statement" from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and relname = any($1)
    union all
    select format('drop routine if exists %s cascade', oid::regprocedure) from pg_proc
      where pronamespace = 'public'::regnamespace and proname = any($2)
        and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')`,
    [[...tables], [...routines]],
  )
  for (const { statement } of rows) await client.query(statement)
}

export async function emptyTables(client: pg.ClientBase, tables: readonly string[]): Promise<void> {
  if (tables.length > 0) await client.query(`truncate ${tables.map(quoted).join(', ')} cascade`)
}

const JSON_BEGINS = Buffer.from('[')
const JSON_COMMA = Buffer.from(',')
const JSON_ENDS = Buffer.from(']')

/** Writes rows, each the text of a JSON object by the names of the columns. */
export async function insertRows(
  client: pg.ClientBase,
  { name, columns }: Pick<Table, 'name' | 'columns'>,
  rows: readonly Buffer[],
): Promise<void> {
  const names = columns.map((column) => quoted(column.name)).join(', ')
  const typed = columns.map((column) => `${quoted(column.name)} ${isText(column) ? 'text' : column.type}`).join(', ')
  const values = columns.map((column) => (isText(column) ? `${quoted(column.name)}::json` : quoted(column.name))).join(', ')
  const parts: Buffer[] = []
  for (const row of rows) parts.push(parts.length === 0 ? JSON_BEGINS : JSON_COMMA, row)
  // A buffer is sent in the binary form, which of json is its text.
  await client.query({
    name: `import ${name}`,
    text: `insert into ${quoted(name)} (${names}) overriding system value select ${values} from json_to_recordset($1::json) as "row" (${typed})`,
    values: [Buffer.concat([...parts, JSON_ENDS])],
  })
}

/** Kept in an archive as it was written. */
const isText = ({ type }: Column) => type === 'json'

export async function setNumber(client: pg.ClientBase, table: string, column: string, last: number): Promise<void> {
  await client.query('select setval(pg_get_serial_sequence($1, $2), $3)', [quoted(table), column, last])
}

export async function writeSecrets(client: pg.ClientBase, secrets: readonly { name: string; wrapped: Buffer }[]): Promise<void> {
  for (const { name, wrapped } of secrets)
    await client.query('insert into "secrets" ("name", "wrapped") values ($1, $2)', [name, wrapped])
}
