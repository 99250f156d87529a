import { lookup, type LookupAddress } from 'node:dns'
import net, { BlockList, isIP, type LookupFunction } from 'node:net'
import os from 'node:os'
import { Agent, buildConnector, ProxyAgent, request, Socks5ProxyAgent, type Dispatcher } from 'undici'

const TIMEOUT_MS = 10_000
const MAX_BYTES = 1024 * 1024

export interface OutgoingRequest {
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string
  timeoutMs?: number
  maxBytes?: number
  /** Reads no more than the beginning of the answer, however long that is. */
  firstBytes?: number
  /** Hosts that may lie in a private network, because the operator of this server named them. */
  allowedPrivateHosts?: readonly string[]
  /** A proxy that asks in our place: it is what must not lie in a private network, as it looks names up by itself. */
  proxy?: string
  /** How many redirects are followed, none by default; each leads through the same checks. */
  maxRedirects?: number
}

export interface OutgoingReply {
  status: number
  contentType: string
  body: Buffer
}

/**
 * The one way out for addresses that an administrator or another service can steer. Bounded in time and size. It
 * never reaches this machine or its network (unless the operator named the host), and follows no other redirects than
 * allowed.
 */
export async function requestOutside(address: string, options: OutgoingRequest = {}): Promise<OutgoingReply> {
  const signal = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS)
  let url = new URL(address)
  for (let left = options.maxRedirects ?? 0; ; left--) {
    const { location, ...reply } = await requestOnce(url, options, signal)
    if (left <= 0 || location === undefined || reply.status < 300 || reply.status >= 400) return reply
    url = new URL(location, url)
  }
}

async function requestOnce(
  url: URL,
  options: OutgoingRequest,
  signal: AbortSignal,
): Promise<OutgoingReply & { location: string | undefined }> {
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new Error(`Only http and https addresses are fetched, not ${url.protocol}`)
  const agent = dispatcherFor(url, options)
  try {
    const reply = await request(url, {
      dispatcher: agent,
      method: options.method ?? 'GET',
      headers: { 'user-agent': 'Causeway', ...options.headers },
      ...(options.body === undefined ? {} : { body: options.body }),
      signal,
    })
    const body =
      options.firstBytes === undefined
        ? Buffer.from(await reply.body.arrayBuffer())
        : await beginningOf(reply.body, options.firstBytes)
    const { 'content-type': contentType, location } = reply.headers
    return {
      status: reply.statusCode,
      contentType: String(contentType ?? ''),
      location: typeof location === 'string' ? location : undefined,
      body,
    }
  } finally {
    await (options.firstBytes === undefined ? agent.close() : agent.destroy())
  }
}

function dispatcherFor(url: URL, options: OutgoingRequest): Dispatcher {
  const { proxy, allowedPrivateHosts = [], timeoutMs = TIMEOUT_MS } = options
  const maxResponseSize = options.firstBytes === undefined ? (options.maxBytes ?? MAX_BYTES) : -1
  const connect = { lookup: guardFor(proxy === undefined ? url : new URL(proxy), allowedPrivateHosts), timeout: timeoutMs }
  if (proxy === undefined) return new Agent({ connect, maxResponseSize })
  // The target is another one's to look up, and must not be named by an address of our network.
  guardFor(url, allowedPrivateHosts)
  if (/^socks/i.test(proxy)) return new Socks5ProxyAgent(proxy, { connect: buildConnector(connect), maxResponseSize })
  return new ProxyAgent({ uri: proxy, proxyTls: connect, maxResponseSize, proxyTunnel: true })
}

/** The way to look up a host. @throws Error where it is an address that is not reached */
function guardFor({ hostname }: { hostname: string }, allowedPrivateHosts: readonly string[]): LookupFunction {
  const host = hostname.replace(/^\[|\]$/g, '')
  if (allowedPrivateHosts.includes(host)) return lookup
  if (isIP(host) !== 0) refusePrivate(host, host)
  return guardedLookup
}

/** Connections of a client library, by the same checks for every host it is led to. Without a list all hosts are allowed. */
export function outsideAgent({
  ca,
  allowedPrivateHosts,
}: {
  ca: string[] | undefined
  allowedPrivateHosts: readonly string[] | undefined
}): Agent {
  const tls = ca === undefined ? {} : { ca }
  if (allowedPrivateHosts === undefined) return new Agent({ connect: tls })
  return new Agent({
    connect: (options, callback) => {
      try {
        const guarded = { ...tls, lookup: guardFor(options, allowedPrivateHosts), timeout: TIMEOUT_MS }
        buildConnector(guarded)(options, callback)
      } catch (error) {
        callback(error instanceof Error ? error : new Error(String(error)), null)
      }
    },
  })
}

/** A connection for what is not http, by the same checks. */
export function connectOutside(
  { host, port }: { host: string; port: number },
  { timeoutMs, allowedPrivateHosts = [] }: { timeoutMs: number; allowedPrivateHosts?: readonly string[] },
): Promise<net.Socket> {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ host, port, lookup: guardFor({ hostname: host }, allowedPrivateHosts) })
    const onTimeout = () => socket.destroy(Object.assign(new Error('No answer.'), { code: 'ETIMEDOUT' }))
    socket.setTimeout(timeoutMs, onTimeout)
    socket.once('error', reject)
    socket.once('connect', () => {
      socket.off('error', reject)
      socket.setTimeout(0)
      socket.off('timeout', onTimeout)
      resolve(socket)
    })
  })
}

/** Leaving the loop closes the connection, so that the rest is never received. */
async function beginningOf(body: AsyncIterable<Uint8Array>, limit: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= limit) break
  }
  return Buffer.concat(chunks).subarray(0, limit)
}

/** The refusal of a receiver's address: nothing that is in it beside the place would be sent. */
export function receiverProblem(address: string, allowedPrivateHosts: readonly string[]): string | undefined {
  const url = URL.parse(address)
  if (url && url.username + url.password !== '') return 'must not hold a user name or password, as addresses are shown'
  return ownNetworkProblem(address, allowedPrivateHosts)
}

/** The refusal of a host, or of a URL's. Checks addresses only; a name is looked up with every request, as it may change. */
export function ownNetworkProblem(place: string, allowedPrivateHosts: readonly string[]): string | undefined {
  const host = (URL.parse(place)?.hostname ?? place).replace(/^\[|\]$/g, '')
  if (allowedPrivateHosts.includes(host)) return undefined
  const isOwn = host === 'localhost' || (isIP(host) !== 0 && isPrivateAddress(host))
  return isOwn ? 'lies in a private network. Name the host in OUTGOING_PRIVATE_HOSTS to allow it' : undefined
}

/** Addresses of this machine, its network, and others that no public service has. */
export function isPrivateAddress(address: string): boolean {
  return PRIVATE.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

const PRIVATE = new BlockList()
const NETWORKS = `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.168.0.0/16
  198.18.0.0/15 224.0.0.0/4 240.0.0.0/4 ::/96 64:ff9b::/96 64:ff9b:1::/48 2001::/32 2002::/16 fc00::/7 fe80::/10
  fec0::/10 ff00::/8`
for (const network of NETWORKS.split(/\s+/)) {
  const [address = '', bits] = network.split('/')
  PRIVATE.addSubnet(address, Number(bits), isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

/** Checks what a name stands for at the moment of connecting, so that it cannot change in between. */
const guardedLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, '')
    try {
      for (const { address } of addresses) refusePrivate(address, hostname)
    } catch (refusal) {
      return callback(refusal instanceof Error ? refusal : new Error(String(refusal)), '')
    }
    const [first] = addresses
    if (options.all) callback(null, addresses)
    else callback(null, first?.address ?? '', first?.family)
  })
}

function refusePrivate(address: LookupAddress['address'], host: string): void {
  if (isPrivateAddress(address)) throw new Error(`${host} lies in a private network (${address}); it is not fetched.`)
  if (isOfThisMachine(address)) throw new Error(`${host} is this machine (${address}); it is not fetched.`)
}

/** A machine reaches itself by its public addresses too, and past the firewall that keeps others from what listens there. */
function isOfThisMachine(address: string): boolean {
  const own = new BlockList()
  for (const known of Object.values(os.networkInterfaces()).flatMap((addresses) => addresses ?? []))
    own.addAddress(known.address, known.family === 'IPv6' ? 'ipv6' : 'ipv4')
  return own.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}
