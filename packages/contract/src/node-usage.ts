import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { queryNumber, wireInstant, wireUuid } from './wire.ts'

// Data of the node charts. Own additions beside the wire's ranges. Those repeat themselves too often for half a year
// of five hundred nodes, and name every user of a node.

const tag = 'Nodes Usage'

/** Periods that charts of nodes and of their users offer, in days of the installation up to and including the running one. */
export const NODES_PERIODS = [7, 14, 30, 60, 90, 180] as const
export const NODE_USERS_PERIODS = [...NODES_PERIODS, 365] as const

const daysOf = (counts: readonly number[]) =>
  queryNumber
    .refine((days) => counts.includes(days), `must be one of ${counts.join(', ')}`)
    .describe(`${counts.join(', ')}: so many days of the installation, up to and including the running one`)

const days = z.array(z.string()).describe('days of the installation as YYYY-MM-DD, oldest first; the last one is still running')

export const listNodesUsageByDay = endpoint({
  name: 'listNodesUsageByDay',
  title: 'Get Nodes Usage By Day',
  tag,
  access: 'nodes.read',
  method: 'GET',
  path: '/api/x/nodes/usage',
  query: z.object({ days: daysOf(NODES_PERIODS) }),
  response: z.object({
    days,
    runningSince: wireInstant.describe('when the running day began'),
    nodes: z
      .array(
        z.object({
          uuid: wireUuid,
          name: z.string(),
          countryCode: z.string(),
          bytes: z.array(z.number()).describe('one figure for each day'),
        }),
      )
      .describe('nodes that moved anything within the period, in the order of the list of nodes'),
  }),
})

export const getNodeTopUsers = endpoint({
  name: 'getNodeTopUsers',
  title: 'Get Node Top Users',
  tag,
  access: 'nodes.read',
  method: 'GET',
  path: '/api/x/nodes/:uuid/top-users',
  params: z.object({ uuid: wireUuid }),
  query: z.object({ days: daysOf(NODE_USERS_PERIODS) }),
  response: z.object({
    days,
    users: z
      .array(z.object({ uuid: wireUuid, username: z.string(), total: z.number(), bytes: z.array(z.number()) }))
      .describe('who moved most, at most a hundred of them, or ten over more than thirty days; raw bytes'),
    userCount: z
      .number()
      .describe('about how many users moved anything: counted once a day, without those whom only the running day has'),
    usersByDay: z.array(z.number()).describe('how many users moved anything on each day'),
    bytesByDay: z.array(z.number()).describe('what all users moved on each day'),
    countedThrough: z.string().nullable().describe('the last day whose order is counted already; null before the first count'),
  }),
})

const tagBytes = z.array(z.object({ tag: z.string(), uploadBytes: z.number(), downloadBytes: z.number() }))

export const listNodesTraffic = endpoint({
  name: 'listNodesTraffic',
  title: 'Get Nodes Traffic',
  tag,
  access: 'system.read',
  method: 'GET',
  path: '/api/x/nodes/traffic',
  response: z.object({
    nodes: z.array(
      z.object({
        uuid: wireUuid,
        name: z.string(),
        countryCode: z.string(),
        providerName: z.string().nullable(),
        isConnected: z.boolean(),
        isDisabled: z.boolean(),
        usersOnline: z.number(),
        countedThroughAt: wireInstant.nullable().describe('up to when the figures are; null for a node that never reported any'),
        inbounds: tagBytes.describe('by what came in, since the node was made; what is idle has 0'),
        outbounds: tagBytes,
      }),
    ),
  }),
})
