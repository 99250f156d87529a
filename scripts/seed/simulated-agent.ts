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
const NOT_RUNNING = 'Xray is not running'
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

/** Where the agent runs: its cores come and go. */
interface Machine {
  core: SimulatedCore | undefined
  starts: number
}

export async function startSimulatedAgent({
  payload,
  host = '127.0.0.1',
  hasSamples = false,
}: SimulatedAgentOptions): Promise<SimulatedAgent> {
  const machine: Machine = { core: undefined, starts: 0 }
  const repliers = repliersOf(machine, hasSamples)
  const server = createServer(
    { cert: payload.nodeCertPem, key: payload.nodeKeyPem, ca: payload.caCertPem, requestCert: true, rejectUnauthorized: true },
    (request, response) => void answer(request, response, repliers).catch(() => request.destroy()),
  )
  server.keepAliveTimeout = KEEP_ALIVE_MS
  server.on('tlsClientError', () => {})
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, host, resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a listening TCP server has no port')
  return {
    port: address.port,
    users: () => Array.from(machine.core?.users.keys() ?? []),
    move: (username, uplink, downlink) => {
      const { core } = machine
      const known = core?.users.get(username.toLowerCase())
      if (!core || !known) return false
      add(core.userCounters, known.username, { uplink, downlink })
      const [tag] = known.tags
      if (tag !== undefined) add(core.inboundCounters, tag, { uplink, downlink })
      add(core.outboundCounters, WAY_OUT, { uplink, downlink })
      return true
    },
    crash: () => {
      machine.core = undefined
    },
    clearCounters: () => {
      machine.core?.userCounters.clear()
      machine.core?.inboundCounters.clear()
      machine.core?.outboundCounters.clear()
    },
    starts: () => machine.starts,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

interface SimulatedReply {
  status: number
  response: unknown
}
type Replier = (body: unknown) => SimulatedReply

async function answer(request: IncomingMessage, response: ServerResponse, repliers: Record<string, Replier>): Promise<void> {
  const body: unknown = request.method === 'POST' ? await json(request) : undefined
  const replier = repliers[request.url ?? '']
  if (!replier) return void request.socket.destroy()
  const send = (status: number, content: unknown): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(content))
  }
  try {
    const { status, response: told } = replier(body)
    send(status, { response: told })
  } catch (error) {
    if (!(error instanceof NoCore)) throw error
    send(500, { timestamp: new Date().toISOString(), path: request.url, message: error.message, errorCode: error.code })
  }
}

/** Something was asked of a core that does not run. */
class NoCore extends Error {
  readonly code: string

  constructor(code: string) {
    super(NOT_RUNNING)
    this.code = code
  }
}

/** What the agent answers at each path that it knows. */
function repliersOf(machine: Machine, hasSamples: boolean): Record<string, Replier> {
  const found = (response: unknown): SimulatedReply => ({ status: 200, response })
  const done = (response: unknown): SimulatedReply => ({ status: 201, response })
  const running = ({ code }: { code: string }): SimulatedCore => {
    if (!machine.core) throw new NoCore(code)
    return machine.core
  }
  return {
    [agentApi.start.path]: (body) => {
      machine.core = newCore(startBody.parse(body))
      machine.starts++
      return done(startReply())
    },
    [agentApi.stop.path]: () => {
      machine.core = undefined
      return found({ isStopped: true })
    },
    [agentApi.status.path]: () => found({ isRunning: machine.core !== undefined, version: machine.core ? XRAY_VERSION : null }),
    [agentApi.healthcheck.path]: () =>
      found({
        isAlive: true,
        xrayInternalStatusCached: machine.core !== undefined,
        xrayVersion: XRAY_VERSION,
        ...(hasSamples && { capabilities: ['sample'] }),
      }),
    [agentApi.addUser.path]: (body) =>
      done(machine.core ? addUser(machine.core, addUserBody.parse(body)) : { success: false, error: NOT_RUNNING }),
    [agentApi.removeUser.path]: (body) => {
      machine.core?.users.delete(removeUserBody.parse(body).username.toLowerCase())
      return done({ success: machine.core !== undefined, error: machine.core ? null : NOT_RUNNING })
    },
    [agentApi.getInboundUsers.path]: (body) => done({ users: usersOf(running(agentErrors.inboundUsersError), body) }),
    [agentApi.getInboundUsersCount.path]: (body) => done({ count: usersOf(running(agentErrors.inboundUsersError), body).length }),
    [agentApi.getSystemStats.path]: () => found(systemStats(running(agentErrors.systemStatsError))),
    [agentApi.getUsersStats.path]: (body) =>
      done({ users: readCounters(running(agentErrors.usersStatsError).userCounters, body, 'username') }),
    [agentApi.getAllInboundsStats.path]: (body) =>
      done({ inbounds: readCounters(running(agentErrors.inboundsStatsError).inboundCounters, body, 'inbound') }),
    [agentApi.getAllOutboundsStats.path]: (body) =>
      done({ outbounds: readCounters(running(agentErrors.outboundsStatsError).outboundCounters, body, 'outbound') }),
    ...(hasSamples && {
      [agentApi.takeSample.path]: () => done({ current: machine.core ? sampleOf(machine.core) : null, ended: [] }),
    }),
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
