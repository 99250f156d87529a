import { sql, type RawBuilder } from 'kysely'
import { builtOnceFor, written } from '../../db/driver/built-once.ts'
import { audited, auditedThings, OF_PROFILE, type AuditedTable, type AuditedThing } from '../../db/audited.ts'
import type { Tx } from '../../db/driver/connect.ts'
import { keyOf, type Row, type Rows } from '../../db/audited-rows.ts'

/** More rows of one table than this are not kept: a change to all users is recorded by its rule. */
const MAX_ROWS = 50_000
/** The largest profile that can be sent, and some. */
const MAX_BYTES = 24 * 1024 * 1024

/** Things whose rows are recorded with an entry, and what those were before the change. */
export interface Watched {
  thing: AuditedThing
  ids: readonly (number | string)[]
  before: Rows
  /** Where they have been read again already. */
  after?: Rows
}

/** Reads the rows of things before they are changed or deleted. Lock them first against concurrent changes. */
export async function watchRows(tx: Tx, thing: AuditedThing, ids: readonly (number | string)[]): Promise<Watched> {
  return { thing, ids, before: await readRows(tx, thing, ids) }
}

/** Things that this change has made: there was nothing before. */
export function madeRows(thing: AuditedThing, ids: readonly (number | string)[]): Watched {
  return { thing, ids, before: {} }
}

/** The rows of the same things now, including those that now belong to others or to none. */
export async function readAgain(tx: Tx, { thing, ids, before, after }: Watched): Promise<Rows> {
  return after ?? readRows(tx, thing, ids, before)
}

/** Reads them again after the last change, in one go with what else is read then, instead of when they are recorded. */
export async function changedRows(tx: Tx, watched: Watched): Promise<Watched> {
  return { ...watched, after: await readAgain(tx, watched) }
}

/** The query's result for a table: its rows, with the columns kept as text beside them. */
type Found = { [T in AuditedTable]?: { row: Row; texts: Row }[] | 'too many' }

const query = builtOnceFor()

async function readRows(tx: Tx, thing: AuditedThing, ids: readonly (number | string)[], known: Rows = {}): Promise<Rows> {
  const parts = Object.entries(auditedThings[thing]) as [AuditedTable, string][] // keys of that very object
  const scopes = parts.map(([table, column]) => scopeOf(table, column, ids, known[table]))
  const shape = `${thing} ${scopes.map(({ values }) => values.length).join('')}`
  const values = scopes.flatMap((scope) => scope.values)
  const rows = await query<{ found: Found }>(tx, shape, values, () => {
    const selects = parts.map(([table, column], index) => selectOf(table, belongs(table, column, scopes[index]?.values ?? [])))
    return written(tx, sql<{ found: Found }>`select json_build_object(${sql.join(selects)}) as "found"`)
  })
  const found = Object.entries(rows[0]?.found ?? {})
  return Object.fromEntries(
    found.map(([table, list]) => [table, Array.isArray(list) ? list.map(({ row, texts }) => ({ ...row, ...texts })) : list]),
  )
}

function selectOf(table: AuditedTable, condition: RawBuilder<unknown>): RawBuilder<unknown> {
  const few = sql`select ${rowOf(table)} as "row" from ${sql.table(table)} as "t" where ${condition} limit ${sql.lit(MAX_ROWS + 1)}`
  return sql`${sql.lit(table)}, (
    select case when count(*) > ${sql.lit(MAX_ROWS)} or sum(octet_length("row"::text)) > ${sql.lit(MAX_BYTES)}
      then '"too many"'::json else coalesce(json_agg("row"), '[]') end
    from (${few}) as "few"
  )`
}

export function rowOf(table: AuditedTable): RawBuilder<unknown> {
  const { asText = [], only } = audited[table]
  const columns = (names: readonly string[]) => names.flatMap((name) => [sql.lit(name), sql.ref(`t.${name}`)])
  const texts = asText.flatMap((name) => [sql.lit(name), sql`${sql.ref(`t.${name}`)}::text`])
  const row = only ? sql`json_build_object(${sql.join(columns(only))})` : sql`to_json("t")`
  return sql`json_build_object('row', ${row}, 'texts', json_build_object(${sql.join(texts)}))`
}

/** The values that rows of a table are found by: the ids of the thing, and the keys of rows that were known before. */
function scopeOf(table: AuditedTable, column: string, ids: readonly (number | string)[], known: Rows[AuditedTable]) {
  const [, ...more] = audited[table].key
  if (!Array.isArray(known) || known.length === 0 || more.length > 0 || column === 'uuid') return { values: [ids] }
  return { values: [ids, known.map((row) => keyOf(table, row))] }
}

function belongs(table: AuditedTable, column: string, [ids, known]: readonly unknown[]): RawBuilder<unknown> {
  const list = /uuid$/i.test(column) ? sql`${ids}::uuid[]` : sql`${ids}::bigint[]`
  const inScope =
    column === OF_PROFILE
      ? sql`"t"."inboundId" in (select "id" from "configProfileInbounds" where "profileId" = any(${list}))`
      : sql`${sql.ref(`t.${column}`)} = any(${list})`
  if (known === undefined) return inScope
  const [key = ''] = audited[table].key
  const type = key === 'uuid' ? sql`uuid[]` : sql`bigint[]`
  return sql`(${inScope} or ${sql.ref(`t.${key}`)} = any(${known}::${type}))`
}
