import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { trafficLimitStrategy, user, USER_KEYS, userStatus } from './users.ts'
import { queryNumber, wireEmail, wireId, wireInt, wireUuid } from './wire.ts'

// Ways to users that later generations have: all of them in order, one by whatever is known of it.

const tag = 'Users'

/** Every user once, in the order of their numbers, also while users come and go. */
export const streamUsers = endpoint({
  name: 'streamUsers',
  title: 'Get Users Stream',
  since: '2.8',
  tag,
  access: 'users.read',
  method: 'GET',
  path: '/api/users/stream',
  query: z.object({
    cursor: z
      .string()
      .regex(/^\d{1,16}$/, 'must be a cursor of this route')
      .optional(),
    size: queryNumber.min(1, 'must be at least 1').max(1000, 'must be at most 1000').optional(),
    status: userStatus.optional(),
    trafficLimitStrategy: trafficLimitStrategy.optional(),
    telegramId: z
      .string()
      .regex(/^-?\d{1,16}$/, 'must be a whole number')
      .optional(),
    email: wireEmail.optional(),
    tag: z.string().optional(),
    externalSquadUuid: wireUuid.optional(),
  }),
  response: z.object({ users: z.array(user), nextCursor: z.string().nullable(), hasMore: z.boolean() }),
})

export const resolveUser = endpoint({
  name: 'resolveUser',
  title: 'Resolve User',
  since: '2.7',
  userKeys: USER_KEYS,
  tag,
  access: 'users.read',
  method: 'POST',
  path: '/api/users/resolve',
  body: z.object({
    uuid: wireUuid.optional(),
    shortUuid: z.string().optional(),
    username: z.string().optional(),
  }),
  response: z.object({ id: wireId, uuid: wireUuid, username: z.string(), shortUuid: z.string() }),
})

export const getUserById = endpoint({
  name: 'getUserById',
  title: 'Get User By ID',
  since: '2.3',
  userKeys: USER_KEYS,
  tag,
  access: 'users.read',
  method: 'GET',
  path: '/api/users/by-id/:uuid',
  params: z.object({ uuid: wireUuid }),
  response: user,
})

/** Counted from the later of now and the expiry; an expired user is active again. */
export const extendUser = endpoint({
  name: 'extendUser',
  title: 'Extend User',
  since: '3.0',
  userKeys: USER_KEYS,
  tag,
  access: 'users.write',
  method: 'POST',
  path: '/api/users/:uuid/actions/extend',
  params: z.object({ uuid: wireUuid }),
  body: z.object({ days: wireInt.min(1, 'must be at least 1').max(9999, 'must be at most 9999') }),
  response: user,
})
