import { Readable } from 'node:stream'
import { createSecureContext, type TLSSocket } from 'node:tls'
import { buildConnector, Agent as Connections, request } from 'undici'
import { z } from 'zod'
import { agentApi, type AgentCall, type AgentInput, type AgentReply, type UnreachedReason } from '@causeway/contract'
import { readFleetKeys, signAgentToken } from './fleet-keys.ts'
import { AgentLinks, NotCalling } from './links/agent-links.ts'
import { peerProblem, type NodeIdentity, type Peer, type PeerProblem } from './node-identity.rules.ts'
import type { SecretStore } from './secret-store.ts'

const CALL_TIMEOUT_MS = 45_000
const START_TIMEOUT_MS = 60_000
const CONNECT_TIMEOUT_MS = 10_000
/** Agents that call do so again within this, such as after a restart of the server. */
const CALLING_PATIENCE_MS = 6000
const KEEP_ALIVE_MS = 55_000
const CONNECTIONS_PER_NODE = 10
/** Limit of every answer that is no list of users: a compromised node must not fill this server's memory. */
const MAX_REPLY_BYTES = 1024 * 1024
/**
 * A connection keeps a buffer of the longest chunk ever written to it. A start with 10,000 users would leave 0.8 MB
 * with every node.
 */
const PIECE_BYTES = 16 * 1024

export interface AgentAddress {
  address: string
  port: number | null
  uuid: string
  /** Certificates that its agent may show, and whether it calls; null where none was signed for it by name. */
  identity: NodeIdentity | null
}

export interface CallOptions {
  headers?: Record<string, string>
  timeoutMs?: number
  signal?: AbortSignal
  /** How long the answer may be, for the few that grow with the users. */
  maxReplyBytes?: number
}

/** Calls to the agents of the fleet. Only features/fleet and features/connections use it. */
export interface Agents {
  /** @throws AgentError with a sentence for the administrator. */
  call<C extends AgentCall>(node: AgentAddress, call: C, input: AgentInput<C>, options?: CallOptions): Promise<AgentReply<C>>
  /** The certificate that this agent showed last, if it was called. */
  certificateOf(node: AgentAddress): ShownCertificate | undefined
  /** It will show this one from now on. */
  noteCertificate(node: AgentAddress, certificate: ShownCertificate): void
  /** Connections that agents hold open, where they call this server. */
  links: AgentLinks
  close(): Promise<void>
}

export interface ShownCertificate {
  validFrom: Date
  validTo: Date
  /** SHA-256 in hexadecimal digits. */
  fingerprint: string
}

/** Why an agent could not be asked, or what it answered instead. */
export class AgentError extends Error {
  /** `away`: no trusted peer answered; `failed`: the agent answered with an error; `timeout`: the agent may have done it; `silent`: it hangs. */
  readonly kind: 'away' | 'failed' | 'timeout' | 'silent'
  /** The agent's own code, such as that of `agentErrors.systemStatsError` when no core runs. */
  readonly agentCode: string | null
  /** Of one that is away. */
  readonly unreached: UnreachedReason

  constructor(
    kind: AgentError['kind'],
    message: string,
    options: { cause?: unknown; agentCode?: string | null; unreached?: UnreachedReason } = {},
  ) {
    super(message, { cause: options.cause })
    this.kind = kind
    this.agentCode = options.agentCode ?? null
    this.unreached = options.unreached ?? 'other'
  }
}

/** The peer is not the agent of this node. */
class PeerRefused extends Error {
  readonly code = 'PEER_REFUSED'
  readonly problem: PeerProblem

  constructor(problem: PeerProblem) {
    super(problem)
    this.problem = problem
  }
}

/** Keys are read again after this: the authority may have been renewed, by this server or another. */
const KEYS_KEPT_MS = 12 * 3_600_000

/** Opens the way to the agents. The keys are made and read when the first call is made. */
export function openAgents(secrets: SecretStore): Agents {
  const peers = new Peers()
  const links = new AgentLinks()
  let opening: Promise<{ connections: Connections; token: string }> | undefined
  let openedAt = 0
  const open = () => {
    if (opening && performance.now() - openedAt > KEYS_KEPT_MS) {
      // Calls under way are finished first.
      void opening.then(({ connections }) => connections.close()).catch(() => {})
      opening = undefined
    }
    if (!opening) openedAt = performance.now()
    opening ??= openConnections(secrets, peers, links).catch((error: unknown) => {
      opening = undefined // the next call tries again
      throw error
    })
    return opening
  }
  return {
    call: async (node, call, input, options = {}) => {
      const { connections, token } = await open()
      peers.expect(hostOf(node), node)
      const body = await send(connections, token, node, call, input, options)
      const reply = z.object({ response: call.response }).safeParse(body)
      // Just parsed by that call's own schema; generic zod types do not carry through.
      if (reply.success) return reply.data.response as AgentReply<typeof call>
      throw new AgentError(
        'failed',
        `The agent's answer to ${call.path} is not what this server understands. Update the agent.`,
        {
          cause: reply.error,
        },
      )
    },
    certificateOf: (node) => peers.shown.get(hostOf(node)),
    noteCertificate: (node, certificate) => void peers.shown.set(hostOf(node), certificate),
    links,
    close: async () => {
      links.close()
      await (await opening?.catch(() => undefined))?.connections.destroy()
    },
  }
}

/** As the connection knows it. */
function hostOf(node: AgentAddress): string {
  return URL.parse(agentUrl(node, '/'))?.host ?? ''
}

/** Whose agent answers at which address, and the connections to it. Addresses of nodes are unique. */
class Peers {
  readonly shown = new Map<string, ShownCertificate>()
  readonly #expected = new Map<string, Pick<AgentAddress, 'uuid' | 'identity'>>()
  readonly #open = new Map<string, Map<TLSSocket, Peer>>()

  /** Ends connections that were opened before, where their certificate counts no more. */
  expect(host: string, { uuid, identity }: AgentAddress): void {
    const before = this.#expected.get(host)
    if (before?.uuid === uuid && isSameIdentity(before.identity, identity)) return
    this.#expected.set(host, { uuid, identity })
    for (const [socket, peer] of this.#open.get(host) ?? [])
      if (peerProblem(peer, { uuid, identity })) socket.destroy(new PeerRefused('unknown'))
  }

  /** Notes what a new connection shows. @throws PeerRefused where it is not what is expected */
  admit(host: string, socket: TLSSocket): void {
    const { valid_from, valid_to, fingerprint256, subjectaltname } = socket.getPeerCertificate()
    if (!valid_to) return
    const peer = { names: subjectaltname, fingerprint: fingerprint256.replaceAll(':', '').toLowerCase() }
    const expected = this.#expected.get(host)
    const problem = expected && peerProblem(peer, expected)
    if (problem) throw new PeerRefused(problem)
    this.shown.set(host, {
      validFrom: new Date(valid_from),
      validTo: new Date(valid_to),
      fingerprint: peer.fingerprint,
    })
    const open = this.#open.get(host) ?? new Map<TLSSocket, Peer>()
    this.#open.set(host, open.set(socket, peer))
    socket.once('close', () => {
      open.delete(socket)
      if (open.size === 0 && this.#open.get(host) === open) this.#open.delete(host)
    })
  }
}

function isSameIdentity(one: NodeIdentity | null, other: NodeIdentity | null): boolean {
  return one?.isRequired === other?.isRequired && one?.fingerprints.join() === other?.fingerprints.join()
}

/** Stands for the address of an agent that calls, in the connections to it. */
const CALLING = '.calling.invalid'

async function openConnections(secrets: SecretStore, peers: Peers, links: AgentLinks) {
  const keys = await readFleetKeys(secrets)
  const connect = buildConnector({
    timeout: CONNECT_TIMEOUT_MS,
    // Made once: reading keys and certificates again for every connection takes 0.36 ms each.
    secureContext: createSecureContext({ ca: keys.caCertPem, cert: keys.clientCertPem, key: keys.clientKeyPem }),
    // Certificates of nodes name no host; being signed by our own authority counts, and the node where they name one.
    checkServerIdentity: () => undefined,
    // A session begun with one node must never be offered to another.
    maxCachedSessions: 0,
  })
  const connections = new Connections({
    connections: CONNECTIONS_PER_NODE,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    connect: (options, callback) => {
      const open = (given: typeof options) =>
        connect(given, (...[error, socket]) => {
          if (error) return callback(error, null)
          try {
            peers.admit(options.host ?? options.hostname, socket as TLSSocket) // agents are called by https only
          } catch (refusal) {
            socket.destroy()
            return callback(refusal as PeerRefused, null)
          }
          callback(null, socket)
        })
      if (!options.hostname.endsWith(CALLING)) return open(options)
      const fail = (error: unknown) => callback(error as NotCalling, null) // it rejects with nothing else
      const taken = links.take(options.hostname.slice(0, -CALLING.length), CALLING_PATIENCE_MS)
      taken.then((httpSocket) => open({ ...options, httpSocket }), fail)
    },
  })
  return { connections, token: await signAgentToken(keys) }
}

async function send(
  dispatcher: Connections,
  token: string,
  node: AgentAddress,
  call: AgentCall,
  input: unknown,
  options: CallOptions,
): Promise<unknown> {
  const timeoutMs = options.timeoutMs ?? (call.path === agentApi.start.path ? START_TIMEOUT_MS : CALL_TIMEOUT_MS)
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const body = call.method === 'POST' ? Buffer.from(JSON.stringify(input)) : undefined
    const reply = await request(agentUrl(node, call.path), {
      method: call.method,
      dispatcher,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      signal: options.signal ? AbortSignal.any([timeout, options.signal]) : timeout,
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        'content-type': 'application/json',
        ...options.headers,
        ...(body && { 'content-length': String(body.length) }),
      },
      ...(body && { body: body.length > PIECE_BYTES ? Readable.from(piecesOf(body)) : body }),
    })
    const text = await textOf(node, reply.body, options.maxReplyBytes ?? MAX_REPLY_BYTES)
    if (reply.statusCode >= 200 && reply.statusCode < 300) return parseJson(text)
    throw refusal(call.path, reply.statusCode, parseJson(text))
  } catch (error) {
    if (error instanceof AgentError) throw error
    if (timeout.aborted) {
      const seconds = Math.round(timeoutMs / 1000)
      throw new AgentError('timeout', `${where(node)} did not answer ${call.path} within ${seconds} seconds.`, { cause: error })
    }
    throw explainFailure(node, error)
  }
}

/** @throws AgentError where the answer is too long: no more of it arrives then. */
async function textOf(node: AgentAddress, body: AsyncIterable<Buffer>, maxBytes: number): Promise<string> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of body) {
    bytes += piece.length
    if (bytes > maxBytes)
      throw new AgentError(
        'failed',
        `The answer of ${where(node)} was larger than an agent's can be. Check the address and port of the node.`,
      )
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}

function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES)
}

function agentUrl(node: AgentAddress, path: string): string {
  if (node.identity?.isCalling) return `https://${node.uuid}${CALLING}${path}`
  return `https://${node.address}${node.port === null ? '' : `:${node.port}`}${path}`
}

function where(node: AgentAddress): string {
  return `${node.address}:${node.port ?? 443}`
}

/** Longer messages are cut before they are stored and shown. */
const LONGEST_REASON = 1000
const reason = z.string().overwrite((text) => text.slice(0, LONGEST_REASON).replaceAll('\0', ''))
const failureBody = z.object({ message: reason, errorCode: z.string().nullish() })

function refusal(path: string, status: number, body: unknown): AgentError {
  const parsed = failureBody.safeParse(body)
  const why = parsed.success ? parsed.data.message : `status ${status}`
  return new AgentError('failed', `The agent could not do ${path}: ${why}`, {
    agentCode: parsed.success ? (parsed.data.errorCode ?? null) : null,
  })
}

/** The failure between server and agent, as a sentence that says what to check. */
function explainFailure(node: AgentAddress, error: unknown): AgentError {
  const code = codeOf(error)
  const away = (sentence: string, unreached: UnreachedReason = 'other') =>
    new AgentError('away', sentence, { cause: error, unreached })
  switch (code) {
    case 'NOT_CALLING':
      return away(
        'The agent of this node calls the panel and is not connected. Check that it runs, and that a proxy before the panel passes Upgrade headers on.',
        'notCalling',
      )
    case 'PEER_REFUSED':
      return away(
        error instanceof PeerRefused && error.problem === 'otherNode'
          ? `What answers at ${where(node)} shows the certificate of another node. Check the address, or let this machine join anew as this node.`
          : `What answers at ${where(node)} shows a certificate that does not count for this node: it was revoked, or was not signed for it. Let the machine join anew.`,
        'certificate',
      )
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return away(`The name ${node.address} resolves to no address (${code}). Check the address of the node.`, 'name')
    case 'ERR_INVALID_URL':
      return away(`"${where(node)}" is not an address that can be called. Check the address and port of the node.`)
    case 'ECONNREFUSED':
      return away(
        `${where(node)} refused the connection (${code}). Check that the agent runs there and listens on this port.`,
        'refused',
      )
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'ETIMEDOUT':
    case 'UND_ERR_CONNECT_TIMEOUT':
      return away(
        `${where(node)} cannot be reached (${code}). Check that the machine is up and its firewall lets this server in.`,
        'closed',
      )
    case 'CERT_HAS_EXPIRED':
      return away(`The certificate of the agent at ${where(node)} has expired. Copy a new public key to the node.`, 'certificate')
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'CERT_SIGNATURE_FAILURE':
      return away(
        `What answers at ${where(node)} has a certificate that is not of this panel (${code}). Copy this panel's public key to the node.`,
        'certificate',
      )
    case 'EPROTO':
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
    case 'ERR_SSL_PACKET_LENGTH_TOO_LONG':
    case 'HPE_INVALID_CONSTANT':
      return away(
        `What answers at ${where(node)} is not an agent (${code}). Check the address and port of the node.`,
        'otherProgram',
      )
    default:
      break
  }
  if (code.startsWith('ERR_SSL_') || code === 'ECONNRESET' || code === 'EPIPE' || code === 'UND_ERR_SOCKET') {
    return away(
      `The agent at ${where(node)} closed the connection (${code}). It may belong to another panel: copy this panel's public key to the node, or restart the agent.`,
      'certificate',
    )
  }
  return away(`${where(node)} could not be called: ${error instanceof Error ? error.message : String(error)} (${code}).`)
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'UNKNOWN'
  if ('code' in error && typeof error.code === 'string') return error.code
  return error.cause === undefined ? 'UNKNOWN' : codeOf(error.cause)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
