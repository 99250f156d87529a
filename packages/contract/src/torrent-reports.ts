import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { tableQuery } from './table-query.ts'
import { wireId, wireInstant, wireInt, wireUuid } from './wire.ts'

// Torrents that nodes have caught.

const tag = 'Node plugins'
const text = z.string().nullable()

export const torrentReportOf = z.object({
  actionReport: z.object({
    blocked: z.boolean(),
    ip: z.string(),
    blockDuration: wireInt.describe('seconds; 0: for ever'),
    willUnblockAt: wireInstant,
    userId: z.string(),
    processedAt: wireInstant,
  }),
  xrayReport: z.object({
    email: text,
    level: wireInt.nullable(),
    protocol: text,
    network: z.string(),
    source: text,
    destination: text,
    routeTarget: text,
    originalTarget: text,
    inboundTag: text,
    inboundName: text,
    inboundLocal: text,
    outboundTag: text,
    ts: wireInt,
  }),
})

export const listTorrentReports = endpoint({
  name: 'listTorrentReports',
  title: 'Get Torrent Reports',
  since: '2.7',
  tag,
  access: 'users.read',
  method: 'GET',
  path: '/api/node-plugins/torrent-blocker',
  query: tableQuery(['id', 'userId', 'nodeId', 'username', 'ip', 'createdAt']),
  response: z.object({
    records: z.array(
      z.object({
        id: z.number(),
        userId: wireId,
        nodeId: wireId,
        user: z.object({ uuid: wireUuid.optional(), username: z.string() }),
        node: z.object({ uuid: wireUuid, name: z.string(), countryCode: z.string() }),
        report: torrentReportOf,
        createdAt: wireInstant,
      }),
    ),
    total: wireInt,
  }),
})
export const getTorrentStats = endpoint({
  name: 'getTorrentStats',
  title: 'Get Torrent Reports Stats',
  since: '2.7',
  tag,
  access: 'users.read',
  method: 'GET',
  path: '/api/node-plugins/torrent-blocker/stats',
  response: z.object({
    stats: z.object({ distinctNodes: wireInt, distinctUsers: wireInt, totalReports: wireInt, reportsLast24Hours: wireInt }),
    topUsers: z.array(
      z.object({ userId: wireId, uuid: wireUuid.optional(), color: z.string(), username: z.string(), total: wireInt }),
    ),
    topNodes: z.array(z.object({ uuid: wireUuid, countryCode: z.string(), color: z.string(), name: z.string(), total: wireInt })),
  }),
})
export const truncateTorrentReports = endpoint({
  name: 'truncateTorrentReports',
  title: 'Delete Torrent Reports',
  since: '2.7',
  tag,
  access: 'nodes.write',
  method: 'DELETE',
  path: '/api/node-plugins/torrent-blocker/truncate',
  response: z.object({ records: z.array(z.unknown()), total: wireInt }),
})
