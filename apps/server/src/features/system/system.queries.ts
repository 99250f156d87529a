import { sql, type Insertable } from 'kysely'
import type { UserStatus } from '@causeway/contract'
import { builtOnce } from '../../db/driver/built-once.ts'
import type { Db } from '../../db/driver/connect.ts'
import type { Tables } from '../../db/tables.ts'

const counts = builtOnce((db) =>
  db.selectNoFrom(
    sql<Partial<Record<UserStatus, number>> | null>`(select json_object_agg("status", "total")
        from (select "status", sum("delta")::bigint as "total" from "userCounts" group by "status") as "sums")`.as('statuses'),
  ),
)

/** Kept counts of users by status. */
export async function countUsersByStatus(db: Db): Promise<Record<UserStatus, number>> {
  const [found] = await counts(db)
  return { ACTIVE: 0, DISABLED: 0, LIMITED: 0, EXPIRED: 0, ...found?.statuses }
}

const SILENT_MS = 30_000

/** Server processes that have been heard of lately, the oldest of each role first. */
export async function listProcesses(db: Db, now: Date) {
  return db
    .selectFrom('serverProcesses')
    .selectAll()
    .where('seenAt', '>', new Date(now.getTime() - SILENT_MS))
    .orderBy('role')
    .orderBy('startedAt')
    .orderBy('id')
    .execute()
}

export async function upsertProcess(db: Db, process: Insertable<Tables['serverProcesses']>): Promise<void> {
  const { seenAt, memoryBytes, cpuPercent } = process
  await db
    .insertInto('serverProcesses')
    .values(process)
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ seenAt, memoryBytes, cpuPercent }))
    .execute()
  // Those that were killed could not take their row away.
  await db
    .deleteFrom('serverProcesses')
    .where('seenAt', '<', sql<Date>`${seenAt}::timestamptz - interval '1 hour'`)
    .execute()
}

export async function deleteProcess(db: Db, id: string): Promise<void> {
  await db.deleteFrom('serverProcesses').where('id', '=', id).execute()
}
