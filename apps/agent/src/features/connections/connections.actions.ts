import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { ConnectedUser } from '@causeway/contract/agent'
import type { XrayApi } from '../../xray/api.ts'
import type { Filters } from '../filters/filters.ts'
import type { Firewall } from '../filters/firewall.ts'
import type { Core } from '../../xray/core.ts'
import type { PortSpan } from '../../xray/port-spans.ts'

const run = promisify(execFile)
/** Users whose addresses are asked for at a time: the core answers for one user per call. */
const AT_A_TIME = 50
/** More would make a command line too long for the system. */
const ADDRESSES_AT_ONCE = 200
const TIMEOUT_MS = 20_000
const MAX_OUTPUT_BYTES = 50_000_000

/** Of these users, or of all, those with open connections. */
export async function connectedUsers(api: XrayApi, usernames: string[] | undefined) {
  const names = [...new Set(usernames ?? (await api.onlineUsers()))]
  const users: ConnectedUser[] = []
  for (let at = 0; at < names.length; at += AT_A_TIME) {
    const some = names.slice(at, at + AT_A_TIME).map(async (username) => ({
      username,
      ips: (await api.addressesOf(username)).map(({ ip, lastSeen }) => ({ ip, lastSeen: lastSeen.toISOString() })),
    }))
    users.push(...(await Promise.all(some)))
  }
  // Some have ended their last connection meanwhile.
  return users.filter(({ ips }) => ips.length > 0)
}

/** `error` says why some are still open. */
export interface Closed {
  closed: number
  error: string | null
}

/**
 * Closes what is open of users whose access was taken away: connections from the addresses they come from to the inbounds that they
 * lost. A user may hold others of this node, whose connections go on.
 */
export async function cutUsers(
  { core, filters, api }: { core: Pick<Core, 'portsOf'>; filters: Filters; api: XrayApi },
  cuts: readonly { username: string; tags: string[] | null }[],
): Promise<Closed> {
  const users = await connectedUsers(
    api,
    cuts.map(({ username }) => username),
  )
  const addresses = new Map(users.map(({ username, ips }) => [username, ips.map(({ ip }) => ip)]))
  const byTags = Map.groupBy(cuts, ({ tags }) => JSON.stringify(tags))
  const outcome: Closed = { closed: 0, error: null }
  for (const group of byTags.values()) {
    const named = new Set(group.flatMap(({ username }) => addresses.get(username) ?? []))
    const from = [...named].filter((ip) => !filters.isKept(ip))
    const ports = core.portsOf(group[0]?.tags ?? null)
    const { closed, error } = await closeConnections(from, ports)
    await dropDatagrams(filters.firewall, api, from, ports)
    outcome.closed += closed
    outcome.error ??= error
  }
  return outcome
}

/** Others that come from the same address keep theirs: for them a minute without datagrams would be an outage. */
async function dropDatagrams(
  firewall: Firewall,
  api: XrayApi,
  from: readonly string[],
  ports: readonly PortSpan[],
): Promise<void> {
  const open = ports.filter(({ isUdp }) => isUdp)
  if (from.length === 0 || open.length === 0) return
  const shared = new Map<string, number>()
  for (const { ips } of await connectedUsers(api, undefined)) for (const { ip } of ips) shared.set(ip, (shared.get(ip) ?? 0) + 1)
  await firewall.cut(
    from.filter((ip) => (shared.get(ip) ?? 0) <= 1),
    open,
  )
}

/**
 * Closes TCP connections that come from these addresses to these ports, by way of the kernel: Xray itself has no call for it. Their
 * clients may connect again at once. Other connections of the same addresses stay, such as a shell.
 */
export async function closeConnections(addresses: readonly string[], ports: readonly PortSpan[]): Promise<Closed> {
  if (ports.length === 0) return { closed: 0, error: null }
  const outcome: Closed = { closed: 0, error: null }
  for (let at = 0; at < addresses.length; at += ADDRESSES_AT_ONCE) {
    const filter = filterOf(addresses.slice(at, at + ADDRESSES_AT_ONCE), ports)
    const { closed, error } = await closeMatching(filter)
    outcome.closed += closed
    outcome.error ??= error
  }
  return outcome
}

async function closeMatching(filter: string[]): Promise<Closed> {
  try {
    const before = (await sockets([], filter)).found
    if (before.size === 0) return { closed: 0, error: null }
    const { complaint } = await sockets(['--kill'], filter)
    const after = (await sockets([], filter)).found
    const open = [...before].filter((socket) => after.has(socket)).length
    if (open === 0) return { closed: before.size, error: null }
    const why = complaint || 'the kernel cannot close connections of others'
    return { closed: before.size - open, error: `${open} connections are still open: ${why}. The agent needs CAP_NET_ADMIN.` }
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    if (!isMissing) throw error
    return {
      closed: 0,
      error: 'The program ss, by which connections are closed, is not installed on this node (package iproute2).',
    }
  }
}

/** The sockets of a filter, by both their ends, and what the program complained of. */
async function sockets(flags: string[], filter: string[]): Promise<{ found: Set<string>; complaint: string }> {
  const args = [...flags, '--no-header', '--tcp', '--numeric', '--oneline', ...filter]
  const { stdout, stderr } = await run('ss', args, { timeout: TIMEOUT_MS, maxBuffer: MAX_OUTPUT_BYTES })
  const found = stdout.split('\n').flatMap((line) => {
    const [, , , local, peer] = line.trim().split(/\s+/)
    return local && peer ? [`${local} ${peer}`] : []
  })
  return { found: new Set(found), complaint: stderr.trim().replace(/\.$/, '') }
}

function filterOf(addresses: readonly string[], ports: readonly PortSpan[]): string[] {
  const from = addresses.flatMap((address) => ['or', 'dst', address.includes(':') ? `[${address}]` : address]).slice(1)
  const to = ports
    .flatMap(({ first, last }) => ['or', '(', 'sport', '>=', `:${first}`, 'and', 'sport', '<=', `:${last}`, ')'])
    .slice(1)
  return ['state', 'connected', 'exclude', 'time-wait', '(', ...from, ')', 'and', '(', ...to, ')']
}
