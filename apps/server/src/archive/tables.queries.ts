import type pg from 'pg'
import { LEFT_OUT_SECRETS, leftOutColumns, leftOutTables } from './left-out.rules.ts'

// Reads the layout of the database from its catalogue. Nothing of it is written down elsewhere, so that no table and column is forgotten.

export interface Column {
  name: string
  /** As PostgreSQL writes it, such as "timestamp(3) with time zone". */
  type: string
  /** Whose last number was given out by a sequence. */
  isNumbered: boolean
}
export interface Table {
  name: string
  columns: Column[]
  /** The columns that order its rows. */
  key: string[]
}

/** Migrations that this database has. */
export async function listMigrations(client: pg.ClientBase): Promise<string[]> {
  const { rows: tables } = await client.query<{ isThere: boolean }>(
    `select to_regclass('kysely_migration') is not null as "isThere"`,
  )
  if (!tables[0]?.isThere) return []
  const { rows } = await client.query<{ name: string }>('select "name" from kysely_migration order by "name"')
  return rows.map(({ name }) => name)
}

/** The tables of these names, partitioned ones as one, each after those that it refers to. */
export async function listTables(client: pg.ClientBase, names: ReadonlySet<string>): Promise<Table[]> {
  const { rows } = await client.query<Table & { refersTo: string[] }>(
    `
    select relname as "name",
      (select json_agg(json_build_object('name', attname, 'type', format_type(atttypid, atttypmod), 'isNumbered', attidentity <> '')
          order by attnum)
        from pg_attribute where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = '') as "columns",
      coalesce((select json_agg(attname order by place) from pg_constraint
        cross join unnest(conkey) with ordinality as k (number, place)
        join pg_attribute on attrelid = conrelid and attnum = k.number
        where conrelid = pg_class.oid and contype = 'p'), '[]') as "key",
      coalesce((select json_agg(distinct target.relname) from pg_constraint join pg_class target on target.oid = confrelid
        where conrelid = pg_class.oid and contype = 'f' and confrelid <> conrelid), '[]') as "refersTo"
    from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      and relname = any($1)
    order by relname`,
    [[...names]],
  )
  const sorted: Table[] = []
  const left = new Map(rows.map((table) => [table.name, table]))
  while (left.size > 0) {
    const ready = [...left.values()].filter(({ refersTo }) => !refersTo.some((other) => left.has(other)))
    if (ready.length === 0) throw new Error(`The tables ${[...left.keys()].join(', ')} refer to each other in a circle.`)
    for (const { name, columns, key } of ready) {
      sorted.push({ name, columns, key })
      left.delete(name)
    }
  }
  return sorted
}

/** The part of the tables that an archive carries. */
export function carried(tables: readonly Table[]): Table[] {
  return tables
    .filter(({ name }) => !(name in leftOutTables))
    .map((table) => ({ ...table, columns: table.columns.filter(({ name }) => !(name in (leftOutColumns[table.name] ?? {}))) }))
}

/** Months (YYYY-MM) of usage that have a partition. */
export async function listMonths(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ month: string }>(`
    select substr(child.relname, 14, 4) || '-' || substr(child.relname, 18, 2) as "month" from pg_inherits
      join pg_class child on child.oid = inhrelid join pg_class parent on parent.oid = inhparent
      where parent.relname = 'userNodeUsage' and child.relname ~ '^userNodeUsage\\d{6}$' order by 1`)
  return rows.map(({ month }) => month)
}

/** The condition for rows that an archive carries. */
export function carriedRows(table: string): string {
  return table === 'secrets' ? `where "name" not in (${LEFT_OUT_SECRETS.map((name) => `'${name}'`).join(', ')})` : ''
}
