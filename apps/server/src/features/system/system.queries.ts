import { sql, type Insertable } from 'kysely'
import type { UserStatus } from '@causeway/contract'
import { builtOnce } from '../../db/driver/built-once.ts'
import type { Db } from '../../db/driver/connect.ts'
import type { Tables } from '../../db/tables.ts'
import { onlineSince } from '../../ground/online.queries.ts'
import { isVisible } from '../../ground/scope/scope.queries.ts'
import { DAY_MS } from '../../lib/days.ts'
import type { ResellerScope } from '../../lib/scope.ts'
import { toUserCounts } from './system.rules.ts'

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

/** Users of a scope by status, and by when they were last online. */
export async function countUsersOf(db: Db, scope: ResellerScope, now: Date) {
  const since = (ms: number) => new Date(now.getTime() - ms)
  const { rows } = await sql<Record<UserStatus, number> & Record<'onlineNow' | 'lastDay' | 'lastWeek' | 'neverOnline', number>>`
    select count(*) filter (where u."status" = 'ACTIVE') as "ACTIVE", count(*) filter (where u."status" = 'DISABLED') as "DISABLED",
      count(*) filter (where u."status" = 'LIMITED') as "LIMITED", count(*) filter (where u."status" = 'EXPIRED') as "EXPIRED",
      count(*) filter (where usage."onlineAt" > ${onlineSince(now)}) as "onlineNow",
      count(*) filter (where usage."onlineAt" > ${since(DAY_MS)}) as "lastDay",
      count(*) filter (where usage."onlineAt" > ${since(7 * DAY_MS)}) as "lastWeek",
      count(*) filter (where usage."onlineAt" is null) as "neverOnline"
    from "users" u join "userUsage" usage on usage."userId" = u."id" where ${isVisible(scope, sql`u."id"`)}
  `.execute(db)
  const { ACTIVE = 0, DISABLED = 0, LIMITED = 0, EXPIRED = 0, ...seen } = rows[0] ?? {}
  return toUserCounts({ ACTIVE, DISABLED, LIMITED, EXPIRED }, { onlineNow: 0, lastDay: 0, lastWeek: 0, neverOnline: 0, ...seen })
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
