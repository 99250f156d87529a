import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'

/** Bytes per node and step, in the administrator's order of nodes. `place` counts from 0; an hour belongs to the step it begins in. */
export async function listTraffic(db: Db, starts: readonly Date[]) {
  const { rows } = await sql<{ uuid: string; name: string; countryCode: string; place: number; bytes: number }>`
    select n."uuid", n."name", n."countryCode", moved."place", moved."bytes" from (
      select h."nodeId", width_bucket(h."hour", ${starts}::timestamptz[]) - 1 as "place",
        sum(h."uploadBytes" + h."downloadBytes")::bigint as "bytes"
      from "nodeUsageHours" h where h."hour" >= ${starts[0]} group by 1, 2
    ) moved join "nodes" n on n."id" = moved."nodeId"
    order by n."viewPosition", n."id", moved."place"
  `.execute(db)
  return rows
}

/** The most users at once in each step that somebody counted in. */
export async function listOnline(db: Db, starts: readonly Date[]) {
  const { rows } = await sql<{ place: number; usersOnline: number }>`
    select width_bucket("hour", ${starts}::timestamptz[]) - 1 as "place", max("usersOnline") as "usersOnline"
    from "onlineHours" where "hour" >= ${starts[0]} group by 1
  `.execute(db)
  return rows
}

/** Notes how many users are online on connected nodes, as these were last told; the hour keeps the most. */
export async function noteOnline(db: Db, now: Date): Promise<void> {
  await sql`
    insert into "onlineHours" ("hour", "usersOnline")
    select date_trunc('hour', ${now}::timestamptz, 'UTC'), coalesce(sum("usersOnline"), 0) from "nodeStates" where "isConnected"
    on conflict ("hour") do update set "usersOnline" = greatest("onlineHours"."usersOnline", excluded."usersOnline")
  `.execute(db)
}
