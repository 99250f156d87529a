import { sql, type Insertable } from 'kysely'
import { ONLINE_MS, type UserStatus } from '@causeway/contract'
import { builtOnce } from '../../db/driver/built-once.ts'
import type { Db } from '../../db/driver/connect.ts'
import type { Tables } from '../../db/tables.ts'
import { DAY_MS } from '../../lib/days.ts'
import { refreshed } from '../../lib/recent.ts'

/** All polls, tabs and scrapes of a process share one count within this time. */
const ONLINE_LIFETIME_MS = 5000

export interface OnlineStats {
  onlineNow: number
  lastDay: number
  lastWeek: number
  neverOnline: number
  totalTrafficBytes: number
}

/** Users online by time, and the lifetime usage of all users, by one scan. */
async function countOnline(db: Db, now: Date): Promise<OnlineStats> {
  const since = (ms: number) => new Date(now.getTime() - ms)
  const { rows } = await sql<OnlineStats>`
    select
      count(*) filter (where "onlineAt" > ${since(ONLINE_MS)}) as "onlineNow",
      count(*) filter (where "onlineAt" > ${since(DAY_MS)}) as "lastDay",
      count(*) filter (where "onlineAt" > ${since(7 * DAY_MS)}) as "lastWeek",
      count(*) filter (where "onlineAt" is null) as "neverOnline",
      coalesce(sum("lifetimeUsedTrafficBytes"), 0)::bigint as "totalTrafficBytes"
    from "userUsage"
  `.execute(db)
  return rows[0] ?? { onlineNow: 0, lastDay: 0, lastWeek: 0, neverOnline: 0, totalTrafficBytes: 0 }
}

/** Counting reads every user, so a process keeps one count for everything that shows it. */
export function shareOnlineCount(db: Db, now: () => Date): () => Promise<OnlineStats> {
  return refreshed(ONLINE_LIFETIME_MS, () => countOnline(db, now()))
}

const counts = builtOnce((db) =>
  db
    .selectFrom('nodeStates')
    .where('isConnected', '=', sql.lit(true))
    .select(sql<number>`coalesce(sum("usersOnline"), 0)::bigint`.as('onNodes'))
    .select(
      sql<Partial<Record<UserStatus, number>> | null>`(select json_object_agg("status", "total")
        from (select "status", sum("delta")::bigint as "total" from "userCounts" group by "status") as "sums")`.as('statuses'),
    ),
)

/** Kept counts of users by status, and users online on connected nodes; a user on two nodes counts on both. */
export async function countUsersNow(db: Db): Promise<{ statusCounts: Record<UserStatus, number>; totalOnline: number }> {
  const [found] = await counts(db)
  return {
    statusCounts: { ACTIVE: 0, DISABLED: 0, LIMITED: 0, EXPIRED: 0, ...found?.statuses },
    totalOnline: found?.onNodes ?? 0,
  }
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
