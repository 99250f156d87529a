import { randomUUID, verify } from 'node:crypto'
import https from 'node:https'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import {
  AGENT_CAPABILITIES,
  agentApi,
  agentErrors,
  agentPayload,
  FORCE_RESTART_HEADER,
  HASH_PAYLOAD_HEADER,
  hashPayload,
  type AddUserBody,
  type AgentPayload,
  type HashPayload,
  type LogLine,
  type RemoveUserBody,
  type UserChange,
  type UserChangeReply,
} from '@causeway/contract'
import { HashedSet, inboundsOf, objectAt, textAt, userProtocolOf, type XrayObject } from '@causeway/xray'
import { answerOfConnections } from './fake-connections.ts'
import { NoCore, SYSTEM_STATS, type FakeCore } from './fake-core.ts'

// An agent and its core, simulated down to what agents of the 2.1 generation keep of known inbounds (docs/wire.md 21 to
// 25), which can be made to misbehave. For what the real agent and Xray cannot be brought to do at will.

export interface FakeAgentOptions {
  /** Ours has exact cores, samples and batches; one of 2.1 has not. */
  generation?: 'own' | '2.1'
  /** Trust another panel instead. */
  payload?: AgentPayload
}

export class FakeAgent {
  readonly generation: 'own' | '2.1'
  core: FakeCore | null = null
  ended: { core: FakeCore; uptimeMs: number }[] = []
  /** Paths called, in order. */
  calls: string[] = []
  /** Requests of these paths are carried out, and their answers lost. */
  readonly lostReplies = new Set<string>()
  /** Requests of these paths are never answered. */
  readonly hanging = new Set<string>()
  /** Requests of these paths are carried out and never answered. */
  readonly unanswered = new Set<string>()
  /** What requests of these paths are answered with, whatever was asked, or by what was. */
  readonly forged = new Map<string, string | ((body: string) => string)>()
  readonly connected = new Map<string, string[]>()
  readonly closedPorts = new Map<number, string>()
  /** The end of its logs, by log. */
  readonly logs = new Map<string, LogLine[]>()
  /** Inbounds that take no changes of users. */
  readonly brokenTags = new Set<string>()
  /** Happens right before its counters are read. */
  beforeSample: () => void = () => {}
  startError: string | null = null
  /** What it says against a configuration; the core before keeps running. */
  refusal: (config: XrayObject) => string | null = () => null
  starts = 0
  /** Cores that it has started. */
  cores = 0
  /** Added to the uptime that a 2.1 agent tells, in seconds. */
  uptimeShift = 0
  #tracked = new Map<string, HashedSet>()
  /** The hash of what it runs, which the next start is compared with. */
  emptyConfig: string | null = null
  #isBelievedRunning = false
  #payload: AgentPayload
  #server: https.Server | undefined
  readonly #sockets = new Set<Duplex>()
  #port = 0
  constructor(payload: AgentPayload, generation: 'own' | '2.1') {
    this.#payload = payload
    this.generation = generation
  }

  get isListening(): boolean {
    return this.#server !== undefined
  }
  get port(): number {
    return this.#port
  }
  async listen(port = 0): Promise<void> {
    const server = https.createServer(
      {
        ...this.#keys(),
        requestCert: true,
        rejectUnauthorized: true,
        maxHeaderSize: 65_536,
      },
      (request, response) => void this.#answer(request, response),
    )
    // Also those still shaking hands, which the server does not count as connections of its own.
    server.on('connection', (socket) => {
      this.#sockets.add(socket)
      socket.once('close', () => this.#sockets.delete(socket))
    })
    // Every address of 127.0.0.0/8, so that many nodes can be told apart.
    await new Promise<void>((resolve) => server.listen(port, '0.0.0.0', resolve))
    this.#server = server
    this.#port = (server.address() as AddressInfo).port // a TCP server
  }
  #keys() {
    return { cert: this.#payload.nodeCertPem, key: this.#payload.nodeKeyPem, ca: this.#payload.caCertPem }
  }
  /** To new connections. */
  show(payload: AgentPayload): void {
    this.#payload = payload
    this.#server?.setSecureContext(this.#keys())
  }
  get certificate(): string {
    return this.#payload.nodeCertPem
  }
  /** Goes away; the core runs on. */
  async close(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    for (const socket of this.#sockets) socket.destroy()
    await new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()))
  }

  // What happens on the node --------------------------------------------------------------------------------------------
  transfer(username: string, uplink: number, downlink: number, inbound = 'IN', outbound = 'DIRECT'): void {
    for (const counter of [`user>>>${username}`, `inbound>>>${inbound}`, `outbound>>>${outbound}`]) {
      const known = this.core?.counters.get(counter) ?? { uplink: 0, downlink: 0 }
      this.core?.counters.set(counter, { uplink: known.uplink + uplink, downlink: known.downlink + downlink })
    }
  }

  /** The core dies; our agent keeps its last counters, and may start it again with the users it had. */
  killCore(isStartedAgain = false): void {
    if (this.core && this.generation === 'own')
      this.ended.push({ core: this.core, uptimeMs: Math.round(performance.now() - this.core.startedAt) })
    const anew = () => ({ id: randomUUID(), startedAt: performance.now(), counters: new Map() })
    this.core = isStartedAgain && this.core ? { ...this.core, ...anew() } : null
  }

  /** An agent of 2.1 that crashed and is back: its core runs on, and it knows nothing of it. */
  forgetCore(): void {
    this.#isBelievedRunning = false
    this.emptyConfig = null
  }

  /** Another panel reads with clearing. */
  clearCounters(prefix = ''): void {
    for (const name of this.core?.counters.keys() ?? []) if (name.startsWith(prefix)) this.core?.counters.delete(name)
  }
  usersOf(tag: string): string[] {
    return [...(this.core?.users.get(tag)?.keys() ?? [])].toSorted()
  }

  callsTo = (path: string): number => this.calls.filter((call) => call === path).length

  // The wire ------------------------------------------------------------------------------------------------------------
  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? ''
    if (!(request.socket as TLSSocket).authorized || !this.#isSigned(request.headers.authorization)) {
      request.socket.destroy()
      return
    }
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer) // a request without encoding gives buffers
    this.calls.push(path)
    if (this.hanging.has(path)) return
    const forged = this.forged.get(path)
    const text = Buffer.concat(chunks).toString()
    if (forged !== undefined) return void response.end(typeof forged === 'string' ? forged : forged(text))
    let reply: unknown
    try {
      reply = this.#handle(path, text === '' ? undefined : JSON.parse(text), request)
    } catch (error) {
      const code = error instanceof NoCore ? error.code : agentErrors.serverError.code
      response.writeHead(500, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ timestamp: new Date().toISOString(), path, message: String(error), errorCode: code }))
      return
    }
    if (this.unanswered.has(path)) return
    if (reply === undefined || this.lostReplies.has(path)) {
      request.socket.destroy()
      return
    }
    response.writeHead(request.method === 'POST' ? 201 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ response: reply }))
  }

  #isSigned(authorization: string | undefined): boolean {
    const [head, body, signature] = (authorization ?? '').replace('Bearer ', '').split('.')
    if (!head || !body || !signature) return false
    return verify(
      'sha256',
      Buffer.from(`${head}.${body}`),
      this.#payload.jwtPublicKey,
      new Uint8Array(Buffer.from(signature, 'base64url')),
    )
  }

  #handle(path: string, body: unknown, request: IncomingMessage): unknown {
    const isOwn = this.generation === 'own'
    const capabilities = isOwn ? { capabilities: [...AGENT_CAPABILITIES] } : {}
    switch (path) {
      case '/node/xray/healthcheck':
        return { isAlive: true, xrayInternalStatusCached: this.#isBelievedRunning, xrayVersion: '25.8.3', ...capabilities }
      case '/node/x/certificate':
        this.show(agentPayload.parse(body))
        return { isRenewed: true }
      case '/node/xray/start':
        return this.#start(agentApi.start.body.parse(body), request, capabilities)
      case '/node/xray/stop':
        this.killCore()
        this.forgetCore()
        return { isStopped: true }
      case '/node/stats/get-system-stats':
        return this.#systemStats(isOwn)
      case '/node/stats/get-users-stats':
        return { users: this.#read('user', 'username', this.#running('usersStatsError')) }
      case '/node/stats/get-all-inbounds-stats':
        return { inbounds: this.#read('inbound', 'inbound', this.#running('inboundsStatsError')) }
      case '/node/stats/get-all-outbounds-stats':
        return { outbounds: this.#read('outbound', 'outbound', this.#running('outboundsStatsError')) }
      case '/node/handler/get-inbound-users':
        return { users: this.#list(agentApi.getInboundUsers.body.parse(body).tag) }
      case '/node/handler/add-user':
        return this.#add(agentApi.addUser.body.parse(body))
      case '/node/handler/remove-user':
        return this.#remove(agentApi.removeUser.body.parse(body))
      case '/node/x/core':
        return isOwn ? this.#state() : undefined
      case '/node/x/sample':
        return isOwn ? this.#sample(agentApi.takeSample.body.parse(body).acknowledged) : undefined
      case '/node/x/users':
        return isOwn
          ? { results: agentApi.changeUsers.body.parse(body).changes.map((change) => this.#change(change)) }
          : undefined
      default:
        return isOwn ? answerOfConnections(this, path, body) : undefined
    }
  }

  #running(error: keyof typeof agentErrors): FakeCore {
    if (!this.core) throw new NoCore(error)
    return this.core
  }

  #systemStats(isOwn: boolean) {
    const core = this.#running('systemStatsError')
    const uptime = Math.floor((performance.now() - core.startedAt) / 1000) + this.uptimeShift
    return { ...SYSTEM_STATS, uptime, ...(isOwn ? { coreId: core.id } : {}) }
  }

  #read(kind: string, key: string, core: FakeCore) {
    return [...core.counters]
      .filter(([name, bytes]) => name.startsWith(`${kind}>>>`) && bytes.uplink + bytes.downlink > 0)
      .map(([name, bytes]) => ({ [key]: name.slice(kind.length + 3), ...bytes }))
  }

  #start(config: XrayObject, request: IncomingMessage, capabilities: object) {
    this.starts++
    const header = request.headers[HASH_PAYLOAD_HEADER]
    const hashes = hashPayload.parse(JSON.parse(Buffer.from(String(header), 'base64').toString()))
    const isForced = request.headers[FORCE_RESTART_HEADER] === 'true'
    const reply = (error: string | null) => ({
      isStarted: this.core !== null && error === null,
      version: '25.8.3',
      error,
      systemInformation: { cpuCores: 4, cpuModel: 'Fake/3.00 GHz', memoryTotal: '8.33 GB' },
      nodeInformation: { version: '2.1.4', ...capabilities },
      ...(this.generation === 'own' ? { coreId: this.core?.id ?? null } : {}),
    })
    if (this.startError !== null) return reply(this.startError)
    if (this.core && !isForced && this.#isSame(hashes)) return reply(null)
    const refusal = this.refusal(config)
    if (refusal !== null) return { ...reply(refusal), isStarted: false }
    this.killCore()
    this.#tracked = new Map()
    this.emptyConfig = hashes.emptyConfig
    const users = new Map<string, Map<string, string>>()
    for (const inbound of inboundsOf(config)) {
      if (!userProtocolOf(inbound)) continue
      const tag = textAt(inbound, 'tag')
      const clients = objectAt(inbound, 'settings')['clients'] as { id: string; email: string; password?: string }[] // as the panel writes them
      users.set(tag, new Map(clients.map((client) => [client.email, client.password ?? client.id])))
      if (hashes.inbounds.some((known) => known.tag === tag))
        this.#tracked.set(tag, new HashedSet(clients.map((client) => client.id)))
    }
    this.cores++
    this.core = { id: randomUUID(), startedAt: performance.now(), inbounds: inboundsOf(config), users, counters: new Map() }
    this.#isBelievedRunning = true
    return reply(null)
  }

  #isSame(hashes: HashPayload): boolean {
    if (this.emptyConfig !== hashes.emptyConfig || hashes.inbounds.length !== this.#tracked.size) return false
    return [...this.#tracked].every(([tag, set]) => hashes.inbounds.find((inbound) => inbound.tag === tag)?.hash === set.hash)
  }

  #change(change: UserChange): UserChangeReply {
    return change.kind === 'add' ? this.#add(change) : this.#remove(change)
  }

  #add({ data, hashData }: AddUserBody): UserChangeReply {
    const username = data[0]?.username ?? ''
    for (const { tag } of data) if (!this.#tracked.has(tag)) this.#tracked.set(tag, new HashedSet())
    for (const [tag, set] of this.#tracked) {
      if (!this.brokenTags.has(tag)) this.core?.users.get(tag)?.delete(username)
      set.remove(hashData.prevVlessUuid ?? hashData.vlessUuid)
      if (set.size === 0) this.#tracked.delete(tag)
    }
    const failures: { tag: string; error: string }[] = []
    for (const access of data) {
      const users = this.core?.users.get(access.tag)
      if (!users || this.brokenTags.has(access.tag)) {
        failures.push({ tag: access.tag, error: 'handler not found' })
        continue
      }
      users.set(username, 'uuid' in access ? access.uuid : 'password' in access ? access.password : '')
      const set = this.#tracked.get(access.tag) ?? new HashedSet()
      set.add(hashData.vlessUuid)
      this.#tracked.set(access.tag, set)
    }
    return this.#outcome(failures, data.length)
  }

  #remove({ username, hashData }: RemoveUserBody): UserChangeReply {
    const tags = [...this.#tracked.keys()]
    const failures: { tag: string; error: string }[] = []
    for (const [tag, set] of this.#tracked) {
      if (this.brokenTags.has(tag)) failures.push({ tag, error: 'handler failed' })
      else this.core?.users.get(tag)?.delete(username)
      set.remove(hashData.vlessUuid)
      if (set.size === 0) this.#tracked.delete(tag)
    }
    if (tags.length === 0 && this.generation === '2.1') return { success: false, error: null }
    return this.#outcome(failures, Math.max(tags.length, 1))
  }

  #outcome(failures: { tag: string; error: string }[], of: number): UserChangeReply {
    const success = failures.length < of
    const error = success ? null : (failures[0]?.error ?? null)
    return this.generation === 'own' ? { success, error, failures } : { success, error }
  }

  #list(tag: string) {
    const users = this.#running('inboundUsersError').users.get(tag)
    if (!users) throw new NoCore('inboundUsersError')
    const isVless = tag.startsWith('VLESS')
    return [...users].map(([username, known]) => ({
      username,
      email: username,
      level: 0,
      ...(isVless ? { uuid: known } : { password: known }),
    }))
  }

  #state() {
    const hashes = this.emptyConfig && {
      emptyConfig: this.emptyConfig,
      inbounds: [...this.#tracked].map(([tag, set]) => ({ tag, usersCount: set.size, hash: set.hash })),
    }
    return {
      status: this.core ? 'running' : 'stopped',
      coreId: this.core?.id ?? null,
      startedAt: null,
      uptimeMs: null,
      version: '25.8.3',
      restarts: 0,
      lastError: null,
      hashes: hashes || null,
      endedCores: this.ended.map(({ core }) => core.id),
    }
  }

  #sample(acknowledged: string[]) {
    this.beforeSample()
    this.ended = this.ended.filter(({ core }) => !acknowledged.includes(core.id))
    const sample = (core: FakeCore, uptimeMs: number) => ({
      coreId: core.id,
      startedAt: new Date(Date.now() - uptimeMs).toISOString(),
      uptimeMs,
      sampledAt: new Date().toISOString(),
      users: this.#read('user', 'username', core),
      inbounds: this.#read('inbound', 'inbound', core),
      outbounds: this.#read('outbound', 'outbound', core),
    })
    return {
      current: this.core && sample(this.core, Math.round(performance.now() - this.core.startedAt)),
      ended: this.ended.slice(0, 8).map(({ core, uptimeMs }) => sample(core, uptimeMs)),
    }
  }
}

/** Starts an agent that trusts the panel of this public key. */
export async function fakeAgent(pubKey: string, options: FakeAgentOptions = {}): Promise<FakeAgent> {
  const payload = options.payload ?? agentPayload.parse(JSON.parse(Buffer.from(pubKey, 'base64').toString()))
  const agent = new FakeAgent(payload, options.generation ?? 'own')
  await agent.listen()
  return agent
}
