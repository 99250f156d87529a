import { randomBytes } from 'node:crypto'
import { userProtocolOf, withClosedPorts, withoutOpenDoor, withTorrentWebhook } from '@causeway/xray'
import { z } from 'zod'
import { client, clientEntry } from './clients.ts'

/** As much of an Xray config as the agent looks at; everything else is passed through untouched. */
export const xrayConfig = z.looseObject({
  inbounds: z
    .array(z.looseObject({ tag: z.string().optional(), protocol: z.string().optional(), settings: z.unknown().optional() }))
    .optional(),
  policy: z.looseObject({ levels: z.record(z.string(), z.unknown()).nullish(), system: z.unknown().optional() }).nullish(),
})
export type XrayConfig = z.output<typeof xrayConfig>
type Inbound = NonNullable<XrayConfig['inbounds']>[number]

export interface ConfiguredClient {
  id?: string
  email?: string
  password?: string
}

const API_TAG = 'CAUSEWAY_API'

/** Loopback ports of the core and the agent, which ask local programs for no credentials. */
export interface OwnPorts {
  apiPort: number
  visionPort?: number | undefined
  /** Where the core tells of torrents, in its own form of socket and path. */
  torrentWebhook?: string | undefined
}

/** A live change of one inbound's users, as kept for the next start of the core. */
export const clientChange = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('remove'), tag: z.string(), username: z.string() }),
  z.object({ kind: z.literal('add'), tag: z.string(), client }),
])
export type ClientChange = z.output<typeof clientChange>

/** TCP ports that the closing rule of this agent names. */
export function closedPorts({ apiPort, visionPort }: OwnPorts): number[] {
  return visionPort === undefined ? [apiPort] : [apiPort, visionPort]
}

/**
 * The config the core gets: with the API this agent speaks to and the counters it reads (docs/wire.md 24). The closing rule names
 * its own ports in place of the server's. Unlike agents of the 2.1 generation it keeps the administrator's policy and only
 * forces the switches of the counters.
 */
export function effectiveConfig(config: XrayConfig, ports: OwnPorts): XrayConfig {
  const levels = config.policy?.levels ?? {}
  return {
    ...withClosedPorts(withTorrentWebhook(config, ports.torrentWebhook ?? ''), closedPorts(ports)),
    ...(config.inbounds && { inbounds: config.inbounds.map((inbound) => withoutOpenDoor(inbound, randomKey)) }),
    stats: {},
    api: {
      services: ['HandlerService', 'StatsService', 'RoutingService'],
      listen: `127.0.0.1:${ports.apiPort}`,
      tag: API_TAG,
    },
    policy: {
      ...config.policy,
      levels: {
        ...levels,
        '0': { ...asObject(levels['0']), statsUserUplink: true, statsUserDownlink: true, statsUserOnline: true },
      },
      system: {
        ...asObject(config.policy?.system),
        statsInboundUplink: true,
        statsInboundDownlink: true,
        statsOutboundUplink: true,
        statsOutboundDownlink: true,
      },
    },
  }
}

function randomKey(bytes: number): string {
  return randomBytes(bytes).toString('base64')
}

/** Tags of the inbounds that carry users. */
export function userTags(config: XrayConfig): string[] {
  return (config.inbounds ?? []).flatMap((inbound) => (carriesUsers(inbound) && inbound.tag ? [inbound.tag] : []))
}

/** The users of an inbound: e-mail and the id the wire's hashes are built from. */
export function configuredClients(config: XrayConfig, tag: string): ConfiguredClient[] {
  const inbound = config.inbounds?.find((candidate) => candidate.tag === tag)
  return inbound ? clientsOf(inbound) : []
}

/** The config with live changes applied in order, so that a restarted core knows the users the last one knew. */
export function withChanges(config: XrayConfig, changes: readonly ClientChange[]): XrayConfig {
  const byTag = Map.groupBy(changes, (change) => change.tag)
  return {
    ...config,
    ...(config.inbounds && {
      inbounds: config.inbounds.map((inbound) => {
        const own = byTag.get(inbound.tag ?? '')
        if (!own || !carriesUsers(inbound)) return inbound
        return { ...inbound, settings: { ...asObject(inbound.settings), clients: changedClients(clientsOf(inbound), own) } }
      }),
    }),
  }
}

/** Xray compares e-mails without regard to case, so removals and replacements do too. */
function changedClients(clients: ConfiguredClient[], changes: readonly ClientChange[]): unknown[] {
  const byName = new Map<string, unknown>(clients.map((client, index) => [client.email?.toLowerCase() ?? `\0${index}`, client]))
  for (const change of changes) {
    if (change.kind === 'remove') byName.delete(change.username.toLowerCase())
    else byName.set(change.client.email.toLowerCase(), clientEntry(change.client))
  }
  return [...byName.values()]
}

function clientsOf(inbound: Inbound): ConfiguredClient[] {
  const { clients } = asObject(inbound.settings)
  return Array.isArray(clients) ? clients.filter(isClient) : []
}

/** By hand and in place: a schema would copy what may be hundreds of thousands of clients. */
function isClient(value: unknown): value is ConfiguredClient {
  if (typeof value !== 'object' || value === null) return false
  const { id, email, password }: { id?: unknown; email?: unknown; password?: unknown } = value
  return isTextOrAbsent(id) && isTextOrAbsent(email) && isTextOrAbsent(password)
}

function isTextOrAbsent(value: unknown): boolean {
  return value === undefined || typeof value === 'string'
}

function carriesUsers(inbound: Inbound): boolean {
  return userProtocolOf(inbound) !== undefined
}

function asObject(value: unknown): Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? { ...value } : {}
}
