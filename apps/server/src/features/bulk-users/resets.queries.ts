import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'

export async function countUsersOfStrategy(db: Db, strategy: string): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as "total" from "users" where "trafficLimitStrategy" = ${strategy}
  `.execute(db)
  return rows[0]?.total ?? 0
}

/** Whether there has been a reset of this strategy. */
export async function hasReset(db: Db, strategy: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from "jobs" where "kind" = 'resetByStrategy' and "payload"->>'strategy' = ${strategy} limit 1
  `.execute(db)
  return rows.length > 0
}
