import type { TrafficPeriod } from '@causeway/contract'
import { sql, type RawBuilder } from 'kysely'
import { everyone, type Scope } from '../../lib/scope.ts'
import type { Db, Tx } from '../../db/driver/connect.ts'
import { isVisible } from '../../ground/scope/scope.queries.ts'
import { lockUsage } from '../../ground/user-writes.queries.ts'
import { CLOSED_DAYS } from './sums.rules.ts'

// Users' traffic of today, of 7 and 30 days and of this month (decision 024). The usage row keeps the running day and
// sums of the closed days before it, so that a period is one addition and no answer scans days.

/** Bytes of a period that ends with `today`, of the "userUsage" row at hand. */
export function periodBytes(period: TrafficPeriod, today: string): RawBuilder<number> {
  const running = sql`case when "userUsage"."trafficDay" = ${today}::date then "userUsage"."dayBytes" else 0 end`
  switch (period) {
    case 'today':
      return sql`(${running})`
    case 'week':
      return sql`("userUsage"."weekBytes" + ${running})`
    case 'thirtyDays':
      return sql`("userUsage"."thirtyDaysBytes" + ${running})`
    case 'month':
      return sql`("userUsage"."monthBytes" + ${running})`
  }
}

/** Top users of a scope in a period: the first few, without users without traffic. */
export async function listTopIds(db: Db, scope: Scope, period: TrafficPeriod, today: string, limit: number) {
  const { rows } = await sql<{ id: number; bytes: number }>`
    select "userId" as "id", ${periodBytes(period, today)} as "bytes" from "userUsage"${whereVisible(scope)} order by 2 desc, 1 limit ${limit}
  `.execute(db)
  return rows.filter(({ bytes }) => bytes > 0)
}

function whereVisible(scope: Scope): RawBuilder<unknown> {
  return scope === everyone ? sql`` : sql` where ${isVisible(scope, sql`"userUsage"."userId"`)}`
}

/** By the kept counts. */
export async function countAllUsers(db: Db): Promise<number> {
  const { rows } = await sql<{ total: number }>`select coalesce(sum("delta"), 0)::bigint as "total" from "userCounts"`.execute(db)
  return rows[0]?.total ?? 0
}

export function findTurn(db: Db) {
  return db.selectFrom('trafficTurns').select(['day', 'throughUserId']).executeTakeFirst()
}

/** The sums of everyone are to be made anew, for this day. */
export async function startTurn(db: Db, day: string): Promise<void> {
  await db
    .insertInto('trafficTurns')
    .values({ day, throughUserId: 0 })
    .onConflict((conflict) => conflict.column('isOnly').doUpdateSet({ day, throughUserId: 0 }))
    .execute()
}

/** Days have been taken out of what was booked: the sums have to be made anew before the next night. */
export async function repeatTurn(tx: Tx): Promise<void> {
  await tx.updateTable('trafficTurns').set({ throughUserId: 0 }).execute()
}

/** Turns the next users to the day; returns whether there are more. A concurrent turn waits and finds it done. */
export async function turnBatch(tx: Tx, size: number): Promise<boolean> {
  const turn = await tx.selectFrom('trafficTurns').select(['day', 'throughUserId']).forUpdate().executeTakeFirst()
  if (!turn || turn.throughUserId === null) return false
  const next = await tx
    .selectFrom('userUsage')
    .select('userId')
    .where('userId', '>', turn.throughUserId)
    .orderBy('userId')
    .limit(size)
    .execute()
  const ids = next.map(({ userId }) => userId)
  // Bookings of these users are waited for before their days are added up, and wait for the sums.
  await lockUsage(tx, ids)
  await writeSums(tx, ids, turn.day)
  const last = ids.length < size ? null : (ids.at(-1) ?? null)
  await tx.updateTable('trafficTurns').set({ throughUserId: last }).execute()
  return last !== null
}

async function writeSums(tx: Tx, ids: number[], day: string): Promise<void> {
  const [first, last] = [ids[0], ids.at(-1)]
  if (first === undefined || last === undefined) return
  const bytes = sql`sum("uploadBytes" + "downloadBytes")`
  const closed = (from: RawBuilder<unknown>) => sql`coalesce(${bytes} filter (where "day" >= ${from} and "day" < t), 0)::bigint`
  await sql`
    with "counted" as (
      select "userId", coalesce(${bytes} filter (where "day" = t), 0)::bigint as "today",
        ${closed(sql`t - ${CLOSED_DAYS.week}::int`)} as "week",
        ${closed(sql`t - ${CLOSED_DAYS.thirtyDays}::int`)} as "thirtyDays",
        ${closed(sql`date_trunc('month', t)::date`)} as "month"
      from "userNodeUsage", (select ${day}::date as t) as "turned"
      where "userId" between ${first} and ${last} and "day" <= ${day}::date
        and "day" >= least(${day}::date - ${CLOSED_DAYS.thirtyDays}::int, date_trunc('month', ${day}::date)::date)
      group by "userId"
    ), "wanted" as (
      select given."userId", coalesce(c."today", 0) as "today", coalesce(c."week", 0) as "week",
        coalesce(c."thirtyDays", 0) as "thirtyDays", coalesce(c."month", 0) as "month",
        case when c."thirtyDays" + c."month" > 0 then ${day}::date end as "sumsDay"
      from unnest(${ids}::bigint[]) as given("userId") left join "counted" c using ("userId")
    )
    update "userUsage" usage set
      "trafficDay" = ${day}::date, "dayBytes" = w."today", "sumsDay" = w."sumsDay",
      "weekBytes" = w."week", "thirtyDaysBytes" = w."thirtyDays", "monthBytes" = w."month"
    from "wanted" w where usage."userId" = w."userId"
      -- Most of those who are away have nothing to be turned.
      and (w."sumsDay" is not null or usage."sumsDay" is not null
        or case when usage."trafficDay" = ${day}::date then usage."dayBytes" else 0 end <> w."today")
  `.execute(tx)
}

/**
 * Adds a booking of a closed day to sums made without it. Rows not turned yet get it by the turn. `today` stands in
 * for rows without sums, which are right for any day.
 */
export function lateSums(day: string, today: string, bytes: RawBuilder<unknown>): RawBuilder<unknown> {
  const made = sql`coalesce(usage."sumsDay", ${today}::date)`
  const late = (column: string, from: RawBuilder<unknown>) =>
    sql`${sql.ref(column)} = ${sql.ref(`usage.${column}`)}
      + case when ${day}::date < ${made} and ${day}::date >= ${from} then ${bytes} else 0 end`
  return sql`, "sumsDay" = ${made},
    ${late('weekBytes', sql`${made} - ${CLOSED_DAYS.week}::int`)},
    ${late('thirtyDaysBytes', sql`${made} - ${CLOSED_DAYS.thirtyDays}::int`)},
    ${late('monthBytes', sql`date_trunc('month', ${made})::date`)}`
}
