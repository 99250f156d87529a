import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { later } from './generations.ts'
import { tableQuery } from './table-query.ts'
import { wireId, wireInstant, wireUuid } from './wire.ts'

// Fetches of subscriptions, as later panels of this generation list them.

/** How many requests of each user are kept. */
export const KEPT_REQUESTS = 24

const record = z.object({
  id: z.number(),
  userUuid: wireUuid,
  requestIp: z.string().nullable(),
  userAgent: z.string().nullable(),
  requestAt: wireInstant,
  userId: later('2.8', wireId),
  srrRuleName: later('3.1', z.string().nullable()),
  srrResponseType: later('3.1', z.string()).describe('UNKNOWN: what was answered was not recorded'),
})
export type SubscriptionRequestRecord = z.output<typeof record>

const records = z.object({ total: z.number(), records: z.array(record) })

const tag = 'Subscription request history'

export const listSubscriptionRequests = endpoint({
  name: 'listSubscriptionRequests',
  title: 'Get Subscription Request History',
  tag,
  access: 'users.read',
  method: 'GET',
  path: '/api/subscription-request-history',
  query: tableQuery(['id', 'userUuid', 'requestIp', 'userAgent', 'requestAt', 'srrRuleName', 'srrResponseType']),
  response: records,
})
export const getSubscriptionRequestStats = endpoint({
  name: 'getSubscriptionRequestStats',
  title: 'Get Subscription Request History Stats',
  tag,
  access: 'users.read',
  method: 'GET',
  path: '/api/subscription-request-history/stats',
  response: z.object({
    byParsedApp: z.array(
      z.object({ app: z.string().describe('the part of the user agent before the slash'), count: z.number() }),
    ),
    hourlyRequestStats: z.array(z.object({ dateTime: wireInstant, requestCount: z.number() })).describe('of the last two days'),
  }),
})
export const listUserSubscriptionRequests = endpoint({
  name: 'listUserSubscriptionRequests',
  userKeys: { uuid: 'id' },
  title: 'Get User Subscription Request History',
  tag,
  access: 'users.read',
  method: 'GET',
  path: '/api/users/:uuid/subscription-request-history',
  params: z.object({ uuid: wireUuid }),
  response: records,
})
