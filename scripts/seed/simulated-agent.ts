import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { json } from 'node:stream/consumers'
import { addUserBody, agentApi, agentErrors, removeUserBody, type AgentPayload, type CoreSample } from '@causeway/contract'
import { z } from 'zod'

// An agent of the 2.1 generation with an imagined core (docs/wire.md 21): no core id, uptime in whole seconds, no
// final sample, and a closed connection for every path it does not know. For what must be seen without Xray: the ledger of
// foreign agents, and the demo's fleet.

export interface SimulatedAgent {
  port: number
  /** Usernames that the core knows now, in small letters as Xray compares them. */
  users(): string[]
  /** The core moves bytes for a user; false when it does not know the user. */
  move(username: string, uplinkBytes: number, downlinkBytes: number): boolean
  /** The core dies and, unless told otherwise, its supervisor's next start begins at zero. */
  crash(): void
  /** Somebody else reads the counters and clears them. */
  clearCounters(): void
  starts(): number
  close(): Promise<void>
}

export interface SimulatedAgentOptions {
  payload: AgentPayload
  host?: string
  port?: number
  /** Ours: gives all counters in one answer, with the id of the core. */
  hasSamples?: boolean
}

interface Bytes {
  uplink: number
  downlink: number
}

interface SimulatedCore {
  id: string
  startedAtMs: number
  users: Map<string, { username: string; tags: Set<string> }>
  /** Keyed by name, and kept when the user is removed, as Xray does. */
  userCounters: Map<string, Bytes>
  inboundCounters: Map<string, Bytes>
  outboundCounters: Map<string, Bytes>
}

const XRAY_VERSION = '25.8.3'
const AGENT_VERSION = '2.1.4'
/** As agents do, so that a panel need not connect anew for every poll. */
const KEEP_ALIVE_MS = 60_000
/** Through this outbound everything leaves. */
const WAY_OUT = 'DIRECT'
const client = z.looseObject({ email: z.string().optional() })
const startBody = z.looseObject({
  inbounds: z.array(
    z.looseObject({ tag: z.string().optional(), settings: z.looseObject({ clients: z.array(client).optional() }).optional() }),
  ),
})

export async function startSimulatedAgent({
  payload,
  host = '127.0.0.1',
  port = 0,
  hasSamples = false,
}: SimulatedAgentOptions): Promise<SimulatedAgent> {
  let core: SimulatedCore | undefined
  let starts = 0
  const start = (body: unknown): unknown => {
    core = newCore(startBody.parse(body))
    starts += 1
    return startReply()
  }
  const server = createServer(
    { cert: payload.nodeCertPem, key: payload.nodeKeyPem, ca: payload.caCertPem, requestCert: true, rejectUnauthorized: true },
    (request, response) => {
      answer(
        request,
        response,
        () => core,
        start,
        () => {
          core = undefined
        },
        hasSamples,
      ).catch(() => request.destroy())
    },
  )
  server.keepAliveTimeout = KEEP_ALIVE_MS
  server.on('tlsClientError', () => {})
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a listening TCP server has no port')
  return {
    port: address.port,
    users: () => Array.from(core?.users.keys() ?? []),
    move: (username, uplink, downlink) => {
      const known = core?.users.get(username.toLowerCase())
      if (!core || !known) return false
      add(core.userCounters, known.username, { uplink, downlink })
      const [tag] = known.tags
      if (tag !== undefined) add(core.inboundCounters, tag, { uplink, downlink })
      add(core.outboundCounters, WAY_OUT, { uplink, downlink })
      return true
    },
    crash: () => {
      core = undefined
    },
    clearCounters: () => {
      core?.userCounters.clear()
      core?.inboundCounters.clear()
      core?.outboundCounters.clear()
    },
    starts: () => starts,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  running: () => SimulatedCore | undefined,
  start: (body: unknown) => unknown,
  stop: () => void,
  hasSamples: boolean,
): Promise<void> {
  const body: unknown = request.method === 'POST' ? await json(request) : undefined
  const core = running()
  const send = (status: number, content: unknown): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(content))
  }
  const unavailable = (errorCode: string): void =>
    send(500, { timestamp: new Date().toISOString(), path: request.url, message: 'Xray is not running', errorCode })
  const path = request.url ?? ''
  switch (path) {
    case agentApi.start.path:
      return send(201, { response: start(body) })
    case agentApi.stop.path:
      stop()
      return send(200, { response: { isStopped: true } })
    case agentApi.status.path:
      return send(200, { response: { isRunning: core !== undefined, version: core ? XRAY_VERSION : null } })
    case agentApi.healthcheck.path:
      return send(200, {
        response: {
          isAlive: true,
          xrayInternalStatusCached: core !== undefined,
          xrayVersion: XRAY_VERSION,
          ...(hasSamples && { capabilities: ['sample'] }),
        },
      })
    case agentApi.addUser.path:
      return send(201, {
        response: core ? addUser(core, addUserBody.parse(body)) : { success: false, error: 'Xray is not running' },
      })
    case agentApi.removeUser.path:
      core?.users.delete(removeUserBody.parse(body).username.toLowerCase())
      return send(201, { response: { success: core !== undefined, error: core ? null : 'Xray is not running' } })
    case agentApi.getInboundUsers.path:
      return core ? send(201, { response: { users: usersOf(core, body) } }) : unavailable(agentErrors.inboundUsersError.code)
    case agentApi.getInboundUsersCount.path:
      return core
        ? send(201, { response: { count: usersOf(core, body).length } })
        : unavailable(agentErrors.inboundUsersError.code)
    case agentApi.getSystemStats.path:
      return core ? send(200, { response: systemStats(core) }) : unavailable(agentErrors.systemStatsError.code)
    case agentApi.getUsersStats.path:
      if (!core) return unavailable(agentErrors.usersStatsError.code)
      return send(201, { response: { users: readCounters(core.userCounters, body, 'username') } })
    case agentApi.getAllInboundsStats.path:
      return core
        ? send(201, { response: { inbounds: readCounters(core.inboundCounters, body, 'inbound') } })
        : unavailable(agentErrors.inboundsStatsError.code)
    case agentApi.getAllOutboundsStats.path:
      return core
        ? send(201, { response: { outbounds: readCounters(core.outboundCounters, body, 'outbound') } })
        : unavailable(agentErrors.outboundsStatsError.code)
    case agentApi.takeSample.path:
      if (hasSamples) return send(201, { response: { current: core ? sampleOf(core) : null, ended: [] } })
      return void request.socket.destroy()
    default:
      request.socket.destroy()
  }
}

function newCore(config: z.output<typeof startBody>): SimulatedCore {
  const core: SimulatedCore = {
    id: randomUUID(),
    startedAtMs: performance.now(),
    users: new Map(),
    userCounters: new Map(),
    inboundCounters: new Map(),
    outboundCounters: new Map(),
  }
  for (const inbound of config.inbounds) {
    for (const { email } of inbound.settings?.clients ?? []) if (email !== undefined) grant(core, email, inbound.tag ?? '')
  }
  return core
}

function addUser(core: SimulatedCore, body: z.output<typeof addUserBody>): unknown {
  for (const { username } of body.data) core.users.delete(username.toLowerCase())
  for (const { username, tag } of body.data) grant(core, username, tag)
  return { success: body.data.length > 0, error: null }
}

function grant(core: SimulatedCore, username: string, tag: string): void {
  const known = core.users.get(username.toLowerCase()) ?? { username, tags: new Set<string>() }
  known.tags.add(tag)
  core.users.set(username.toLowerCase(), known)
}

function usersOf(core: SimulatedCore, body: unknown): { username: string }[] {
  const { tag } = z.object({ tag: z.string() }).parse(body)
  return Array.from(core.users.values()).flatMap((user) => (user.tags.has(tag) ? [{ username: user.username }] : []))
}

function readCounters(counters: Map<string, Bytes>, body: unknown, name: 'username' | 'inbound' | 'outbound'): unknown[] {
  const rows = Array.from(counters, ([key, bytes]) => ({ [name]: key, ...bytes }))
  if (z.object({ reset: z.boolean() }).parse(body).reset) counters.clear()
  return rows
}

function sampleOf(core: SimulatedCore): CoreSample {
  const uptimeMs = Math.floor(performance.now() - core.startedAtMs)
  const at = Date.now()
  return {
    coreId: core.id,
    startedAt: new Date(at - uptimeMs).toISOString(),
    uptimeMs,
    sampledAt: new Date(at).toISOString(),
    users: Array.from(core.userCounters, ([username, bytes]) => ({ username, ...bytes })),
    inbounds: Array.from(core.inboundCounters, ([inbound, bytes]) => ({ inbound, ...bytes })),
    outbounds: Array.from(core.outboundCounters, ([outbound, bytes]) => ({ outbound, ...bytes })),
  }
}

function add(counters: Map<string, Bytes>, name: string, { uplink, downlink }: Bytes): void {
  const sum = counters.get(name) ?? { uplink: 0, downlink: 0 }
  counters.set(name, { uplink: sum.uplink + uplink, downlink: sum.downlink + downlink })
}

function systemStats(core: SimulatedCore): unknown {
  const rest = {
    numGoroutine: 20,
    numGC: 1,
    alloc: 1,
    totalAlloc: 1,
    sys: 1,
    mallocs: 1,
    frees: 1,
    liveObjects: 1,
    pauseTotalNs: 1,
  }
  return { ...rest, uptime: Math.floor((performance.now() - core.startedAtMs) / 1000) }
}

function startReply(): unknown {
  return {
    isStarted: true,
    version: XRAY_VERSION,
    error: null,
    systemInformation: { cpuCores: 2, cpuModel: 'Virtual CPU/2.4 GHz', memoryTotal: '4.11 GB' },
    nodeInformation: { version: AGENT_VERSION },
  }
}
