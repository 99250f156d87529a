import type { ConnectedUser } from '@causeway/contract/agent'
import type { XrayApi } from '../../xray/api.ts'
import type { Filters } from '../filters/filters.ts'
import type { Firewall } from '../filters/firewall.ts'
import type { Core } from '../../xray/core.ts'
import type { PortSpan } from '../../xray/port-spans.ts'
import { closeConnections, type Closed } from './closing.actions.ts'

/** Users whose addresses are asked for at a time: the core answers for one user per call. */
const AT_A_TIME = 50

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
  const open = Map.groupBy(ports, ({ silentSeconds }) => silentSeconds)
  open.delete(undefined)
  if (from.length === 0 || open.size === 0) return
  const shared = new Map<string, number>()
  for (const { ips } of await connectedUsers(api, undefined)) for (const { ip } of ips) shared.set(ip, (shared.get(ip) ?? 0) + 1)
  const alone = from.filter((ip) => (shared.get(ip) ?? 0) <= 1)
  for (const [seconds = 0, spans] of open) await firewall.cut(alone, spans, seconds)
}
