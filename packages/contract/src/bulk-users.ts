import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { expectedUsers, targetUsers } from './user-changes.ts'
import { bulkUserFields, squadUuids, userStatus } from './users.ts'
import { wireDateTime, wireInt, wireList, wireUuid } from './wire.ts'

const tag = 'Users'
/** The number that fits into 2 MB. Larger selections use all users, or all of a status. */
const uuids = wireList(wireUuid, 50_000)
/** Users are named by uuids or, since 3.0, by numbers. */
const MANY_USERS = { uuids: 'userIds' } as const
/** `jobId` (own addition) is there when the work goes on after the reply. */
const jobId = z.string().optional()
const affectedRows = z.object({ affectedRows: z.number(), jobId })
const eventSent = z.object({ eventSent: z.boolean(), jobId })

export const bulkDeleteUsersByStatus = endpoint({
  name: 'bulkDeleteUsersByStatus',
  title: 'Bulk Delete Users By Status',
  tag,
  access: 'users.write',
  method: 'POST',
  path: '/api/users/bulk/delete-by-status',
  body: z.object({ status: userStatus }),
  response: affectedRows,
})

export const bulkDeleteUsers = endpoint({
  name: 'bulkDeleteUsers',
  userKeys: MANY_USERS,
  title: 'Bulk Delete Users',
  tag,
  access: 'users.write',
  method: 'POST',
  path: '/api/users/bulk/delete',
  body: z.object({ uuids }),
  response: affectedRows,
})

export const bulkResetUsersTraffic = endpoint({
  name: 'bulkResetUsersTraffic',
  userKeys: MANY_USERS,
  title: 'Bulk Reset Users Traffic',
  tag,
  access: 'users.write',
  method: 'POST',
  path: '/api/users/bulk/reset-traffic',
  body: z.object({ uuids }),
  response: affectedRows,
})

export const bulkRevokeUsersSubscription = endpoint({
  name: 'bulkRevokeUsersSubscription',
  userKeys: MANY_USERS,
  title: 'Bulk Revoke Users Subscription',
  tag,
  access: 'users.write',
  method: 'POST',
  path: '/api/users/bulk/revoke-subscription',
  body: z.object({ uuids }),
  response: affectedRows,
})

export const bulkUpdateUsers = endpoint({
  name: 'bulkUpdateUsers',
  userKeys: MANY_USERS,
  title: 'Bulk Update Users',
  tag,
  access: 'users.write',
  method: 'POST',
  path: '/api/users/bulk/update',
  body: z.object({ uuids, fields: bulkUserFields }),
  response: affectedRows,
})

export const bulkUpdateUsersSquads = endpoint({
  name: 'bulkUpdateUsersSquads',
  userKeys: MANY_USERS,
  title: 'Bulk Update Users Internal Squads',
  tag,
  access: 'users.write',
  method: 'POST',
  path: '/api/users/bulk/update-squads',
  body: z.object({ uuids, activeInternalSquads: squadUuids }),
  response: affectedRows,
})

export const bulkUpdateAllUsers = endpoint({
  name: 'bulkUpdateAllUsers',
  title: 'Bulk Update All Users',
  tag,
  access: 'users.write',
  method: 'POST',
  path: '/api/users/bulk/all/update',
  body: bulkUserFields,
  response: eventSent,
})

export const bulkResetAllUsersTraffic = endpoint({
  name: 'bulkResetAllUsersTraffic',
  title: 'Bulk Reset All Users Traffic',
  tag,
  access: 'users.write',
  method: 'POST',
  path: '/api/users/bulk/all/reset-traffic',
  response: eventSent,
})

/** The effect of a bulk action or of a change that cuts users off, read before it runs. Own addition. */
export const getUsersImpact = endpoint({
  name: 'getUsersImpact',
  title: 'Get Users Impact',
  tag,
  access: 'users.read',
  method: 'POST',
  path: '/api/x/users/impact',
  bodyMegabytes: 1,
  body: z.object({ ...targetUsers, status: userStatus.optional() }),
  response: z.object({ users: z.number(), onlineNow: z.number(), nodes: z.number() }),
})

/** By how much an expiry is moved at most. */
export const MOST_EXTENDED = { months: 120, days: 3650 } as const
const extension = (most: number) => wireInt.min(0, 'must not be negative').max(most, `must be at most ${most}`).optional()

/**
 * Moves the expiry of each by this much, counted from the later of now and what it is. Those without an end keep it, and
 * expired users come back. Own addition.
 */
export const extendUsers = endpoint({
  name: 'extendUsers',
  title: 'Extend Users',
  tag,
  access: 'users.write',
  method: 'POST',
  path: '/api/x/users/extend',
  bodyMegabytes: 1,
  body: z.object({
    ...targetUsers,
    expected: expectedUsers,
    months: extension(MOST_EXTENDED.months),
    days: extension(MOST_EXTENDED.days),
  }),
  response: affectedRows,
})

/** Expiry dates that a change would affect, read before it is made. Own addition. */
export const previewExpiry = endpoint({
  name: 'previewExpiry',
  title: 'Preview A Change Of Expiry',
  tag,
  access: 'users.read',
  method: 'POST',
  path: '/api/x/users/expiry-preview',
  bodyMegabytes: 1,
  body: z.object({ ...targetUsers, expireAt: wireDateTime.optional() }),
  response: z.object({
    users: z.number(),
    past: z.number().describe('whose expiry has passed'),
    endless: z.number().describe('who never expire'),
    movedBack: z.number().describe('whose expiry lies after `expireAt`'),
  }),
})

const extendDays = wireInt.min(1, 'must be at least 1').max(9999, 'must be at most 9999')

export const bulkExtendUsers = endpoint({
  name: 'bulkExtendUsers',
  title: 'Bulk Extend Users',
  since: '2.3',
  userKeys: MANY_USERS,
  tag,
  access: 'users.write',
  method: 'POST',
  path: '/api/users/bulk/extend-expiration-date',
  body: z.object({ uuids, extendDays }),
  response: affectedRows,
})

export const bulkExtendAllUsers = endpoint({
  name: 'bulkExtendAllUsers',
  title: 'Bulk Extend All Users',
  since: '2.3',
  tag,
  access: 'users.write',
  method: 'POST',
  path: '/api/users/bulk/all/extend-expiration-date',
  body: z.object({ extendDays }),
  response: eventSent,
})
