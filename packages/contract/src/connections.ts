import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { isIpAddress } from './host-address.ts'
import { USER_KEYS } from './users.ts'
import { wireId, wireInstant, wireInt, wireList, wireUuid } from './wire.ts'

// Connected users and their addresses. A reading is a job: it is started, and its answer asked for until it is complete. Two families of
// routes say the same: `ip-control` of 2.6 to 2.8 and `connections` since 3.0.

const tag = 'Connections'
const jobId = z.object({ jobId: z.string() })
const started = z.object({ jobId: z.string() })
/** More are dropped by several calls. */
const MOST = 10_000

const ips = z.array(z.object({ ip: z.string(), lastSeen: wireInstant.describe('start of the latest connection') }))
const error = z.string().nullable().describe('why its agent could not say; an addition of ours')
const ofNode = z.object({ nodeUuid: wireUuid, nodeName: z.string(), countryCode: z.string(), ips, error })
const state = {
  isCompleted: z.boolean(),
  isFailed: z.boolean(),
}
const progress = z.object({ total: wireInt, completed: wireInt, percent: wireInt })
const byUser = z.object({
  success: z.boolean().describe('whether a node could say'),
  userUuid: wireUuid,
  nodes: z.array(ofNode).describe('where the user is connected, and those that could not say'),
})
const byNode = z.object({ success: z.boolean(), nodeUuid: wireUuid, error })

export const readUserConnections = endpoint({
  name: 'readUserConnections',
  title: 'Read Connections of User',
  since: '3.0',
  userKeys: { userUuid: 'userId' },
  tag,
  access: 'users.read',
  method: 'POST',
  path: '/api/connections/by-user/:userUuid',
  params: z.object({ userUuid: wireUuid }),
  status: 201,
  response: started,
})
export const getUserConnections = endpoint({
  name: 'getUserConnections',
  title: 'Get Connections of User',
  since: '3.0',
  tag,
  access: 'users.read',
  method: 'GET',
  path: '/api/connections/by-user/:jobId',
  params: jobId,
  response: z.object({ ...state, progress, result: byUser.extend({ userId: wireId }).nullable() }),
})
export const readNodeConnections = endpoint({
  name: 'readNodeConnections',
  title: 'Read Connections of Node',
  since: '3.0',
  tag,
  access: 'users.read',
  method: 'POST',
  path: '/api/connections/by-node/:nodeUuid',
  params: z.object({ nodeUuid: wireUuid }),
  status: 201,
  response: started,
})
export const getNodeConnections = endpoint({
  name: 'getNodeConnections',
  title: 'Get Connections of Node',
  since: '3.0',
  tag,
  access: 'users.read',
  method: 'GET',
  path: '/api/connections/by-node/:jobId',
  params: jobId,
  response: z.object({
    ...state,
    result: byNode.extend({ users: z.array(z.object({ userId: wireId, ips })) }).nullable(),
  }),
})

export const fetchUserIps = endpoint({
  name: 'fetchUserIps',
  title: 'Fetch IPs of User',
  since: '2.6',
  userKeys: USER_KEYS,
  tag,
  access: 'users.read',
  method: 'POST',
  path: '/api/ip-control/fetch-ips/:uuid',
  params: z.object({ uuid: wireUuid }),
  status: 201,
  response: started,
})
export const getUserIps = endpoint({
  name: 'getUserIps',
  title: 'Get IPs of User',
  since: '2.6',
  tag,
  access: 'users.read',
  method: 'GET',
  path: '/api/ip-control/fetch-ips/result/:jobId',
  params: jobId,
  response: z.object({ ...state, progress, result: byUser.extend({ userId: z.string() }).nullable() }),
})
export const fetchNodeIps = endpoint({
  name: 'fetchNodeIps',
  title: 'Fetch IPs of Node',
  since: '2.7',
  tag,
  access: 'users.read',
  method: 'POST',
  path: '/api/ip-control/fetch-users-ips/:nodeUuid',
  params: z.object({ nodeUuid: wireUuid }),
  status: 201,
  response: started,
})
export const getNodeIps = endpoint({
  name: 'getNodeIps',
  title: 'Get IPs of Node',
  since: '2.7',
  tag,
  access: 'users.read',
  method: 'GET',
  path: '/api/ip-control/fetch-users-ips/result/:jobId',
  params: jobId,
  response: z.object({
    ...state,
    result: byNode.extend({ users: z.array(z.object({ userId: z.string(), ips })) }).nullable(),
  }),
})

const filled = <T extends z.ZodType>(entry: T) =>
  wireList(entry, MOST).refine((list) => list.length > 0, 'must have at least one entry')
const whom = z.object({
  dropBy: z.discriminatedUnion('by', [
    z.object({ by: z.literal('userUuids'), userUuids: filled(wireUuid) }),
    z.object({ by: z.literal('userIds'), userIds: filled(wireId) }),
    z.object({
      by: z.literal('ipAddresses'),
      ipAddresses: filled(z.string().refine(isIpAddress, 'must be an address of IPv4 or IPv6')),
    }),
  ]),
  targetNodes: z.discriminatedUnion('target', [
    z.object({ target: z.literal('allNodes') }),
    z.object({ target: z.literal('specificNodes'), nodeUuids: filled(wireUuid) }),
  ]),
})
const dropped = z.object({
  eventSent: z.boolean().describe('whether a node was told'),
  nodes: z
    .array(z.object({ nodeUuid: wireUuid, nodeName: z.string(), closed: wireInt, error: z.string().nullable() }))
    .describe('how many connections each node has closed, or why it could not; an addition of ours'),
})

export const dropConnections = endpoint({
  name: 'dropConnections',
  title: 'Drop Connections',
  since: '3.0',
  tag,
  access: 'users.write',
  method: 'POST',
  path: '/api/connections/drop',
  body: whom,
  response: dropped,
})
export const dropIpConnections = endpoint({
  name: 'dropIpConnections',
  title: 'Drop Connections By IP Control',
  since: '2.6',
  tag,
  access: 'users.write',
  method: 'POST',
  path: '/api/ip-control/drop-connections',
  body: whom,
  response: dropped,
})
