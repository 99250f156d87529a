import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { later } from './generations.ts'
import { wireUuid } from './wire.ts'

const tag = 'System'
const zone = z.object({ tz: z.string().optional() })
const period = z.object({ current: z.string(), previous: z.string(), difference: z.string() })
const tagTraffic = z.array(z.object({ tag: z.string(), upload: z.string(), download: z.string() }))

export const getSystemStats = endpoint({
  name: 'getSystemStats',
  title: 'Get System Stats',
  tag,
  access: 'system.read',
  method: 'GET',
  path: '/api/system/stats',
  query: zone,
  response: z.object({
    cpu: z.object({ cores: z.number(), physicalCores: z.number() }),
    memory: z
      .object({ total: z.number(), free: z.number(), used: z.number(), active: z.number(), available: z.number() })
      .describe('bytes'),
    uptime: z.number().describe('seconds since the operating system started'),
    timestamp: z.number(),
    users: z.object({
      statusCounts: z.object({ ACTIVE: z.number(), DISABLED: z.number(), LIMITED: z.number(), EXPIRED: z.number() }),
      totalUsers: z.number(),
      totalTrafficBytes: z.string(),
    }),
    onlineStats: z.object({ lastDay: z.number(), lastWeek: z.number(), neverOnline: z.number(), onlineNow: z.number() }),
    nodes: z.object({ totalOnline: z.number(), totalBytesLifetime: later('2.3', z.string()) }),
  }),
})
/** The same of the users that the caller sees, for roles that see nothing of the machine. Own addition. */
export const getUserCounts = endpoint({
  name: 'getUserCounts',
  title: 'Get User Counts',
  tag,
  access: 'users.read',
  method: 'GET',
  path: '/api/x/users/counts',
  response: z.object({
    users: getSystemStats.response.shape.users.omit({ totalTrafficBytes: true }),
    onlineStats: getSystemStats.response.shape.onlineStats,
  }),
})
export const getBandwidthStats = endpoint({
  name: 'getBandwidthStats',
  title: 'Get Bandwidth Stats',
  tag,
  access: 'system.read',
  method: 'GET',
  path: '/api/system/stats/bandwidth',
  query: zone,
  response: z.object({
    bandwidthLastTwoDays: period,
    bandwidthLastSevenDays: period,
    bandwidthLast30Days: period,
    bandwidthCalendarMonth: period,
    bandwidthCurrentYear: period,
  }),
})
export const getNodesStatistics = endpoint({
  name: 'getNodesStatistics',
  title: 'Get Nodes Statistics',
  tag,
  access: 'system.read',
  method: 'GET',
  path: '/api/system/stats/nodes',
  query: zone,
  response: z.object({ lastSevenDays: z.array(z.object({ nodeName: z.string(), date: z.string(), totalBytes: z.string() })) }),
})
const runtimeMetrics = z.object({
  rss: z.number(),
  heapUsed: z.number(),
  heapTotal: z.number(),
  external: z.number(),
  arrayBuffers: z.number(),
  eventLoopDelayMs: z.number(),
  eventLoopP99Ms: z.number(),
  activeHandles: z.number(),
  uptime: z.number(),
  pid: z.number(),
  timestamp: z.number(),
  instanceId: z.string(),
  instanceType: z.string(),
})
export const getHealth = endpoint({
  name: 'getHealth',
  title: 'Get Health',
  tag,
  access: 'system.read',
  method: 'GET',
  path: '/api/system/health',
  response: z.object({
    pm2Stats: z.array(z.object({ name: z.string(), memory: z.string(), cpu: z.string() })),
    runtimeMetrics: later('2.7', z.array(runtimeMetrics)).describe('of the process that answers'),
  }),
})
export const getNodesMetrics = endpoint({
  name: 'getNodesMetrics',
  title: 'Get Nodes Metrics',
  tag,
  access: 'system.read',
  method: 'GET',
  path: '/api/system/nodes/metrics',
  response: z.object({
    nodes: z.array(
      z.object({
        nodeUuid: wireUuid,
        nodeName: z.string(),
        countryEmoji: z.string(),
        providerName: z.string(),
        usersOnline: z.number(),
        inboundsStats: tagTraffic,
        outboundsStats: tagTraffic,
      }),
    ),
  }),
})
export const getBuild = endpoint({
  name: 'getBuild',
  title: 'Get Build Info',
  tag,
  access: 'system.read',
  method: 'GET',
  path: '/api/x/build',
  response: z.object({
    version: z.string(),
    buildTime: z.string().nullable(),
    commitFull: z.string().nullable(),
    commit: z.string().nullable(),
    tag: z.string().nullable(),
    branch: z.string().nullable(),
    commitUrl: z.string().nullable(),
    links: z
      .object({
        repository: z.string().nullable(),
        communityChat: z.string().nullable(),
        supportChat: z.string().nullable(),
        donation: z.string().nullable(),
      })
      .describe('null: the link is not configured and not shown'),
  }),
})

export const listParts = endpoint({
  name: 'listParts',
  title: 'Get Parts and Licences',
  tag,
  access: 'system.read',
  method: 'GET',
  path: '/api/x/build/parts',
  response: z.object({
    parts: z
      .array(z.object({ name: z.string(), version: z.string(), licence: z.string().describe('SPDX expression') }))
      .describe('the programs first, then the libraries by name'),
  }),
})

export const getRelease = endpoint({
  name: 'getRelease',
  title: 'Get Latest Release',
  tag,
  access: 'system.read',
  method: 'GET',
  path: '/api/x/release',
  response: z.object({
    isConfigured: z.boolean().describe('whether this server asks anybody at all'),
    latestTag: z.string().nullable(),
    stars: z.number().nullable(),
  }),
})
