import type { Db } from '../../db/connect.ts'
import { hasTrafficOrder } from '../traffic/order.queries.ts'
import type { UsersView } from './list.rules.ts'

/** Of many users, who moved how much is looked up in the order that is kept of them, where there is one of this day. */
export async function byKeptOrder(db: Db, view: UsersView, now: Date): Promise<UsersView | undefined> {
  const today = view.sorting.find((sort) => sort.period !== undefined)?.today
  if (today === undefined || !(await hasTrafficOrder(db, today, now))) return undefined
  return { ...view, sorting: view.sorting.map((sort) => (sort.period === undefined ? sort : { ...sort, table: 'userTraffic' })) }
}

/** A page of some users in the order that is kept of all. */
export function isFilteredOrder({ filters, sorting }: UsersView): boolean {
  return sorting.length === 1 && sorting[0]?.table === 'userTraffic' && filters.length > 0
}
