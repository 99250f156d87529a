import { sql } from 'kysely'
import type { Db } from '../../db/driver/connect.ts'
import { onlineSince } from '../../ground/online.queries.ts'

/** Bytes per node and step, in the administrator's order of nodes. `place` counts from 0; a quarter belongs to the step it begins in. */
export async function listTraffic(db: Db, starts: readonly Date[]) {
  const { rows } = await sql<{ uuid: string; name: string; countryCode: string; place: number; bytes: number }>`
    select n."uuid", n."name", n."countryCode", moved."place", moved."bytes" from (
      select q."nodeId", width_bucket(q."quarter", ${starts}::timestamptz[]) - 1 as "place",
        sum(q."uploadBytes" + q."downloadBytes")::bigint as "bytes"
      from "nodeUsageQuarters" q where q."quarter" >= ${starts[0]} group by 1, 2
    ) moved join "nodes" n on n."id" = moved."nodeId"
    order by n."viewPosition", n."id", moved."place"
  `.execute(db)
  return rows
}

/** The same for days of the installation, whose sums are kept. */
export async function listTrafficByDay(db: Db, first: string) {
  const { rows } = await sql<{ uuid: string; name: string; countryCode: string; place: number; bytes: number }>`
    select n."uuid", n."name", n."countryCode", d."day" - ${first}::date as "place", d."uploadBytes" + d."downloadBytes" as "bytes"
    from "nodeUsageDays" d join "nodes" n on n."id" = d."nodeId" where d."day" >= ${first}::date
    order by n."viewPosition", n."id", d."day"
  `.execute(db)
  return rows
}

/** Bytes of all nodes together in each step of a period that has ended. */
export async function listTotals(db: Db, starts: readonly Date[], until: Date) {
  const { rows } = await sql<{ place: number; bytes: number }>`
    select width_bucket("quarter", ${starts}::timestamptz[]) - 1 as "place", sum("uploadBytes" + "downloadBytes")::bigint as "bytes"
    from "nodeUsageQuarters" where "quarter" >= ${starts[0]} and "quarter" < ${until} group by 1
  `.execute(db)
  return rows
}

/** The same for days of the installation. */
export async function listTotalsByDay(db: Db, first: string, until: string) {
  const { rows } = await sql<{ place: number; bytes: number }>`
    select "day" - ${first}::date as "place", sum("uploadBytes" + "downloadBytes")::bigint as "bytes"
    from "nodeUsageDays" where "day" >= ${first}::date and "day" < ${until}::date group by 1
  `.execute(db)
  return rows
}

/** Whether traffic was booked on this day or earlier: a period of less than all its days is no measure. */
export async function isKnownSince(db: Db, day: string): Promise<boolean> {
  const { rows } = await sql<{ isKnown: boolean }>`
    select exists (select 1 from "nodeUsageDays" where "day" <= ${day}::date) as "isKnown"
  `.execute(db)
  return rows[0]?.isKnown ?? false
}

/** The maximum of users online in each step with a count. */
export async function listOnline(db: Db, starts: readonly Date[], until: Date) {
  const { rows } = await sql<{ place: number; usersOnline: number }>`
    select width_bucket("quarter", ${starts}::timestamptz[]) - 1 as "place", max("usersOnline") as "usersOnline"
    from "onlineQuarters" where "quarter" >= ${starts[0]} and "quarter" < ${until} group by 1
  `.execute(db)
  return rows
}

/** The most users online in the quarter of an hour that holds this instant. */
export async function findOnline(db: Db, at: Date): Promise<number | undefined> {
  const { rows } = await sql<{ usersOnline: number }>`
    select "usersOnline" from "onlineQuarters" where "quarter" = date_bin('15 minutes', ${at}::timestamptz, 'epoch')
  `.execute(db)
  return rows[0]?.usersOnline
}

/** Notes how many users are online; a quarter of an hour keeps the most. */
export async function noteOnline(db: Db, now: Date): Promise<void> {
  await sql`
    insert into "onlineQuarters" ("quarter", "usersOnline")
    select date_bin('15 minutes', ${now}::timestamptz, 'epoch'), count(*) from "userUsage" where "onlineAt" > ${onlineSince(now)}
    on conflict ("quarter") do update set "usersOnline" = greatest("onlineQuarters"."usersOnline", excluded."usersOnline")
  `.execute(db)
}
