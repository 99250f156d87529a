import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { listNodesRealtimeUsage, listNodeUsersUsage } from './nodes.ts'
import { getUserUsage, USER_KEYS } from './users.ts'
import { queryNumber, wireId, wireList, wireUuid } from './wire.ts'

// Bandwidth by days, as later generations ask for it. Days are those of the installation.

const tag = 'Bandwidth stats'
const date = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}(T.*)?$/, 'must be a day such as 2026-01-31')
  .describe('a day, included')
const days = z.object({ start: date, end: date })
const limit = (most: number) =>
  queryNumber.min(1, 'must be at least 1').max(most, `must be at most ${most}`).refine(Number.isInteger, 'must be a whole number')
const MOST = 10_000
const byUuid = z.object({ uuid: wireUuid })
const total = z.number().describe('bytes')

const chart = {
  categories: z.array(z.string()).describe('the days'),
  sparklineData: z.array(z.number()).describe('bytes of each'),
}
const nodeLabel = { uuid: wireUuid, name: z.string(), color: z.string(), countryCode: z.string() }
const byNodes = z.object({
  ...chart,
  topNodes: z.array(z.object({ ...nodeLabel, total })),
  series: z.array(z.object({ ...nodeLabel, total, data: z.array(z.number()) })),
})
const byUsers = z.object({
  ...chart,
  topUsers: z.array(z.object({ color: z.string(), username: z.string(), total })),
})
const least = queryNumber.min(0, 'must not be negative').optional()
const nodesUuids = z.object({ nodesUuids: wireList(wireUuid, MOST) })

export const getNodesBandwidth = endpoint({
  name: 'getNodesBandwidth',
  title: 'Get Nodes Bandwidth',
  since: '2.4',
  tag,
  access: 'nodes.read',
  method: 'GET',
  path: '/api/bandwidth-stats/nodes',
  query: days.extend({ topNodesLimit: limit(MOST).optional() }),
  response: byNodes,
})
export const getNodeUsersBandwidth = endpoint({
  name: 'getNodeUsersBandwidth',
  title: 'Get Node Users Bandwidth',
  since: '2.4',
  tag,
  access: 'nodes.read',
  method: 'GET',
  path: '/api/bandwidth-stats/nodes/:uuid/users',
  params: byUuid,
  query: days.extend({ topUsersLimit: limit(MOST).optional() }),
  reserved: { topUsers: 'users.read' },
  response: byUsers,
})
export const getNodesUsersBandwidth = endpoint({
  name: 'getNodesUsersBandwidth',
  title: 'Get Nodes Users Bandwidth',
  since: '2.8',
  tag,
  access: 'nodes.read',
  method: 'POST',
  path: '/api/bandwidth-stats/nodes/users',
  query: days.extend({ topUsersLimit: limit(MOST).optional() }),
  body: nodesUuids,
  reserved: { topUsers: 'users.read' },
  response: byUsers,
})
export const getNodesUsage = endpoint({
  name: 'getNodesUsage',
  title: 'Get Nodes Usage',
  since: '3.0',
  tag,
  access: 'nodes.read',
  method: 'POST',
  path: '/api/bandwidth-stats/nodes/usage',
  query: days.extend({ minTotalBytes: least }),
  body: nodesUuids,
  response: z.object({
    nodes: z.array(z.object({ uuid: wireUuid, users: z.array(z.object({ id: wireId, totalBytes: z.number() })) })),
  }),
})
export const getUserBandwidth = endpoint({
  name: 'getUserBandwidth',
  title: 'Get User Bandwidth',
  since: '2.4',
  userKeys: USER_KEYS,
  tag,
  access: 'users.read',
  method: 'GET',
  path: '/api/bandwidth-stats/users/:uuid',
  params: byUuid,
  query: days.extend({ topNodesLimit: limit(MOST).optional() }),
  reserved: { topNodes: 'nodes.read', series: 'nodes.read' },
  response: byNodes,
})
export const getUserBandwidthLegacy = endpoint({
  name: 'getUserBandwidthLegacy',
  title: 'Get User Usage By Range',
  since: '2.4',
  userKeys: USER_KEYS,
  tag,
  access: 'users.read',
  method: 'GET',
  path: '/api/bandwidth-stats/users/:uuid/legacy',
  params: byUuid,
  query: getUserUsage.query,
  reserved: { countryCode: 'nodes.read' },
  response: getUserUsage.response,
})
export const getNodeUsersBandwidthLegacy = endpoint({
  name: 'getNodeUsersBandwidthLegacy',
  title: 'Get Node Users Usage By Range',
  since: '2.4',
  tag,
  access: 'nodes.read',
  method: 'GET',
  path: '/api/bandwidth-stats/nodes/:uuid/users/legacy',
  params: byUuid,
  query: listNodeUsersUsage.query,
  reserved: { '': 'users.read' },
  response: listNodeUsersUsage.response,
})
export const getSquadUsage = endpoint({
  name: 'getSquadUsage',
  title: 'Get Internal Squad Usage',
  since: '3.0',
  tag,
  access: 'squads.read',
  method: 'GET',
  path: '/api/bandwidth-stats/internal-squads/:uuid/usage',
  params: byUuid,
  query: days.extend({
    minTotalBytes: least,
    limit: limit(1000).optional(),
    cursor: z
      .string()
      .regex(/^\d{1,16}$/, 'must be a cursor of this route')
      .optional(),
  }),
  response: z.object({
    squadUuid: wireUuid,
    users: z.array(z.object({ id: wireId, totalBytes: z.number() })),
    nextCursor: z.string().nullable(),
    hasMore: z.boolean(),
  }),
})
export const getSquadUserUsage = endpoint({
  name: 'getSquadUserUsage',
  title: 'Get Internal Squad User Usage',
  since: '3.0',
  userKeys: { userUuid: 'userId' },
  tag,
  access: 'squads.read',
  method: 'GET',
  path: '/api/bandwidth-stats/internal-squads/:squadUuid/users/:userUuid/usage',
  params: z.object({ squadUuid: wireUuid, userUuid: wireUuid }),
  query: days,
  reserved: { days: 'users.read' },
  response: z.object({
    days: z.array(z.object({ date: z.string(), nodes: z.array(z.object({ uuid: wireUuid, totalBytes: z.number() })) })),
  }),
})
/** Of 2.4 to 2.6. */
export const getNodesRealtimeBandwidth = endpoint({
  name: 'getNodesRealtimeBandwidth',
  title: 'Get Nodes Realtime Usage',
  since: '2.4',
  tag,
  access: 'nodes.read',
  method: 'GET',
  path: '/api/bandwidth-stats/nodes/realtime',
  response: listNodesRealtimeUsage.response,
})

/** The same under the address of 3.4. */
export const getSquadUsageByAddress = endpoint({
  ...getSquadUsage,
  name: 'getSquadUsageByAddress',
  since: '3.4',
  path: '/api/internal-squads/:uuid/usage',
})
