import type { UserStatus } from '@causeway/contract'

/** Whoever had traffic within this time counts as online: four polls. */
export const ONLINE_MS = 60_000

interface Standing {
  status: UserStatus
  trafficLimitBytes: number
  usedTrafficBytes: number
  expireAt: Date
}

interface StandingEdit {
  status?: 'ACTIVE' | 'DISABLED' | undefined
  trafficLimitBytes?: number | undefined
  expireAt?: Date | undefined
}

/**
 * The status that an edit leads to (nodes-and-subscriptions.md 11.2). A limited user comes back when the new limit leaves
 * room over what is used, and an active one is limited at once when it does not; an expired user comes back when the new
 * date lies ahead. What an administrator says comes first.
 */
export function statusAfterEdit(user: Standing, edit: StandingEdit, now: Date): UserStatus {
  if (edit.status !== undefined) return edit.status
  switch (user.status) {
    case 'ACTIVE':
    case 'LIMITED':
      if (edit.trafficLimitBytes === undefined) return user.status
      return hasRoom(edit.trafficLimitBytes, user.usedTrafficBytes) ? 'ACTIVE' : 'LIMITED'
    case 'EXPIRED':
      return edit.expireAt !== undefined && edit.expireAt > now ? 'ACTIVE' : 'EXPIRED'
    case 'DISABLED':
      return user.status
  }
}

/** A reset gives a limited user new room; other reasons for being off stay. */
export function statusAfterReset(status: UserStatus): UserStatus {
  return status === 'LIMITED' ? 'ACTIVE' : status
}

/** What the passing of time and traffic makes of a user (nodes-and-subscriptions.md 13.4). Disabled users never change by themselves. */
export function statusByItself(user: Standing, now: Date): UserStatus {
  const isWatched = user.status === 'ACTIVE' || user.status === 'LIMITED'
  if (isWatched && user.expireAt < now) return 'EXPIRED'
  return user.status === 'ACTIVE' && !hasRoom(user.trafficLimitBytes, user.usedTrafficBytes) ? 'LIMITED' : user.status
}

/** Limit 0 means unlimited. */
function hasRoom(limitBytes: number, usedBytes: number): boolean {
  return limitBytes === 0 || usedBytes < limitBytes
}

/** Only active users are on nodes; so nodes care when that changes, and about an active user's squads and credentials. */
export function concernsNodes(before: UserStatus, after: UserStatus, isAccessChanged = false): boolean {
  return (before === 'ACTIVE') !== (after === 'ACTIVE') || (after === 'ACTIVE' && isAccessChanged)
}

const MAX_INTEGER = 2 ** 31 - 1
// The largest number of JavaScript that still fits into the database's 64 bits.
const MAX_BIGINT = 2 ** 63 - 1024

/** The first field whose number the database cannot hold, and why. The wire itself sets no upper bounds. */
export function unstorableField(fields: {
  trafficLimitBytes?: number | undefined
  telegramId?: number | null | undefined
  hwidDeviceLimit?: number | null | undefined
}): { field: string; message: string } | undefined {
  const bounds = { trafficLimitBytes: MAX_BIGINT, telegramId: MAX_BIGINT, hwidDeviceLimit: MAX_INTEGER }
  for (const field of ['trafficLimitBytes', 'telegramId', 'hwidDeviceLimit'] as const) {
    if (Math.abs(fields[field] ?? 0) > bounds[field]) return { field, message: `must be at most ${bounds[field]}` }
  }
  return undefined
}

/** The first text that holds the character U+0000, which PostgreSQL cannot store. */
export function unstorableText(fields: Record<string, unknown>): string | undefined {
  return Object.keys(fields).find((key) => {
    const value = fields[key]
    return typeof value === 'string' && value.includes('\u0000')
  })
}

/** When the calendar period began in which a moment lies: its day, its week from Monday on, its month; in local time. */
export function periodStart(strategy: 'DAY' | 'WEEK' | 'MONTH', at: Date): Date {
  const [year, month, day] = [at.getFullYear(), at.getMonth(), at.getDate()]
  switch (strategy) {
    case 'DAY':
      return new Date(year, month, day)
    case 'WEEK':
      return new Date(year, month, day - ((at.getDay() + 6) % 7))
    case 'MONTH':
      return new Date(year, month, 1)
  }
}
