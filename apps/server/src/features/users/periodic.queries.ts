import { sql } from 'kysely'
import type { Db } from '../../db/driver/connect.ts'

/** Users that may have expired; the partial index usersExpiring holds only those that still can. */
export async function listExpired(db: Db, now: Date, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select "id" from "users" where "status" in ('ACTIVE', 'LIMITED') and "expireAt" < ${now} order by "expireAt" limit ${limit}
  `.execute(db)
  return rows.map((row) => row.id)
}

/** Clocks of several servers differ by less. */
const SET_BACK = sql`interval '1 minute'`

/** Users marked as expired at a time that is yet to come: by a clock that has been set back since. */
export async function listExpiredAhead(db: Db, now: Date, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select "id" from "users" where "status" = 'EXPIRED' and "expireAt" > ${now}::timestamptz + ${SET_BACK}
      and "updatedAt" > ${now}::timestamptz + ${SET_BACK} limit ${limit}
  `.execute(db)
  return rows.map((row) => row.id)
}

/** Active users that have used up their limit. */
export async function listOverLimit(db: Db, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select u."id" from "users" u join "userUsage" usage on usage."userId" = u."id"
    where u."status" = 'ACTIVE' and u."trafficLimitBytes" > 0 and usage."usedTrafficBytes" >= u."trafficLimitBytes" limit ${limit}
  `.execute(db)
  return rows.map((row) => row.id)
}

/** Adds the kept differences up to one row per status; the sums stay what they are. */
export async function foldUserCounts(db: Db): Promise<void> {
  await sql`
    with folded as (delete from "userCounts" where (select count(*) from "userCounts") > 100 returning "status", "delta")
    insert into "userCounts" ("status", "delta") select "status", sum("delta") from folded group by "status"
  `.execute(db)
}

/** Holds the kept counts against the users themselves, in one snapshot, and adds what they are off by. Gives the corrections. */
export async function correctUserCounts(db: Db): Promise<{ status: string; delta: number }[]> {
  const { rows } = await sql<{ status: string; delta: number }>`
    insert into "userCounts" ("status", "delta")
    select "status", sum("delta") from (
      select "status", count(*) as "delta" from "users" group by "status"
      union all
      select "status", -sum("delta") from "userCounts" group by "status"
    ) as counts group by "status" having sum("delta") <> 0
    returning "status", "delta"
  `.execute(db)
  return rows
}

/** Uuids of users that are held. */
export async function listUuids(db: Db, ids: number[]): Promise<string[]> {
  const { rows } = await sql<{ uuid: string }>`select "uuid" from "users" where "id" = any(${ids}::bigint[])`.execute(db)
  return rows.map(({ uuid }) => uuid)
}
