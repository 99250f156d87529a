import { trafficPeriod, type TrafficPeriod } from '@causeway/contract'
import { sql, type RawBuilder } from 'kysely'
import { builtOnce } from '../../db/driver/built-once.ts'
import type { Db, Tx } from '../../db/driver/connect.ts'
import { isPassing } from '../../db/driver/failures.ts'
import { periodBytes } from './sums.queries.ts'
import { ASKED_STEP_MS, isOrderKept, type TrafficOrder } from './order.rules.ts'

// The order of users by traffic in a period and by usage, in a table apart from booked values. Each order has an
// index, and passes update it now and then (decision 024). It orders; figures are read where they are booked.

export const ORDER_COLUMN = {
  today: 'todayBytes',
  week: 'weekBytes',
  thirtyDays: 'thirtyDaysBytes',
  month: 'monthBytes',
} as const satisfies Record<TrafficPeriod, string>

/** Orders by usage have the names of the booked columns. */
export const ORDERED_USAGE = ['usedTrafficBytes', 'lifetimeUsedTrafficBytes'] as const

export type OrderedUsage = (typeof ORDERED_USAGE)[number]

type OrderColumn = (typeof ORDER_COLUMN)[TrafficPeriod] | OrderedUsage

const PERIODS = trafficPeriod.options
const COLUMNS: readonly OrderColumn[] = [...PERIODS.map((period) => ORDER_COLUMN[period]), ...ORDERED_USAGE]

const readOrder = builtOnce((db) => db.selectFrom('trafficOrder').select(['day', 'madeAt', 'tookMs', 'askedAt']))

export async function findTrafficOrder(db: Db): Promise<TrafficOrder | undefined> {
  return (await readOrder(db))[0]
}

/** Returns whether an order exists, for periods one for this day. Records the use, as passes over an unused order are rare. */
export async function hasTrafficOrder(db: Db, today: string | undefined, now: Date): Promise<boolean> {
  const order = await findTrafficOrder(db)
  if (!order) return false
  if (now.getTime() - (order.askedAt?.getTime() ?? 0) > ASKED_STEP_MS) await noteAsked(db, now)
  return isOrderKept(order, today, now)
}

/** Lists are answered also by a database that takes no changes, as with a full disk. */
async function noteAsked(db: Db, now: Date): Promise<void> {
  try {
    await db.updateTable('trafficOrder').set({ askedAt: now }).execute()
  } catch (error) {
    if (!isPassing(error)) throw error
  }
}

interface OrderedSlice {
  column: OrderColumn
  isDescending: boolean
  /** A query for the ids of the users that are asked for. */
  matching: RawBuilder<unknown>
  offset: number
  limit: number
}

/** So many users from the end of the order are tried one by one whether they are asked for. */
const TRIED = 4000

/**
 * Filters users along the order. All matches may stand at its far end (disabled users have no traffic), where walking
 * it would scan all users. When the tries do not fill the page, matches are found first and sorted then.
 */
export async function listIdsInOrder(tx: Tx, { column, isDescending, matching, offset, limit }: OrderedSlice): Promise<number[]> {
  const direction = isDescending ? sql`desc` : sql`asc`
  const bytes = sql.ref(`userTraffic.${column}`)
  const placed = sql`"userTraffic"."userId" as "id", ${bytes} as "bytes"`
  const found = async (from: RawBuilder<unknown>) => {
    const { rows } = await sql<{ id: number }>`
      ${from} order by "bytes" ${direction}, "id" ${direction} limit ${limit} offset ${offset}`.execute(tx)
    return rows.map(({ id }) => id)
  }
  if (offset + limit <= TRIED) {
    const near = await found(sql`
      with "near" as materialized (
        select ${placed} from "userTraffic" order by ${bytes} ${direction}, "userId" ${direction} limit ${TRIED}
      ) select "id" from "near" where "id" in (${matching})`)
    if (near.length === limit) return near
  }
  return found(sql`
    with "asked" as materialized (${matching})
    select ${placed} from "asked" join "userTraffic" on "userTraffic"."userId" = "asked"."id"`)
}

/** Top users of a period, with everything booked until now. The first few more include those that rose since the last pass. */
export async function listTopInOrder(db: Db, period: TrafficPeriod, today: string, limit: number) {
  const { rows } = await sql<{ id: number; bytes: number }>`
    select "userUsage"."userId" as "id", ${periodBytes(period, today)} as "bytes" from "userUsage"
    where "userId" = any(array(
      select "userId" from "userTraffic" order by ${sql.ref(ORDER_COLUMN[period])} desc, "userId" limit ${limit * 3}))
    order by 2 desc, 1 limit ${limit}
  `.execute(db)
  return rows.filter(({ bytes }) => bytes > 0)
}

/** From here on new users get their place, and the next passes give it to all others. */
export async function beginTrafficOrder(db: Db): Promise<void> {
  await db
    .insertInto('trafficOrder')
    .values({ tookMs: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function endTrafficOrder(tx: Tx): Promise<void> {
  await tx.deleteFrom('trafficOrder').execute()
  await tx.deleteFrom('userTraffic').execute()
}

export async function finishPass(db: Db, made: { day: string; madeAt: Date; tookMs: number }): Promise<void> {
  await db.updateTable('trafficOrder').set(made).execute()
}

export async function hasPlaces(db: Db): Promise<boolean> {
  return (await db.selectFrom('userTraffic').select('userId').limit(1).executeTakeFirst()) !== undefined
}

/** For plans that fit, before the database comes to it by itself. */
export async function gaugePlaces(db: Db): Promise<void> {
  await sql`analyze "userTraffic"`.execute(db)
}

/**
 * Updates the next users of the order and returns the last of them, or undefined at the end. New users get a place;
 * users deleted during a pass lose theirs. Locked rows are left to the next pass, so that deletions wait for one
 * batch at most, and passes never wait for them.
 */
export async function orderBatch(tx: Tx, after: number, size: number, today: string): Promise<number | undefined> {
  const { rows } = await sql<{ last: number | null }>`
    select max("userId") as "last" from (
      select "userId" from "userUsage" where "userId" > ${after} order by "userId" limit ${size}
    ) as batch`.execute(tx)
  const last = rows[0]?.last ?? undefined
  const within = last === undefined ? sql`> ${after}` : sql`between ${after + 1} and ${last}`
  const booked = [
    ...PERIODS.map((period) => sql`${periodBytes(period, today)} as ${sql.ref(ORDER_COLUMN[period])}`),
    ...ORDERED_USAGE.map((column) => sql.ref(column)),
  ]
  const columns = (table: string) => COLUMNS.map((column) => sql.ref(`${table}.${column}`))
  const names = COLUMNS.map((column) => sql.ref(column))
  // Both tables are gone through once; everything else is done to those few that differ.
  await sql`
    with "moved" as (
      select "userId", ${sql.join(booked)} from "userUsage" where "userId" ${within}
    ), "place" as (
      select * from "userTraffic" where "userId" ${within}
    ), "differing" as materialized (
      select coalesce("moved"."userId", "place"."userId") as "id", "moved"."userId" is null as "isGone",
        "place"."userId" is null as "isNew", ${sql.join(columns('moved'))}
      from "moved" full join "place" on "place"."userId" = "moved"."userId"
      where "moved"."userId" is null or "place"."userId" is null
        or (${sql.join(columns('moved'))}) <> (${sql.join(columns('place'))})
    ), "held" as (
      select "userId" from "userTraffic" where "userId" in (select "id" from "differing" where not "isNew")
      for update skip locked
    ), "removed" as (
      delete from "userTraffic" t using "held", "differing" d
      where t."userId" = "held"."userId" and d."id" = "held"."userId" and d."isGone"
    ), "added" as (
      insert into "userTraffic" ("userId", ${sql.join(names)})
      select "id", ${sql.join(names)} from "differing" where "isNew"
      on conflict do nothing
    )
    update "userTraffic" t
    set ${sql.join(COLUMNS.map((column) => sql`${sql.ref(column)} = ${sql.ref(`d.${column}`)}`))}
    from "held", "differing" d
    where t."userId" = "held"."userId" and d."id" = "held"."userId" and not d."isGone"`.execute(tx)
  return last
}
