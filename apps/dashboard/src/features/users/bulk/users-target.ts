import type { CallInput, changeUsers } from '@causeway/contract'

/** Users by uuid, all users of a filtered list, or everyone. */
export type WhichUsers = Pick<CallInput<typeof changeUsers>, 'uuids' | 'filters' | 'filterModes' | 'all'>

/** The users of a bulk change. The number of a list must still hold when the change is made. */
export interface UsersTarget {
  which: WhichUsers
  count: number
}

/** The body of a change to these users. */
export function toChanged({ which, count }: UsersTarget) {
  return which.filters === undefined ? which : { ...which, expected: count }
}
