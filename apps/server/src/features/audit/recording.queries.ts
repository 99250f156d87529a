import { sql, type RawBuilder } from 'kysely'
import { historyActions, isHistoryAction, type HistoryAction } from '@causeway/contract'
import { audited, type AuditedTable } from '../../db/audited.ts'
import { nameColumns } from '../../db/undo/things.ts'

// The audit row of a statement as part of that statement. Behind `with`, table names stand for the rows being
// written.

/** The actor and the time of a change. */
export type Author = [at: Date, kind: string, uuid: string | null, name: string | null, address: string | null]
/** The same with the secrets of what is made as they are recorded. These are the values of `recording`, in its order. */
export type OwnRecord = [...author: Author, secrets: string]

/**
 * For a statement that makes one row of a table, and of others with it. Secrets of the first are laid over its row, wrapped;
 * where one had been forgotten, it would be left out.
 */
export function recording(
  [at, kind, uuid, name, address, secrets]: OwnRecord,
  action: HistoryAction,
  table: AuditedTable,
  others: readonly AuditedTable[],
): RawBuilder<unknown> {
  const author = writtenBy([at, kind, uuid, name, address], action)
  const secret = sql.lit(`{${(audited[table].secret ?? []).join()}}`)
  const made = rowsOf(table, sql`to_jsonb(made) - ${secret}::text[] || ${secrets}::jsonb`)
  const rows = others.map(
    (other) => sql`coalesce((
      select jsonb_build_object(${sql.lit(other)}, jsonb_agg(to_jsonb(other))) from ${sql.table(other)} as other having count(*) > 0
    ), '{}')`,
  )
  return sql`${INSERT} select ${author}, ${nameIn('made', table)}, made."uuid"::text, '{}', ${sql.join([made, ...rows], sql` || `)} from ${sql.table(table)} as made`
}

/** For a statement that changes these columns of one row, none of them secret; "held" is the row as it was. */
export function recordingChange(
  author: Author,
  action: HistoryAction,
  table: AuditedTable,
  columns: readonly string[],
): RawBuilder<unknown> {
  if (columns.some((name) => audited[table].secret?.includes(name)))
    throw new Error(`A secret of ${table} would be recorded as it is.`)
  const changed = (row: 'held' | 'made') => {
    const each = columns.map((name) => {
      const isSame = sql`held.${sql.ref(name)} is not distinct from made.${sql.ref(name)}`
      return sql`case when ${isSame} then '{}' else jsonb_build_object(${sql.lit(name)}, ${sql.ref(`${row}.${name}`)}) end`
    })
    return sql.join(each, sql` || `)
  }
  const recorded = (side: 'was' | 'became') =>
    sql`case when "was" = '{}' then "was" else ${rowsOf(table, sql`jsonb_build_object('id', "id") || ${sql.ref(side)}`)} end`
  return sql`
    ${INSERT} select ${writtenBy(author, action)}, "name", "uuid"::text, ${recorded('was')}, ${recorded('became')} from (
      select held."uuid", held."id", ${nameIn('made', table)} as "name", ${changed('held')} as "was", ${changed('made')} as "became" from "held", ${sql.table(table)} as made
    ) as both_sides
  `
}

const INSERT = sql`
  insert into "auditLog" ("at", "actorKind", "actorUuid", "actorName", "address", "action", "kind", "name", "target", "before", "after")`

function writtenBy([at, kind, uuid, name, address]: Author, action: HistoryAction): RawBuilder<unknown> {
  return sql`${at}::timestamptz, ${kind}::text, ${uuid}::uuid, ${name}::text, ${address}::text, ${sql.lit(action)}, ${sql.lit(isHistoryAction(action) ? historyActions[action].kind : null)}`
}

function nameIn(row: 'made', table: AuditedTable): RawBuilder<unknown> {
  return sql`${sql.ref(`${row}.${nameColumns[table] ?? 'uuid'}`)}::text`
}

function rowsOf(table: AuditedTable, row: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`jsonb_build_object(${sql.lit(table)}, jsonb_build_array(${row}))`
}
