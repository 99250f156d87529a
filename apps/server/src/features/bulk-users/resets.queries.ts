import { sql } from 'kysely'
import type { Db } from '../../db/driver/connect.ts'

export async function countUsersOfStrategy(db: Db, strategy: string): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as "total" from "users" where "trafficLimitStrategy" = ${strategy}
  `.execute(db)
  return rows[0]?.total ?? 0
}

/**
 * The latest period of this strategy whose reset was asked for: the name of its first day, and when that began. Periods that
 * begin after `before` were asked for by a clock that has been set back since, and do not count.
 */
export async function findNewestReset(db: Db, strategy: string, before: Date) {
  const { rows } = await sql<{ day: string | null; since: string }>`
    select "payload"->>'day' as "day", "payload"->>'since' as "since" from "jobs"
    where "kind" = 'resetByStrategy' and "payload"->>'strategy' = ${strategy}
      and ("payload"->>'since')::timestamptz <= ${before}
    order by "payload"->>'day' desc nulls last, "payload"->>'since' desc limit 1
  `.execute(db)
  return rows[0]
}
