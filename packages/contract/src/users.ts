import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { later } from './generations.ts'
import { trafficPeriod, type TrafficSortId } from './traffic.ts'
import { userFilterId, userSortId } from './user-columns.ts'
import {
  jsonText,
  queryNumber,
  wireDateTime,
  wireEmail,
  wireId,
  wireInstant,
  wireInt,
  wireList,
  wireRecord,
  wireText,
  wireUuid,
} from './wire.ts'

export const userStatus = z.enum(['ACTIVE', 'DISABLED', 'LIMITED', 'EXPIRED'])
export type UserStatus = z.output<typeof userStatus>

export const trafficLimitStrategy = z.enum(['NO_RESET', 'DAY', 'WEEK', 'MONTH'])
export type TrafficLimitStrategy = z.output<typeof trafficLimitStrategy>

/** Administrators switch users on and off; LIMITED and EXPIRED are found by the server. */
export const settableStatus = z.enum(['ACTIVE', 'DISABLED'])

export const username = z
  .string()
  .min(3, 'must have at least 3 characters')
  .max(36, 'must have at most 36 characters')
  .regex(/^[a-zA-Z0-9_-]+$/, 'may contain only letters, digits, underscores and dashes')

export const userTag = z
  .string()
  .max(16, 'must have at most 16 characters')
  .regex(/^[A-Z0-9_]+$/, 'may contain only uppercase letters, digits and underscores')

const password = z.string().min(8, 'must have at least 8 characters').max(32, 'must have at most 32 characters')
// oxlint-disable-next-line boundaries/rooms -- the wire's rule is about the present moment, so the schema must ask the clock
const futureDateTime = wireDateTime.refine((text) => Date.parse(text) > Date.now(), 'must lie in the future')
export const squadUuids = wireList(wireUuid, 1000)

const MAX_DESCRIPTION = 10_000
const MAX_EMAIL = 320

/** Stands in addresses as it is. */
const shortUuid = z.string().regex(/^(?!\.+$)[\w.~-]+$/, 'may contain only letters, digits, underscores, dashes, dots and tildes')

/** The fields an administrator edits. Create, update and bulk update are all made from these. */
export const userFields = z.object({
  trafficLimitBytes: wireInt.min(0, 'must not be negative').describe('0 means unlimited'),
  trafficLimitStrategy,
  expireAt: futureDateTime,
  description: wireText(MAX_DESCRIPTION).nullable(),
  tag: userTag.nullable(),
  telegramId: wireInt.nullable(),
  email: wireEmail.max(MAX_EMAIL, `must have at most ${MAX_EMAIL} characters`).nullable(),
  hwidDeviceLimit: wireInt.min(0, 'must not be negative').nullable().describe('null: the fallback limit; 0: no limit'),
  externalSquadUuid: wireUuid.nullable().meta({ 'x-since': '2.2' }),
})

// Members of later generations follow all others, as they are written.
export const user = userFields.omit({ externalSquadUuid: true }).extend({
  uuid: wireUuid,
  // Stored values may be older than the bounds.
  description: z.string().nullable(),
  email: wireEmail.nullable(),
  shortUuid: z.string(),
  username: z.string(),
  status: userStatus,
  usedTrafficBytes: z.number(),
  lifetimeUsedTrafficBytes: z.number(),
  trafficLimitBytes: wireInt,
  subLastUserAgent: z.string().nullable(),
  subLastOpenedAt: wireInstant.nullable(),
  expireAt: wireInstant,
  onlineAt: wireInstant.nullable(),
  subRevokedAt: wireInstant.nullable(),
  lastTrafficResetAt: wireInstant.nullable(),
  trojanPassword: z.string(),
  vlessUuid: wireUuid,
  ssPassword: z.string(),
  tag: z.string().nullable(),
  hwidDeviceLimit: wireInt.nullable(),
  firstConnectedAt: wireInstant.nullable(),
  lastTriggeredThreshold: wireInt,
  createdAt: wireInstant,
  updatedAt: wireInstant,
  activeInternalSquads: z.array(z.object({ uuid: wireUuid, name: z.string() })),
  subscriptionUrl: z.string(),
  lastConnectedNode: z.object({ connectedAt: wireInstant, nodeName: z.string(), countryCode: z.string() }).nullable(),
  happ: z.object({ cryptoLink: z.string() }),
  id: later('2.3', wireId),
  userTraffic: later(
    '2.3',
    z.object({
      usedTrafficBytes: z.number(),
      lifetimeUsedTrafficBytes: z.number(),
      onlineAt: wireInstant.nullable(),
      firstConnectedAt: wireInstant.nullable(),
      lastConnectedNodeUuid: wireUuid.nullable(),
    }),
  ),
  externalSquadUuid: later('2.2', wireUuid.nullable()),
  extraTrafficBytes: wireInt.optional().describe('part of the limit that the next reset takes back; own addition'),
})
export type User = z.output<typeof user>

const optionalOnCreate = userFields.omit({ expireAt: true, description: true }).partial()

const createBody = optionalOnCreate.extend({
  username,
  status: userStatus.optional(),
  shortUuid: shortUuid.max(255, 'must have at most 255 characters').optional(),
  trojanPassword: password.optional(),
  vlessUuid: wireUuid.optional(),
  ssPassword: password.optional(),
  trafficLimitBytes: userFields.shape.trafficLimitBytes.optional(),
  expireAt: wireDateTime.describe('may lie in the past'),
  createdAt: wireDateTime.optional(),
  lastTrafficResetAt: wireDateTime.optional(),
  description: wireText(MAX_DESCRIPTION).optional(),
  activeInternalSquads: squadUuids.optional(),
  uuid: wireUuid.optional().describe('chosen by the caller; generated when absent'),
})

const updateBody = userFields.partial().extend({
  uuid: wireUuid.optional(),
  username: z.string().optional().describe('whose it is, where there is no uuid; names are not changed'),
  status: settableStatus.optional(),
  activeInternalSquads: squadUuids.optional(),
})

/** Bulk bodies take all four statuses, as the wire does; the last two are refused (`invalidUserStatusError`). */
export const bulkUserFields = userFields.partial().extend({ status: userStatus.optional() })

/** A user as the list gives it. */
export const listedUser = user.extend({
  traffic: z.record(trafficPeriod, z.number()).optional().describe('raw bytes of each period; own addition'),
})
export type ListedUser = z.output<typeof listedUser>

/** Values of the filter `among`: groups of users that depend on the current time. Own addition, as `search` is. */
export const userGroup = z.enum([
  'expiringThisWeek',
  'nearLimit',
  'neverConnected',
  'awayForMonth',
  'newThisWeek',
  'onlineNow',
  'onlineLastDay',
  'onlineLastWeek',
  'neverOnline',
])
export type UserGroup = z.output<typeof userGroup>

// Columns are named apart from what they hold, which the names must be of.
const filterId = userFilterId satisfies z.ZodType<keyof User | 'nodeName' | 'search' | 'among'>
const sortId = userSortId satisfies z.ZodType<keyof User | TrafficSortId>

/** Far more than there are columns to filter and sort by. */
const MOST_COLUMNS = 100
export const userFilters = wireList(z.object({ id: filterId, value: z.unknown().optional() }), MOST_COLUMNS)
export const userFilterModes = wireRecord(z.string(), z.string(), MOST_COLUMNS)
const sorting = wireList(z.object({ id: sortId, desc: z.boolean() }), MOST_COLUMNS)

export const usersQuery = z.object({
  start: queryNumber.optional(),
  size: queryNumber.min(1, 'must be at least 1').max(1000, 'must be at most 1000').optional(),
  filters: jsonText(userFilters).optional(),
  filterModes: jsonText(userFilterModes).optional(),
  globalFilterMode: z.string().optional(),
  sorting: jsonText(sorting).optional(),
})

const tag = 'Users'
const byUuid = z.object({ uuid: wireUuid })
/** A user is named by uuid or, since 3.0, by number. */
export const USER_KEYS = { uuid: 'id' } as const

export const createUser = endpoint({
  name: 'createUser',
  creates: true,
  title: 'Create User',
  tag,
  access: 'users.write',
  method: 'POST',
  path: '/api/users',
  body: createBody,
  response: user,
  status: 201,
})
export const updateUser = endpoint({
  name: 'updateUser',
  userKeys: USER_KEYS,
  title: 'Update User',
  tag,
  access: 'users.write',
  method: 'PATCH',
  path: '/api/users',
  body: updateBody,
  response: user,
})
export const listUsers = endpoint({
  name: 'listUsers',
  title: 'Get All Users',
  tag,
  access: 'users.read',
  method: 'GET',
  path: '/api/users',
  query: usersQuery,
  response: z.object({ users: z.array(listedUser), total: z.number() }),
})
export const deleteUser = endpoint({
  name: 'deleteUser',
  userKeys: USER_KEYS,
  title: 'Delete User',
  tag,
  access: 'users.write',
  method: 'DELETE',
  path: '/api/users/:uuid',
  params: byUuid,
  response: z.object({ isDeleted: z.boolean() }),
})
export const getUser = endpoint({
  name: 'getUser',
  userKeys: USER_KEYS,
  title: 'Get User',
  tag,
  access: 'users.read',
  method: 'GET',
  path: '/api/users/:uuid',
  params: byUuid,
  response: user,
})
export const listUserTags = endpoint({
  name: 'listUserTags',
  title: 'Get All Tags',
  tag,
  access: 'users.read',
  method: 'GET',
  path: '/api/users/tags',
  response: z.object({ tags: z.array(z.string()) }),
})
export const getUserByShortUuid = endpoint({
  name: 'getUserByShortUuid',
  title: 'Get User By Short UUID',
  tag,
  access: 'users.read',
  method: 'GET',
  path: '/api/users/by-short-uuid/:shortUuid',
  params: z.object({ shortUuid: z.string() }),
  response: user,
})
export const getUserByUsername = endpoint({
  name: 'getUserByUsername',
  title: 'Get User By Username',
  tag,
  access: 'users.read',
  method: 'GET',
  path: '/api/users/by-username/:username',
  params: z.object({ username: z.string() }),
  response: user,
})
export const listUsersByTelegramId = endpoint({
  name: 'listUsersByTelegramId',
  title: 'Get Users By Telegram ID',
  tag,
  access: 'users.read',
  method: 'GET',
  path: '/api/users/by-telegram-id/:telegramId',
  params: z.object({ telegramId: z.string() }),
  response: z.array(user),
})
export const listUsersByEmail = endpoint({
  name: 'listUsersByEmail',
  title: 'Get Users By Email',
  tag,
  access: 'users.read',
  method: 'GET',
  path: '/api/users/by-email/:email',
  params: z.object({ email: wireEmail }),
  response: z.array(user),
})
export const listUsersByTag = endpoint({
  name: 'listUsersByTag',
  title: 'Get Users By Tag',
  tag,
  access: 'users.read',
  method: 'GET',
  path: '/api/users/by-tag/:tag',
  params: z.object({ tag: userTag }),
  response: z.array(user),
})
export const enableUser = endpoint({
  name: 'enableUser',
  userKeys: USER_KEYS,
  title: 'Enable User',
  tag,
  access: 'users.write',
  method: 'POST',
  path: '/api/users/:uuid/actions/enable',
  params: byUuid,
  response: user,
})
export const disableUser = endpoint({
  name: 'disableUser',
  userKeys: USER_KEYS,
  title: 'Disable User',
  tag,
  access: 'users.write',
  method: 'POST',
  path: '/api/users/:uuid/actions/disable',
  params: byUuid,
  response: user,
})
export const resetUserTraffic = endpoint({
  name: 'resetUserTraffic',
  userKeys: USER_KEYS,
  title: 'Reset User Traffic',
  tag,
  access: 'users.write',
  method: 'POST',
  path: '/api/users/:uuid/actions/reset-traffic',
  params: byUuid,
  response: user,
})
export const revokeUserSubscription = endpoint({
  name: 'revokeUserSubscription',
  userKeys: USER_KEYS,
  title: 'Revoke User Subscription',
  tag,
  access: 'users.write',
  method: 'POST',
  path: '/api/users/:uuid/actions/revoke',
  params: byUuid,
  body: z.object({
    shortUuid: shortUuid.min(6, 'must have at least 6 characters').max(64, 'must have at most 64 characters').optional(),
    revokeOnlyPasswords: later('2.5', z.boolean()).describe('true: the link stays'),
  }),
  response: user,
})
export const getUserUsage = endpoint({
  name: 'getUserUsage',
  userKeys: USER_KEYS,
  title: 'Get User Usage By Range',
  tag,
  access: 'users.read',
  method: 'GET',
  path: '/api/users/stats/usage/:uuid/range',
  params: byUuid,
  query: z.object({ start: z.string(), end: z.string() }),
  reserved: { countryCode: 'nodes.read' },
  response: z.array(
    z.object({
      userUuid: wireUuid,
      nodeUuid: wireUuid,
      nodeName: z.string(),
      countryCode: z.string(),
      total: z.number(),
      date: wireInstant,
    }),
  ),
})
