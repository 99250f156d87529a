import { z } from 'zod'
import { endpoint, type Endpoint, type Method } from './endpoint.ts'
import type { Since } from './generations.ts'
import type { Permission } from './permissions.ts'

// Routes of later generations whose feature this product has not got. Reads answer that there is nothing, which is true; writes are
// refused with one error and change nothing. docs/wire.md lists them, and the list only shrinks.

type Line = `${Since} ${Permission} ${Method} /${string}`

/** Lists that are empty. */
const empty: Readonly<Record<Line, Readonly<Record<string, unknown>>>> = {
  '2.2 squads.read GET /api/external-squads': { total: 0, externalSquads: [] },
  '2.7 nodes.read GET /api/node-plugins': { total: 0, nodePlugins: [] },
  '2.7 users.read GET /api/node-plugins/torrent-blocker': { records: [], total: 0 },
  '2.7 users.read GET /api/node-plugins/torrent-blocker/stats': {
    stats: { distinctNodes: 0, distinctUsers: 0, totalReports: 0, reportsLast24Hours: 0 },
    topUsers: [],
    topNodes: [],
  },
  '3.3 nodes.read GET /api/node-plugins/shared-lists': { total: 0, sharedLists: [] },
  '3.3 nodes.read GET /api/node-integrations': { total: 0, nodeIntegrations: [] },
  '3.4 squads.read GET /api/external-squads/tags': { tags: [] },
  '3.4 settings.read GET /api/subscription-page-configs/tags': { tags: [] },
  '3.4 nodes.read GET /api/node-plugins/tags': { tags: [] },
}

/** Single things: there is none of this name. The code is the one of the wire. */
const missing = {
  '2.2 squads.read GET /api/external-squads/:uuid': 'externalSquadNotFound',
  '2.7 nodes.read GET /api/node-plugins/:uuid': 'nodePluginNotFound',
  '3.3 nodes.read GET /api/node-plugins/shared-lists/:name': 'sharedListNotFound',
  '3.4 nodes.read GET /api/node-plugins/shared-lists/by-name': 'sharedListNotFound',
  '3.3 nodes.read GET /api/node-integrations/:uuid': 'nodeIntegrationNotFound',
  '3.3 nodes.read GET /api/connections/geocheck/:jobId': 'jobResultNotFound',
} as const satisfies Record<Line, string>
export type Missing = (typeof missing)[keyof typeof missing]

const refused: readonly Line[] = [
  '2.2 squads.write POST /api/external-squads',
  '2.2 squads.write PATCH /api/external-squads',
  '2.2 squads.write DELETE /api/external-squads/:uuid',
  '2.2 squads.write POST /api/external-squads/:uuid/bulk-actions/add-users',
  '2.2 squads.write DELETE /api/external-squads/:uuid/bulk-actions/remove-users',
  '2.3 squads.write POST /api/external-squads/actions/reorder',
  '2.2 settings.write POST /api/subscription-templates',
  '2.2 settings.write DELETE /api/subscription-templates/:uuid',
  '2.2 tools.use POST /api/system/testers/srr-matcher',
  '2.4 settings.write POST /api/subscription-page-configs',
  '2.4 settings.write PATCH /api/subscription-page-configs',
  '2.4 settings.write DELETE /api/subscription-page-configs/:uuid',
  '2.4 settings.write POST /api/subscription-page-configs/actions/clone',
  '2.4 settings.write POST /api/subscription-page-configs/actions/reorder',
  '2.7 nodes.write POST /api/node-plugins',
  '2.7 nodes.write PATCH /api/node-plugins',
  '2.7 nodes.write DELETE /api/node-plugins/:uuid',
  '2.7 nodes.write POST /api/node-plugins/actions/clone',
  '2.7 nodes.write POST /api/node-plugins/actions/reorder',
  '3.3 nodes.write POST /api/node-plugins/actions/sync',
  '2.7 nodes.write POST /api/node-plugins/executor',
  '2.7 nodes.write DELETE /api/node-plugins/torrent-blocker/truncate',
  '3.3 nodes.write POST /api/node-plugins/shared-lists',
  '3.3 nodes.write PATCH /api/node-plugins/shared-lists',
  '3.3 nodes.write DELETE /api/node-plugins/shared-lists/:name',
  '3.3 nodes.write POST /api/node-plugins/shared-lists/actions/sync',
  '3.3 nodes.write POST /api/node-integrations',
  '3.3 nodes.write PATCH /api/node-integrations',
  '3.3 nodes.write DELETE /api/node-integrations/:uuid',
  '3.3 nodes.write POST /api/connections/geocheck/:nodeUuid',
  '3.4 squads.write PATCH /api/external-squads/tags',
  '3.4 settings.write PATCH /api/subscription-page-configs/tags',
  '3.4 nodes.write PATCH /api/node-plugins/tags',
  '3.4 nodes.write DELETE /api/node-plugins/shared-lists',
  '3.0 account.write POST /api/tokens/ott',
]

export interface Pending {
  endpoint: Endpoint
  /** Answer in place of the feature; undefined where a write is refused. */
  reads?: { empty: Readonly<Record<string, unknown>> } | { missing: Missing }
}

/** Every route whose feature is not there. */
export const pending: readonly Pending[] = [
  ...Object.entries(empty).map(([line, answer]) => ({ endpoint: declared(line), reads: { empty: answer } })),
  ...Object.entries(missing).map(([line, name]) => ({ endpoint: declared(line), reads: { missing: name } })),
  ...refused.map((line) => ({ endpoint: declared(line) })),
]

function declared(line: string): Endpoint {
  const [since, access, method, path = ''] = line.split(' ')
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  return endpoint({
    name: `${method} ${path}`,
    title: path.split('/').slice(2).join(' '),
    tag: 'Not available yet',
    since: since as Since, // as the tables above say
    access: access as Endpoint['access'],
    method: method as Method,
    path,
    params: z.object(Object.fromEntries(names.map((name) => [name, z.string()]))),
    response: z.record(z.string(), z.unknown()),
  })
}
