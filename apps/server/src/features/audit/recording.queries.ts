import { sql, type RawBuilder } from 'kysely'
import { audited, type AuditedTable } from '../../db/audited.ts'

/** Who makes a row, and when, and the secrets in it as they are recorded: the values of `recording`, in its order. */
export type OwnRecord = [
  at: Date,
  actorKind: string,
  actorUuid: string | null,
  actorName: string | null,
  address: string | null,
  secrets: string,
]

/**
 * The audit row of a statement that makes one row of a table, and of others with it, as part of that statement: behind `with`
 * the names of tables stand for the rows that are being made. Secrets of the first table are laid over its row, wrapped;
 * where a secret had been forgotten, it would be left out.
 */
export function recording(
  [at, actorKind, actorUuid, actorName, address, secrets]: OwnRecord,
  action: string,
  table: AuditedTable,
  others: readonly AuditedTable[],
): RawBuilder<unknown> {
  const secret = sql.lit(`{${(audited[table].secret ?? []).join()}}`)
  const first = sql`jsonb_build_object(${sql.lit(table)}, jsonb_build_array(to_jsonb(made) - ${secret}::text[] || `
  const rows = others.map(
    (other) => sql`coalesce((
      select jsonb_build_object(${sql.lit(other)}, jsonb_agg(to_jsonb(other))) from ${sql.table(other)} as other having count(*) > 0
    ), '{}')`,
  )
  return sql`
    insert into "auditLog" ("at", "actorKind", "actorUuid", "actorName", "address", "action", "target", "before", "after")
    select ${at}::timestamptz, ${actorKind}::text, ${actorUuid}::uuid, ${actorName}::text, ${address}::text, ${sql.lit(action)},
      made."uuid"::text, '{}', ${sql.join([sql`${first}${secrets}::jsonb))`, ...rows], sql` || `)}
    from ${sql.table(table)} as made
  `
}
