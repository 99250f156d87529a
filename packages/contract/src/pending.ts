import { z } from 'zod'
import { endpoint, type Endpoint, type Method } from './endpoint.ts'
import type { Since } from './generations.ts'
import type { Permission } from './permissions.ts'

// Routes of later generations whose feature this product has not got. Reads answer that there is nothing, which is true; writes are
// refused with one error and change nothing. docs/wire.md lists them, and the list only shrinks.

type Line = `${Since} ${Permission} ${Method} /${string}`

/** Lists that are empty. */
const empty: Readonly<Record<Line, Readonly<Record<string, unknown>>>> = {
  '3.3 nodes.read GET /api/node-integrations': { total: 0, nodeIntegrations: [] },
}

/** Single things: there is none of this name. The code is the one of the wire. */
const missing = {
  '3.3 nodes.read GET /api/node-integrations/:uuid': 'nodeIntegrationNotFound',
  '3.3 nodes.read GET /api/connections/geocheck/:jobId': 'jobResultNotFound',
} as const satisfies Record<Line, string>
export type Missing = (typeof missing)[keyof typeof missing]

const refused: readonly Line[] = [
  '3.3 nodes.write POST /api/node-integrations',
  '3.3 nodes.write PATCH /api/node-integrations',
  '3.3 nodes.write DELETE /api/node-integrations/:uuid',
  '3.3 nodes.write POST /api/connections/geocheck/:nodeUuid',
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
