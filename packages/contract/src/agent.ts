import { z } from 'zod'
import { agentFilters, blockOrder, filterState, torrentReports } from './agent-filters.ts'
import { logLines, nodeLog } from './agent-log.ts'
import { reachBody, reachReply } from './agent-reach.ts'
import { coreSample, inboundTraffic, longList, outboundTraffic, traffic } from './agent-samples.ts'
import { nodeParts, partReply, releasePiece, said, wantedPart } from './agent-parts.ts'
import type { Method } from './endpoint.ts'
import { isIpAddress } from './host-address.ts'
import { wireInstant, wireInt, wireList, wireObject, wireUuid } from './wire.ts'

// Agents load this file alone: all others of the contract would cost each node 12 MB.
export { isIpAddress } from './host-address.ts'
export { wireInt } from './wire.ts'
export { type AgentFilters, type BlockOrder, type TorrentReport, type XrayMatch, xrayMatch } from './agent-filters.ts'
export {
  coreSample,
  inboundTraffic,
  outboundTraffic,
  userTraffic,
  type CoreSample,
  type InboundTraffic,
  type OutboundTraffic,
  type UserTraffic,
} from './agent-samples.ts'
export { LOG_LINES, type LogLine, type NodeLog } from './agent-log.ts'
export * from './agent-link.ts'
export { NODE_PARTS, nodePart, PIECE_OF_RELEASE_BYTES, type NodePart, type NodeParts } from './agent-parts.ts'

// Server <-> agent (docs/wire.md 21 to 25). The routes below /node/xray, /node/handler and /node/stats are
// those of the 2.1 generation and frozen; optional members and everything below /node/x/ are our own additions. An agent of
// that generation closes the connection without an answer for the latter, so ask only an agent whose health check or start
// reply names the capability.

/**
 * Own additions an agent may have: `core` is GET /node/x/core, `sample` POST /node/x/sample, `users` POST /node/x/users;
 * `updates` is everything below /node/x/parts; `certificate` is POST /node/x/certificate; `ownKey` GET /node/x/certificate/request and POST /node/x/certificate/signed; `connections` is POST /node/x/connections and /node/x/connections/drop; `cut` is POST /node/x/connections/cut; `filters` is everything below /node/x/filters and POST /node/x/torrents; `reach` is POST /node/x/reach; `log` is POST /node/x/log; `vmess`, `hysteria` and `shadowsocks2022` are types of access it knows beyond those that agents of
 * that generation heed.
 */
export const AGENT_CAPABILITIES = [
  'core',
  'sample',
  'users',
  'certificate',
  'ownKey',
  'connections',
  'cut',
  'filters',
  'reach',
  'log',
  'updates',
  'vmess',
  'hysteria',
  'shadowsocks2022',
] as const
export type AgentCapability = (typeof AGENT_CAPABILITIES)[number]

/** Base64 of the JSON of a `hashPayload`; every start request carries it. */
export const HASH_PAYLOAD_HEADER = 'x-hash-payload'
/** `true` or `1` restarts the core even if nothing changed. */
export const FORCE_RESTART_HEADER = 'x-force-restart'

/** Failures of an agent (docs/wire.md 21). A catalogue of its own: the codes mean other things in the panel's. */
export const agentErrors = {
  serverError: { code: 'A001', message: 'Server error' },
  /** Also how an agent says that no core runs. */
  systemStatsError: { code: 'A010', message: 'Failed to get system stats' },
  usersStatsError: { code: 'A011', message: 'Failed to get users stats' },
  inboundStatsError: { code: 'A012', message: 'Failed to get inbound stats' },
  outboundStatsError: { code: 'A013', message: 'Failed to get outbound stats' },
  inboundUsersError: { code: 'A014', message: 'Failed to get inbound users' },
  partRefused: { code: 'A001', message: 'This part cannot be put in force' },
  certificateRefused: { code: 'A001', message: 'This certificate does not belong here' },
  inboundsStatsError: { code: 'A015', message: 'Failed to get inbounds stats' },
  outboundsStatsError: { code: 'A016', message: 'Failed to get outbounds stats' },
} as const
export type KnownAgentError = (typeof agentErrors)[keyof typeof agentErrors]

/**
 * The secret that an administrator copies to a node, as Base64 of its JSON: everything the agent needs to trust its
 * server.
 */
export const agentPayload = z.object({
  nodeCertPem: z.string(),
  nodeKeyPem: z.string(),
  caCertPem: z.string(),
  jwtPublicKey: z.string(),
})
export type AgentPayload = z.output<typeof agentPayload>

export const inboundHash = z.object({ tag: z.string(), usersCount: wireInt, hash: z.string() })
export type InboundHash = z.output<typeof inboundHash>

/** Answer to the request of a node that has made its key itself. */
export const signedIdentity = z.object({ nodeCertPem: z.string(), caCertPem: z.string(), jwtPublicKey: z.string() })
export type SignedIdentity = z.output<typeof signedIdentity>

/** The identity of a start: an opaque hash of the config without users, and the set hash of each inbound's VLESS UUIDs. */
export const hashPayload = z.object({ emptyConfig: z.string(), inbounds: z.array(inboundHash) })
export type HashPayload = z.output<typeof hashPayload>

const capabilities = z.array(z.string()).optional().describe('own additions this agent has; absent on 2.1 agents')
const coreId = z.string().nullable().optional().describe('exact id of the running core; absent on 2.1 agents')

const closedPorts = wireList(wireInt, 16)
  .optional()
  .describe('TCP ports that its closing rule names; absent on agents that run the one they are sent')

export const systemInformation = z.object({ cpuCores: wireInt, cpuModel: said, memoryTotal: said })
export type SystemInformation = z.output<typeof systemInformation>

export const startReply = z.object({
  isStarted: z.boolean(),
  version: said.nullable(),
  error: said.nullable(),
  systemInformation: systemInformation.nullable(),
  nodeInformation: z.object({ version: said.nullable(), capabilities, closedPorts }),
  coreId,
})
export type StartReply = z.output<typeof startReply>

export const healthcheckReply = z.object({
  isAlive: z.boolean(),
  xrayInternalStatusCached: z.boolean(),
  xrayVersion: z.string().nullable(),
  capabilities,
  geoVersion: said
    .optional()
    .describe('of the geo files that the server has sent; empty where it has sent none; absent on agents that take none'),
})
export type HealthcheckReply = z.output<typeof healthcheckReply>

export const systemStats = z.object({
  numGoroutine: z.number(),
  numGC: z.number(),
  alloc: z.number(),
  totalAlloc: z.number(),
  sys: z.number(),
  mallocs: z.number(),
  frees: z.number(),
  liveObjects: z.number(),
  pauseTotalNs: z.number(),
  uptime: z.number().describe('whole seconds since the core started'),
  coreId,
})
export type SystemStats = z.output<typeof systemStats>

const userOfInbound = { tag: z.string(), username: z.string(), level: wireInt.default(0) }

/** Access of one user to one inbound. `username` is the e-mail of the Xray client. */
export const inboundAccess = z.discriminatedUnion('type', [
  z.object({ type: z.literal('vless'), ...userOfInbound, uuid: z.string(), flow: z.enum(['xtls-rprx-vision', '']) }),
  z.object({ type: z.literal('trojan'), ...userOfInbound, password: z.string() }),
  z.object({
    type: z.literal('shadowsocks'),
    ...userOfInbound,
    password: z.string(),
    cipherType: wireInt,
    ivCheck: z.boolean(),
  }),
  // Own additions: agents of the 2.1 generation refuse a request that names these types.
  z.object({ type: z.literal('vmess'), ...userOfInbound, uuid: z.string() }),
  z.object({ type: z.literal('hysteria'), ...userOfInbound, password: z.string() }),
  // The last three are part of the wire's schema; agents of the 2.1 generation ignore them, ours the last two.
  z.object({ type: z.literal('shadowsocks2022'), ...userOfInbound, key: z.string() }),
  z.object({ type: z.literal('socks'), ...userOfInbound, socks_username: z.string(), socks_password: z.string() }),
  z.object({ type: z.literal('http'), ...userOfInbound, http_username: z.string(), http_password: z.string() }),
])
export type InboundAccess = z.output<typeof inboundAccess>

/** The numbers Xray gives its ciphers. */
export const SHADOWSOCKS_CIPHERS = {
  UNRECOGNIZED: -1,
  UNKNOWN: 0,
  AES_128_GCM: 5,
  AES_256_GCM: 6,
  CHACHA20_POLY1305: 7,
  XCHACHA20_POLY1305: 8,
  NONE: 9,
} as const

/** All inbounds the user shall have on the node: access to any other inbound is taken away. */
export const addUserBody = z.object({
  data: z.array(inboundAccess),
  hashData: z.object({ vlessUuid: wireUuid, prevVlessUuid: wireUuid.optional() }),
})
export type AddUserBody = z.output<typeof addUserBody>

export const removeUserBody = z.object({ username: z.string(), hashData: z.object({ vlessUuid: wireUuid }) })
export type RemoveUserBody = z.output<typeof removeUserBody>

/**
 * `success` is false only if no inbound took the change; `failures` (own addition, absent on 2.1 agents) names each inbound
 * that did not, so that its absence of entries means the whole change holds.
 */
export const userChangeReply = z.object({
  success: z.boolean(),
  error: said.nullable(),
  failures: z.array(z.object({ tag: said, error: said })).optional(),
})
export type UserChangeReply = z.output<typeof userChangeReply>

export const userChange = z.discriminatedUnion('kind', [
  addUserBody.extend({ kind: z.literal('add') }),
  removeUserBody.extend({ kind: z.literal('remove') }),
])
export type UserChange = z.output<typeof userChange>

/** A user as the core holds it. Which credentials are present depends on the inbound's protocol. */
export const inboundUser = z.object({
  username: z.string(),
  email: z.string().optional(),
  level: wireInt.optional(),
  uuid: z.string().optional(),
  flow: z.string().optional(),
  password: z.string().optional(),
  cipherType: wireInt.optional(),
  ivCheck: z.boolean().optional(),
})
export type InboundUser = z.output<typeof inboundUser>

/** `failed`: it ended by itself and is waiting for its next attempt. */
export const coreStatus = z.enum(['running', 'starting', 'failed', 'stopped'])
export type CoreStatus = z.output<typeof coreStatus>

export const coreState = z.object({
  status: coreStatus,
  coreId: z.string().nullable(),
  startedAt: wireInstant.nullable(),
  uptimeMs: wireInt.nullable(),
  version: z.string().nullable(),
  restarts: wireInt.describe('how often the agent restarted the core by itself since the last start request'),
  lastError: z.string().nullable().describe('why the core last ended by itself or failed to start'),
  hashes: hashPayload
    .nullable()
    .describe('what the next start request is compared with; null when it restarts the core whatever it asks for'),
  endedCores: z.array(z.string()).describe('ids of ended cores whose last sample waits to be acknowledged'),
})
export type CoreState = z.output<typeof coreState>

/** As many last samples as an agent hands over at a time. */
export const ENDED_AT_A_TIME = 8

export const sampleReply = z.object({
  current: coreSample.nullable().describe('null while no core runs'),
  ended: wireList(coreSample, ENDED_AT_A_TIME).describe('last samples of ended cores, oldest first, until acknowledged'),
})
export type SampleReply = z.output<typeof sampleReply>

/** As many users and addresses as one call names, and as many addresses of a user as are told. */
const MAX_NAMED = 10_000
const MOST_ADDRESSES = 1000

/** A user with open connections, and the addresses that they come from. */
export interface ConnectedUser {
  username: string
  ips: { ip: string; lastSeen: string }[]
}

function isConnectedUser(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { username, ips } = value as Record<string, unknown> // its members are looked at next
  return typeof username === 'string' && Array.isArray(ips) && ips.length <= MOST_ADDRESSES && ips.every(isSeenAddress)
}

function isSeenAddress(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { ip, lastSeen } = value as Record<string, unknown> // as above
  return typeof ip === 'string' && isIpAddress(ip) && typeof lastSeen === 'string' && !Number.isNaN(Date.parse(lastSeen))
}

/** One call of the server to an agent. Replies travel wrapped in `response`. */
export interface AgentCall<B extends z.ZodType = z.ZodType, R extends z.ZodType = z.ZodType> {
  method: Extract<Method, 'GET' | 'POST'>
  path: string
  body: B
  response: R
}

const noBody = z.unknown()
const get = <R extends z.ZodType>(path: string, response: R): AgentCall<typeof noBody, R> => ({
  method: 'GET',
  path,
  body: noBody,
  response,
})
/** POST routes answer 201. */
const post = <B extends z.ZodType, R extends z.ZodType>(path: string, body: B, response: R): AgentCall<B, R> => ({
  method: 'POST',
  path,
  body,
  response,
})

/** Told in one call. */
const MAX_CHANGES = 5000
const resettable = z.object({ reset: z.boolean() })
const tagged = z.object({ tag: z.string() })

/** Every call an agent serves on its TLS port. */
export const agentApi = {
  start: post('/node/xray/start', wireObject, startReply),
  stop: get('/node/xray/stop', z.object({ isStopped: z.boolean() })),
  status: get('/node/xray/status', z.object({ isRunning: z.boolean(), version: z.string().nullable() })),
  healthcheck: get('/node/xray/healthcheck', healthcheckReply),
  addUser: post('/node/handler/add-user', addUserBody, userChangeReply),
  removeUser: post('/node/handler/remove-user', removeUserBody, userChangeReply),
  getInboundUsers: post(
    '/node/handler/get-inbound-users',
    tagged,
    z.object({ users: longList<InboundUser>((user) => inboundUser.safeParse(user).success) }),
  ),
  getInboundUsersCount: post('/node/handler/get-inbound-users-count', tagged, z.object({ count: z.number() })),
  getUserOnlineStatus: post(
    '/node/stats/get-user-online-status',
    z.object({ username: z.string() }),
    z.object({ isOnline: z.boolean() }),
  ),
  getSystemStats: get('/node/stats/get-system-stats', systemStats),
  getUsersStats: post('/node/stats/get-users-stats', resettable, z.object({ users: traffic.users })),
  getInboundStats: post('/node/stats/get-inbound-stats', resettable.extend(tagged.shape), inboundTraffic),
  getOutboundStats: post('/node/stats/get-outbound-stats', resettable.extend(tagged.shape), outboundTraffic),
  getAllInboundsStats: post('/node/stats/get-all-inbounds-stats', resettable, z.object({ inbounds: traffic.inbounds })),
  getAllOutboundsStats: post('/node/stats/get-all-outbounds-stats', resettable, z.object({ outbounds: traffic.outbounds })),
  /** Own addition: which core runs, since when, and what a start request would be compared with. */
  getCore: get('/node/x/core', coreState),
  /** Own addition: the running core's counters, and the last ones of cores that ended. Acknowledged ones are forgotten. */
  takeSample: post('/node/x/sample', z.object({ acknowledged: z.array(z.string()).default([]) }), sampleReply),
  /** Own addition: a new certificate of the same authority, shown to connections from now on. Nothing that runs is ended. */
  renewCertificate: post('/node/x/certificate', agentPayload, z.object({ isRenewed: z.boolean() })),
  /** Own addition: a request to sign the next key of a node that makes its keys itself. Other nodes fail. */
  requestCertificate: get('/node/x/certificate/request', z.object({ request: z.string() })),
  /** Own addition: the certificate for the newest request. Shown to connections from now on; nothing that runs is ended. */
  takeCertificate: post('/node/x/certificate/signed', signedIdentity, z.object({ isRenewed: z.boolean() })),
  /** Own addition: which users have connections open, and from which addresses; of these users, or of all. Read from the core. */
  readConnections: post(
    '/node/x/connections',
    z.object({ usernames: z.array(z.string()).max(MAX_NAMED, `must hold at most ${MAX_NAMED} users`).optional() }),
    z.object({ users: longList<ConnectedUser>(isConnectedUser) }),
  ),
  /**
   * Own addition: closes TCP connections of these addresses, and of the addresses that these users come from, with the core. `error`
   * says why some are still open.
   */
  dropConnections: post(
    '/node/x/connections/drop',
    z.object({
      usernames: z.array(z.string()).max(MAX_NAMED, `must hold at most ${MAX_NAMED} users`).default([]),
      ips: z.array(z.string().refine(isIpAddress)).max(MAX_NAMED, `must hold at most ${MAX_NAMED} addresses`).default([]),
    }),
    z.object({ closed: wireInt, error: said.nullable() }),
  ),
  /**
   * Own addition: closes connections of users whose access has just been taken away, to the inbounds of these tags; to all where
   * `tags` is null. `error` says why some are still open.
   */
  cutConnections: post(
    '/node/x/connections/cut',
    z.object({
      cuts: z
        .array(z.object({ username: z.string(), tags: z.array(z.string()).nullable() }))
        .max(MAX_CHANGES, `must hold at most ${MAX_CHANGES} users`),
    }),
    z.object({ closed: wireInt, error: said.nullable() }),
  ),
  /** Own addition: what the node filters from now on, in a table of nftables of its own, which goes with the agent. */
  setFilters: post('/node/x/filters', agentFilters, filterState),
  /** Own addition: blocks addresses for a time, or lets them in again. Blocks end with the agent. */
  setBlocks: post('/node/x/filters/blocks', blockOrder, filterState),
  /** Own addition: torrents that were caught since, and forgets those that have arrived at the server. */
  takeTorrents: post(
    '/node/x/torrents',
    z.object({ acknowledged: z.array(wireUuid).max(MAX_CHANGES, `must hold at most ${MAX_CHANGES} reports`) }),
    torrentReports,
  ),
  /** Own addition: which of these ports take a TCP connection from the node; `error` says why one does not. */
  reachPorts: post('/node/x/reach', reachBody, reachReply),
  /** Own addition: the end of the core's log, or of the agent's own, without secrets and without anything of users. */
  readLog: post('/node/x/log', z.object({ log: nodeLog }), z.object({ lines: logLines })),
  /** Own addition: which parts are in force, and which was refused. */
  getParts: get('/node/x/parts', nodeParts),
  /** Own addition: a piece of a release file. The reply says how much of the file is there, which the next piece goes on from. */
  sendPiece: post('/node/x/parts/piece', releasePiece, z.object({ received: wireInt, error: said.nullable() })),
  /**
   * Own addition: puts a part in force whose file is there as a whole. The answer for the core and its geo files comes once it runs,
   * or the one before it again. For the agent it comes before the agent is exchanged; `getParts` says how that went.
   */
  usePart: post('/node/x/parts/use', wantedPart, partReply),
  /** Own addition: puts in force again what was before this part. Nothing happens where another is in force. */
  returnPart: post('/node/x/parts/return', wantedPart.omit({ bytes: true }), partReply),
  /** Own addition: many user changes in one call, each with the effect and the reply of the single call, in order. */
  changeUsers: post(
    '/node/x/users',
    z.object({ changes: z.array(userChange).max(MAX_CHANGES, `must hold at most ${MAX_CHANGES} changes`) }),
    z.object({ results: wireList(userChangeReply, MAX_CHANGES) }),
  ),
} as const satisfies Record<string, AgentCall>

/** The input of a call, and its result. */
export type AgentInput<C extends AgentCall> = z.input<C['body']>
export type AgentReply<C extends AgentCall> = z.output<C['response']>
