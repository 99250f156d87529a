import { sql } from 'kysely'
import { readAsSent, type SentFrom } from '../../db/driver/as-sent.ts'
import type { Db } from '../../db/driver/connect.ts'
import type { RowTaker } from '../../lib/sent-rows.ts'
import { hasTrafficOrder, ORDER_COLUMN, ORDERED_USAGE, type OrderedUsage } from '../traffic/order.queries.ts'
import { periodBytes } from '../traffic/sums.queries.ts'
import type { UsersView } from './list.rules.ts'
import { usersInOrder, type UsageOrder } from './users.queries.ts'

/** Ranks many users by traffic or usage from the kept order, where one exists. */
export async function byKeptOrder(db: Db, view: UsersView, now: Date): Promise<UsersView | undefined> {
  const today = view.sorting.find((sort) => sort.period !== undefined)?.today
  if (today === undefined && usageOf(view) === undefined) return undefined
  if (!(await hasTrafficOrder(db, today, now))) return undefined
  const isKept = (sort: UsersView['sorting'][number]) => sort.period !== undefined || view.sorting.length === 1
  return { ...view, sorting: view.sorting.map((sort) => (isKept(sort) ? { ...sort, table: 'userTraffic' } : sort)) }
}

/** The usage that a view is sorted by, and by nothing else. */
function usageOf({ sorting }: UsersView): OrderedUsage | undefined {
  return sorting.length === 1 ? ORDERED_USAGE.find((column) => column === sorting[0]?.column) : undefined
}

/** A page goes by what has been booked since the order was kept: what it shows never contradicts how it is sorted. */
export async function asBooked(db: Db, ids: number[], { sorting: [sort, ...more] }: UsersView): Promise<number[]> {
  if (sort?.period === undefined || more.length > 0) return ids
  const { rows } = await sql<{ id: number }>`
    select page."id" from unnest(${ids}::bigint[]) with ordinality as page("id", "place")
    join "userUsage" on "userUsage"."userId" = page."id"
    order by ${periodBytes(sort.period, sort.today)} ${sort.isDescending ? sql`desc` : sql`asc`}, page."place"
  `.execute(db)
  return rows.map(({ id }) => id)
}

/** So does one by usage, whose rows are sorted once more by what they show. */
export function usageOrder(view: UsersView): UsageOrder | undefined {
  const column = usageOf(view)
  return column && { column, isDescending: view.sorting[0]?.isDescending ?? false }
}

const readByIds = readAsSent()

/** These users in this order; of a view by usage, in that of what they have used when they are read. */
export async function byIdsInOrder(database: SentFrom, view: UsersView, ids: number[], taker: RowTaker): Promise<void> {
  const usage = usageOrder(view)
  const build = () => usersInOrder(database.db, sql`${ids}::bigint[]`, { usage })
  await readByIds(database, taker, JSON.stringify(usage ?? null), [ids], build)
}

/** The column of the order that is kept of all, where a view asks for some of them in it. */
export function keptColumn(view: UsersView) {
  const { filters, sorting } = view
  if (filters.length === 0 || sorting.length !== 1 || sorting[0]?.table !== 'userTraffic') return undefined
  return sorting[0].period === undefined ? usageOf(view) : ORDER_COLUMN[sorting[0].period]
}
