import { canonicalJson } from './canonical-json.ts'
import { AGENT_PORTS, withClosedPorts } from './closed-ports.ts'
import { inboundsOf, objectAt, textAt, userProtocolOf, type UserProtocol, type XrayObject } from './config.ts'
import { inboundFlow, type Flow } from './flow.ts'
import { HashedSet } from './hashed-set.ts'
import { sharedKey, sharedMethodOf, shadowsocksMethod, type SharedMethod } from './shadowsocks.ts'

export interface NodeUser {
  username: string
  vlessUuid: string
  trojanPassword: string
  ssPassword: string
  /** Tags of the inbounds that this user may use; those that are not in the config are passed over. */
  tags: readonly string[]
}

/** The hashes that an agent compares to decide whether Xray must restart. */
export interface HashPayload {
  emptyConfig: string
  inbounds: { tag: string; usersCount: number; hash: string }[]
}

/**
 * What the panel itself adds to a profile is of this form. It begins the hash of a config, by which nodes that run an older form
 * are found: raise it when that changes.
 */
export const CONFIG_FORM = 'closed-1.'

interface PlacedInbound {
  protocol: UserProtocol
  flow: Flow
  /** Of Shadowsocks 2022 only. */
  sharedMethod: SharedMethod | undefined
  clients: XrayObject[]
  uuids: HashedSet
}

/**
 * A profile made ready for one node: no clients, and only the inbounds that are active there or carry no users.
 * The empty list matters: Xray accepts a Shadowsocks inbound with an empty list but refuses one without.
 */
export function emptyNodeConfig(config: XrayObject, activeTags: Iterable<string>): XrayObject {
  const active = new Set(activeTags)
  const inbounds = inboundsOf(config).flatMap((inbound) => {
    if (!userProtocolOf(inbound)) return [inbound]
    if (!active.has(textAt(inbound, 'tag'))) return []
    return [{ ...inbound, settings: { ...objectAt(inbound, 'settings'), clients: [] } }]
  })
  return { ...config, inbounds }
}

/**
 * Gives an empty node config the closing rule and fills it with users, page by page, since a node may carry a hundred thousand.
 * `hash` (SHA-256 in the server) is applied to the text of the empty config. That text covers the inbounds of the
 * node, so that agents notice an inbound without users too.
 */
export class NodeConfigBuilder {
  readonly #empty: XrayObject
  readonly #placed = new Map<string, PlacedInbound>()

  constructor(emptyConfig: XrayObject) {
    this.#empty = withClosedPorts(emptyConfig, AGENT_PORTS)
    for (const inbound of inboundsOf(emptyConfig)) {
      const protocol = userProtocolOf(inbound)
      if (!protocol) continue
      const [flow, sharedMethod] = [inboundFlow(inbound), sharedMethodOf(inbound)]
      this.#placed.set(textAt(inbound, 'tag'), { protocol, flow, sharedMethod, clients: [], uuids: new HashedSet() })
    }
  }

  add(user: NodeUser): void {
    for (const tag of new Set(user.tags)) {
      const inbound = this.#placed.get(tag)
      if (!inbound) continue
      inbound.clients.push(client(inbound, user))
      inbound.uuids.add(user.vlessUuid)
    }
  }

  build(hash: (text: string) => string): { config: XrayObject; hashes: HashPayload } {
    const inbounds = inboundsOf(this.#empty).map((inbound) => {
      const placed = this.#placed.get(textAt(inbound, 'tag'))
      return placed ? { ...inbound, settings: { ...objectAt(inbound, 'settings'), clients: placed.clients } } : inbound
    })
    const occupied = [...this.#placed].filter(([, inbound]) => inbound.uuids.size > 0)
    return {
      config: { ...this.#empty, inbounds },
      hashes: {
        emptyConfig: CONFIG_FORM + hash(canonicalJson(this.#empty)),
        inbounds: occupied.map(([tag, { uuids }]) => ({ tag, usersCount: uuids.size, hash: uuids.hash })),
      },
    }
  }
}

/** Clients known by a password carry the VLESS uuid too: Xray ignores it, agents compute their hash from it. */
function client(inbound: PlacedInbound, user: NodeUser): XrayObject {
  const email = user.username
  const id = user.vlessUuid
  switch (inbound.protocol) {
    case 'vless':
      return { id, email, flow: inbound.flow }
    case 'vmess':
      return { id, email }
    case 'hysteria':
      return { auth: user.trojanPassword, email, id }
    case 'trojan':
      return { password: user.trojanPassword, email, id }
    case 'shadowsocks':
      // The core refuses users of 2022 that name a method.
      if (inbound.sharedMethod) return { password: sharedKey(id, inbound.sharedMethod), email, id }
      return { password: user.ssPassword, method: shadowsocksMethod, email, id }
  }
}
