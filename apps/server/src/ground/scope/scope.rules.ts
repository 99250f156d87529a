import type { ResellerScope } from '../../lib/scope.ts'

const GIB = 1024 ** 3

/** Sums over the users of a scope. */
export interface Promised {
  users: number
  bytes: number
  /** Users without a limit. */
  unlimited: number
  /** Beyond the longest expiry: how many users, and by how many seconds in all. */
  late: number
  lateSeconds: number
}

type Bounds = Pick<ResellerScope, 'maxUsers' | 'maxBytes' | 'maxDays'>

/**
 * The bound that a change breaks, as a sentence with what is left. A reseller that is over a bound already, as it was lowered since,
 * may do all that does not go further.
 */
export function brokenBound({ maxUsers, maxBytes, maxDays }: Bounds, before: Promised, after: Promised): string | undefined {
  if (maxUsers !== null && after.users > maxUsers && after.users > before.users)
    return `Your limit is ${maxUsers} users, and you have ${before.users}: there is room for ${Math.max(0, maxUsers - before.users)} more.`
  if (maxBytes !== null && after.unlimited > before.unlimited)
    return `Your users share ${inGib(maxBytes)}, so that each of them needs a traffic limit.`
  if (maxBytes !== null && after.bytes > maxBytes && after.bytes > before.bytes)
    return `Your users share ${inGib(maxBytes)}, of which ${inGib(Math.max(0, maxBytes - before.bytes))} are left.`
  if (maxDays !== null && (after.late > before.late || after.lateSeconds > before.lateSeconds))
    return `The longest expiry that you may set is ${maxDays} days from now.`
  return undefined
}

function inGib(bytes: number): string {
  return `${Number((bytes / GIB).toFixed(2))} GiB`
}
