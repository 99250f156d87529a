import type { TrafficLimitStrategy, UserStatus } from '@causeway/contract'

interface JudgedUser {
  status: UserStatus
  trafficLimitBytes: number
  usedTrafficBytes: number
  expireAt: Date
}

interface StatusEdit {
  status?: 'ACTIVE' | 'DISABLED' | undefined
  trafficLimitBytes?: number | undefined
  expireAt?: Date | undefined
}

/**
 * The status after an edit (docs/wire.md 16). A limited user becomes active when the new limit exceeds the used
 * bytes; an active one is limited at once when it does not. An expired user becomes active when the new date lies
 * ahead. A status that the administrator sets takes precedence.
 */
export function statusAfterEdit(user: JudgedUser, edit: StatusEdit, now: Date): UserStatus {
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

/** The statuses that an edit surely leaves as they are, so that nothing else has to be known of the user. */
export function statusesKept({ status, trafficLimitBytes, expireAt }: StatusEdit): UserStatus[] {
  if (trafficLimitBytes !== undefined) return []
  if (status !== undefined) return [status]
  return ['ACTIVE', 'LIMITED', 'DISABLED', ...(expireAt === undefined ? (['EXPIRED'] as const) : [])]
}

/** A reset gives a limited user new room; other reasons for being off stay. */
export function statusAfterReset(status: UserStatus): UserStatus {
  return status === 'LIMITED' ? 'ACTIVE' : status
}

/**
 * The status of a user after time has passed and traffic was booked (docs/wire.md 17). Disabled users never change by
 * themselves.
 */
export function statusByItself(user: JudgedUser, now: Date): UserStatus {
  const isWatched = user.status === 'ACTIVE' || user.status === 'LIMITED'
  if (isWatched && user.expireAt < now) return 'EXPIRED'
  return user.status === 'ACTIVE' && !hasRoom(user.trafficLimitBytes, user.usedTrafficBytes) ? 'LIMITED' : user.status
}

/** For a user that expired before their time. */
export function statusWhenBack(user: JudgedUser, now: Date): UserStatus {
  if (user.status !== 'EXPIRED' || user.expireAt <= now) return user.status
  return hasRoom(user.trafficLimitBytes, user.usedTrafficBytes) ? 'ACTIVE' : 'LIMITED'
}

/** Limit 0 means unlimited. */
function hasRoom(limitBytes: number, usedBytes: number): boolean {
  return limitBytes === 0 || usedBytes < limitBytes
}

/** Only active users are on nodes; so nodes care when that changes, and about an active user's squads and credentials. */
export function concernsNodes(before: UserStatus, after: UserStatus, isAccessChanged = false): boolean {
  return (before === 'ACTIVE') !== (after === 'ACTIVE') || (after === 'ACTIVE' && isAccessChanged)
}

export interface AddedTraffic {
  bytes: number
  /** Until the next reset of traffic, else for every period. */
  isOnce: boolean
}

/**
 * The traffic limit with more granted; undefined for a user without a limit. Where traffic is never reset there is one
 * period, so that an addition for once stays.
 */
export function limitsAfterAdding(
  user: { trafficLimitBytes: number; extraTrafficBytes: number; trafficLimitStrategy: TrafficLimitStrategy },
  { bytes, isOnce }: AddedTraffic,
) {
  if (user.trafficLimitBytes === 0) return undefined
  const trafficLimitBytes = Math.min(user.trafficLimitBytes + bytes, Number.MAX_SAFE_INTEGER)
  const added = Math.max(trafficLimitBytes - user.trafficLimitBytes, 0)
  const isForPeriod = isOnce && user.trafficLimitStrategy !== 'NO_RESET'
  return { trafficLimitBytes, extraTrafficBytes: user.extraTrafficBytes + (isForPeriod ? added : 0) }
}
