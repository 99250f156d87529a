import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { json } from 'node:stream/consumers'
import {
  addUserBody,
  agentApi,
  agentErrors,
  FORCE_RESTART_HEADER,
  HASH_PAYLOAD_HEADER,
  hashPayload,
  removeUserBody,
  type AgentPayload,
} from '@causeway/contract'
import { z } from 'zod'
import {
  addUser,
  changeUser,
  countersOf,
  hashesOf,
  isWanted,
  newCore,
  sampleOf,
  startBody,
  systemStats,
  transfer,
  usersOf,
  type Bytes,
  type SimulatedCore,
} from './simulated-core.ts'
import { simulatedLog } from './simulated-log.ts'

// An agent with an imagined core (docs/wire.md 21). By default of the 2.1 generation: no core id, uptime in whole seconds, no
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
  /** Of our own kind: names its core, gives all counters in one answer and takes many changes of users in one call. */
  isOurs?: boolean
}

const XRAY_VERSION = '25.8.3'
const AGENT_VERSION = '2.1.4'
const NOT_RUNNING = 'Xray is not running'
/** As agents do, so that a panel need not connect anew for every poll. */
const KEEP_ALIVE_MS = 60_000
/** As our agents, but for the renewal of certificates. */
const CAPABILITIES = ['core', 'sample', 'users', 'vmess', 'hysteria', 'shadowsocks2022', 'log']

/** Where the agent runs: its cores come and go. */
interface Machine {
  core: SimulatedCore | undefined
  starts: number
}

export async function startSimulatedAgent({
  payload,
  host = '127.0.0.1',
  isOurs = false,
}: SimulatedAgentOptions): Promise<SimulatedAgent> {
  const machine: Machine = { core: undefined, starts: 0 }
  const repliers = repliersOf(machine, isOurs)
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
    move: (username, uplink, downlink) => transfer(machine.core, username, { uplink, downlink }),
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
type Replier = (body: unknown, headers: IncomingMessage['headers']) => SimulatedReply

async function answer(request: IncomingMessage, response: ServerResponse, repliers: Record<string, Replier>): Promise<void> {
  const body: unknown = request.method === 'POST' ? await json(request) : undefined
  const replier = repliers[request.url ?? '']
  if (!replier) return void request.socket.destroy()
  const send = (status: number, content: unknown): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(content))
  }
  try {
    const { status, response: told } = replier(body, request.headers)
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
function repliersOf(machine: Machine, isOurs: boolean): Record<string, Replier> {
  const found = (response: unknown): SimulatedReply => ({ status: 200, response })
  const done = (response: unknown): SimulatedReply => ({ status: 201, response })
  const running = ({ code }: { code: string }): SimulatedCore => {
    if (!machine.core) throw new NoCore(code)
    return machine.core
  }
  const usersOfInbound = (body: unknown) => {
    const { tag } = z.object({ tag: z.string() }).parse(body)
    const users = usersOf(running(agentErrors.inboundUsersError), tag)
    if (!users) throw new NoCore(agentErrors.inboundUsersError.code)
    return users
  }
  return {
    [agentApi.start.path]: (body, headers) => {
      const hashes = hashPayload.parse(JSON.parse(Buffer.from(String(headers[HASH_PAYLOAD_HEADER]), 'base64').toString()))
      const isForced = headers[FORCE_RESTART_HEADER] === 'true'
      if (isForced || !machine.core || !isWanted(machine.core, hashes)) {
        machine.core = newCore(startBody.parse(body), hashes.emptyConfig)
        machine.starts++
      }
      return done(startReply(machine.core, isOurs))
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
        ...(isOurs && { capabilities: CAPABILITIES }),
      }),
    [agentApi.addUser.path]: (body) =>
      done(machine.core ? addUser(machine.core, addUserBody.parse(body)) : { success: false, error: NOT_RUNNING }),
    [agentApi.removeUser.path]: (body) => {
      machine.core?.users.delete(removeUserBody.parse(body).username.toLowerCase())
      return done({ success: machine.core !== undefined, error: machine.core ? null : NOT_RUNNING })
    },
    [agentApi.getInboundUsers.path]: (body) => done({ users: usersOfInbound(body) }),
    [agentApi.getInboundUsersCount.path]: (body) => done({ count: usersOfInbound(body).length }),
    [agentApi.getSystemStats.path]: () => found(systemStats(running(agentErrors.systemStatsError))),
    [agentApi.getUsersStats.path]: (body) =>
      done({ users: readCounters(running(agentErrors.usersStatsError).userCounters, body, 'username') }),
    [agentApi.getAllInboundsStats.path]: (body) =>
      done({ inbounds: readCounters(running(agentErrors.inboundsStatsError).inboundCounters, body, 'inbound') }),
    [agentApi.getAllOutboundsStats.path]: (body) =>
      done({ outbounds: readCounters(running(agentErrors.outboundsStatsError).outboundCounters, body, 'outbound') }),
    ...(isOurs && ownRepliers(machine, { found, done })),
  }
}

type Answers = Record<'found' | 'done', (response: unknown) => SimulatedReply>

function ownRepliers(machine: Machine, { found, done }: Answers): Record<string, Replier> {
  return {
    [agentApi.takeSample.path]: () => done({ current: machine.core ? sampleOf(machine.core) : null, ended: [] }),
    [agentApi.changeUsers.path]: (body) => {
      const { changes } = agentApi.changeUsers.body.parse(body)
      return done({ results: changes.map((change) => changeUser(machine.core, change)) })
    },
    [agentApi.readLog.path]: (body) => {
      const { log } = agentApi.readLog.body.parse(body)
      return done({ lines: simulatedLog(log, Date.now()) })
    },
    [agentApi.getCore.path]: () =>
      found({
        status: machine.core ? 'running' : 'stopped',
        coreId: machine.core?.id ?? null,
        startedAt: null,
        uptimeMs: null,
        version: XRAY_VERSION,
        restarts: 0,
        lastError: null,
        hashes: machine.core ? hashesOf(machine.core) : null,
        endedCores: [],
      }),
  }
}

function readCounters(counters: Map<string, Bytes>, body: unknown, name: 'username' | 'inbound' | 'outbound'): unknown[] {
  const rows = countersOf(counters, name)
  if (z.object({ reset: z.boolean() }).parse(body).reset) counters.clear()
  return rows
}

function startReply({ id }: SimulatedCore, isOurs: boolean): unknown {
  return {
    isStarted: true,
    version: XRAY_VERSION,
    error: null,
    systemInformation: { cpuCores: 2, cpuModel: 'Virtual CPU/2.4 GHz', memoryTotal: '4.11 GB' },
    nodeInformation: { version: AGENT_VERSION, ...(isOurs && { capabilities: CAPABILITIES }) },
    ...(isOurs && { coreId: id }),
  }
}
