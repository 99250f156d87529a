import type pg from 'pg'

// Tables that are filled in one transaction: what slows that down is taken away, and brought back at the end.

/** For the indexes that are built at the end. */
const INDEX_MEMORY = '64MB'

export interface Filled {
  /** No trigger tells of single rows; references and indexes are made once all rows are there. */
  tables: readonly string[]
  /** Their indexes go, too, and even the primary key. */
  withoutKeys: readonly string[]
}

/** Takes away what slows a load down. Gives the statements that bring it back. */
export async function easeTables(client: pg.ClientBase, { tables, withoutKeys }: Filled): Promise<string[]> {
  await client.query(`set local maintenance_work_mem = '${INDEX_MEMORY}'`)
  for (const table of tables) await client.query(`alter table ${quoted(table)} disable trigger user`)
  const [references, keys] = [await listConstraints(client, tables, 'f'), await listConstraints(client, withoutKeys, 'p')]
  for (const { table, name } of [...references, ...keys]) await client.query(`alter table ${table} drop constraint "${name}"`)
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as "name", replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ') as "definition" from pg_index
      where indrelid = any($1::regclass[]) and not exists (select from pg_constraint where conindid = indexrelid)`,
    [[...new Set([...tables, ...withoutKeys])].map(quoted)],
  )
  for (const { name } of indexes) await client.query(`drop index ${name}`)
  const added = [...keys, ...references].map(
    ({ table, name, definition }) => `alter table ${table} add constraint "${name}" ${definition}`,
  )
  return [...indexes.map(({ definition }) => definition), ...added]
}

export async function mendTables(
  client: pg.ClientBase,
  { tables }: Pick<Filled, 'tables'>,
  definitions: readonly string[],
  onStep: (done: number, total: number) => void = () => {},
): Promise<void> {
  for (const [done, definition] of definitions.entries()) {
    onStep(done, definitions.length)
    await client.query(definition)
  }
  for (const table of tables) await client.query(`alter table ${quoted(table)} enable trigger user`)
}

/** Gives a month of usage (YYYY-MM) a partition, as the server's own job does for months to come. */
export async function ensureMonth(client: pg.ClientBase, month: string): Promise<void> {
  const [year = 0, number = 1] = month.split('-').map(Number)
  const next = new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 7)
  await client.query(
    `create table if not exists "userNodeUsage${month.replace('-', '')}" partition of "userNodeUsage"
      for values from ('${month}-01') to ('${next}-01')`,
  )
}

export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

async function listConstraints(client: pg.ClientBase, tables: readonly string[], type: 'f' | 'p') {
  const { rows } = await client.query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as "table", conname as "name", pg_get_constraintdef(oid) as "definition" from pg_constraint
      where conrelid = any($1::regclass[]) and contype = $2`,
    [tables.map(quoted), type],
  )
  return rows
}
