import type { TrafficLimitStrategy, UserStatus } from '@causeway/contract'

/** Members of a user that rendering reads. */
export interface Subscriber {
  id: number
  shortUuid: string
  username: string
  status: UserStatus
  usedTrafficBytes: number
  lifetimeUsedTrafficBytes: number
  trafficLimitBytes: number
  trafficLimitStrategy: TrafficLimitStrategy
  expireAt: Date
  tag: string | null
  email: string | null
  telegramId: number | null
  description: string | null
  hwidDeviceLimit: number | null
  createdAt: Date
  lastTrafficResetAt: Date | null
  vlessUuid: string
  trojanPassword: string
  ssPassword: string
}

/** Draws a number from 0 (included) to 1 (excluded). Random addresses, short ids and orders come from it. */
export type Random = () => number

/** One of them, each as likely; undefined of none. */
export function pick<T>(items: readonly T[], random: Random): T | undefined {
  return items[Math.floor(random() * items.length)]
}

/** All of them in an order that is drawn. */
export function shuffle<T>(items: readonly T[], random: Random): T[] {
  return items
    .map((item) => ({ item, order: random() }))
    .toSorted((first, second) => first.order - second.order)
    .map(({ item }) => item)
}
