import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { hasTrafficOrder } from '../traffic/order.queries.ts'
import { periodBytes } from '../traffic/sums.queries.ts'
import type { UsersView } from './list.rules.ts'

/** Of many users, who moved how much is looked up in the order that is kept of them, where there is one of this day. */
export async function byKeptOrder(db: Db, view: UsersView, now: Date): Promise<UsersView | undefined> {
  const today = view.sorting.find((sort) => sort.period !== undefined)?.today
  if (today === undefined || !(await hasTrafficOrder(db, today, now))) return undefined
  return { ...view, sorting: view.sorting.map((sort) => (sort.period === undefined ? sort : { ...sort, table: 'userTraffic' })) }
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

/** A page of some users in the order that is kept of all. */
export function isFilteredOrder({ filters, sorting }: UsersView): boolean {
  return sorting.length === 1 && sorting[0]?.table === 'userTraffic' && filters.length > 0
}
