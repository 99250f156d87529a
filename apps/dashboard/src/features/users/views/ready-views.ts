import type { SavedView, TrafficSortId, UserGroup, UserSortId } from '@causeway/contract'
import { readAddress, writeAddress } from '../../../ui/table/address-view.ts'
import { usersViewKeys } from '../users.view.ts'

// Ready-made views of the users list, which depend on the current time; others are saved.

type Search = Record<string, string>

interface ReadyView {
  id: UserGroup | TrafficSortId
  search: Search
}

const among = (id: UserGroup, sort: UserSortId | `-${UserSortId}`): ReadyView => ({ id, search: { among: id, sort } })
const most = (id: TrafficSortId): ReadyView => ({ id, search: { sort: `-${id}` } })

export const GROUP_VIEWS: readonly ReadyView[] = [
  among('expiringThisWeek', 'expireAt'),
  among('nearLimit', '-usedTrafficBytes'),
  among('onlineNow', '-onlineAt'),
  among('neverConnected', 'createdAt'),
  among('awayForMonth', 'onlineAt'),
  among('newThisWeek', '-createdAt'),
]
export const TRAFFIC_VIEWS: readonly ReadyView[] = [
  most('trafficToday'),
  most('trafficWeek'),
  most('trafficThirtyDays'),
  most('trafficMonth'),
]

/** Of what stands in the address: what a view keeps. Which page one is on is no part of it. */
export function keptSearch(search: Record<string, unknown>): Search {
  const looked = readAddress(search, usersViewKeys, Number.NaN)
  if (!looked) return {}
  const { size, ...kept } = writeAddress({ ...looked, pageIndex: 0 }, usersViewKeys)
  return size === 'NaN' || size === undefined ? kept : { ...kept, size }
}

/** The same list, whatever the page and its size. */
export function isSameList(one: Record<string, unknown>, other: Record<string, unknown>): boolean {
  const keyOf = (search: Record<string, unknown>) => {
    const { size: _, ...list } = keptSearch(search)
    return JSON.stringify(Object.entries(list).toSorted(([a], [b]) => a.localeCompare(b)))
  }
  return keyOf(one) === keyOf(other)
}

/** A name is taken whatever its letters, save by the view itself. */
export function isNameTaken(name: string, views: readonly SavedView[], own?: string): boolean {
  return views.some((view) => view.uuid !== own && view.name.toLowerCase() === name.trim().toLowerCase())
}
