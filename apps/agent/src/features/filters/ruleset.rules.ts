const DEFAULT_PORT = 2222

/** A table of the agent's own: nothing else of the machine is touched. Agents of one machine have one each. */
export const tableOf = (agentPort: number): string => `inet causeway${agentPort === DEFAULT_PORT ? '' : `_${agentPort}`}`

export interface Rules {
  ingress: readonly string[]
  egress: readonly string[]
  egressPorts: readonly number[]
  /** Addresses, each for so many seconds, or for ever. */
  blocks: ReadonlyMap<string, number | null>
}

export interface Span {
  first: number
  last: number
}

export const isIPv6 = (network: string): boolean => network.includes(':')

/**
 * The whole table as text, which nftables puts in place of the former at once. Loopback and the port of the agent are let through
 * before everything else. Outgoing connections are dropped by their first packet only: replies to clients go on.
 */
export function rulesetOf({ ingress, egress, egressPorts, blocks }: Rules, agentPort: number): string {
  const named = (name: string, networks: readonly string[]) =>
    [4, 6].map((version) =>
      set(
        `${name}${version}`,
        `ipv${version}_addr`,
        'interval; auto-merge',
        networks.filter((network) => isIPv6(network) === (version === 6)),
      ),
    )
  return `${withoutTable(agentPort)}
table ${tableOf(agentPort)} {
${[...named('ingress', ingress), ...named('egress', egress)].join('\n')}
${set('egressports', 'inet_service', 'interval; auto-merge', egressPorts.map(String))}
${set('blocked4', 'ipv4_addr', 'timeout', blockElements(blocks, false))}
${set('blocked6', 'ipv6_addr', 'timeout', blockElements(blocks, true))}
${set('cut4', 'ipv4_addr . inet_service', 'interval, timeout', [])}
${set('cut6', 'ipv6_addr . inet_service', 'interval, timeout', [])}
  chain input {
    type filter hook input priority -10; policy accept;
    iif lo accept
    tcp dport ${agentPort} accept
    ip saddr @blocked4 drop
    ip6 saddr @blocked6 drop
    ip saddr @ingress4 drop
    ip6 saddr @ingress6 drop
    ip saddr . udp dport @cut4 drop
    ip6 saddr . udp dport @cut6 drop
  }
  chain output {
    type filter hook output priority -10; policy accept;
    oif lo accept
    ip daddr . udp sport @cut4 drop
    ip6 daddr . udp sport @cut6 drop
    tcp flags & (syn | ack) == syn ip daddr @egress4 drop
    tcp flags & (syn | ack) == syn ip6 daddr @egress6 drop
    tcp flags & (syn | ack) == syn tcp dport @egressports drop
    meta l4proto udp ip daddr @egress4 drop
    meta l4proto udp ip6 daddr @egress6 drop
    udp dport @egressports drop
  }
}
`
}

/** Takes the table away, also where there is none. */
export function withoutTable(agentPort: number): string {
  return `add table ${tableOf(agentPort)}\ndelete table ${tableOf(agentPort)}`
}

/** Drops datagrams of these addresses to these ports for a while: nothing else ends a connection that has no socket of its own. */
export function cutText(table: string, addresses: readonly string[], ports: readonly Span[], seconds: number): string {
  return addresses
    .flatMap((address) =>
      ports.map(
        ({ first, last }) =>
          `add element ${table} cut${isIPv6(address) ? 6 : 4} { ${address} . ${first === last ? first : `${first}-${last}`} timeout ${seconds}s }`,
      ),
    )
    .join('\n')
}

/** Changes blocks of a table that is there: many networks take a second to be put in place anew. */
export function blocksText(
  agentPort: number,
  { block, unblock }: { block: readonly { ip: string; seconds: number }[]; unblock: readonly string[] },
): string {
  const element = (ip: string, seconds = 0) =>
    `element ${tableOf(agentPort)} blocked${isIPv6(ip) ? 6 : 4} { ${ip}${seconds === 0 ? '' : ` timeout ${seconds}s`} }`
  // An element must exist to be deleted, and an existing one keeps its time.
  const without = (ip: string) => [`add ${element(ip)}`, `delete ${element(ip)}`]
  return [
    ...unblock.flatMap(without),
    ...block.flatMap(({ ip, seconds }) => [...without(ip), `add ${element(ip, seconds)}`]),
  ].join('\n')
}

function blockElements(blocks: Rules['blocks'], wantsIPv6: boolean): string[] {
  return [...blocks].flatMap(([ip, seconds]) =>
    isIPv6(ip) === wantsIPv6 ? [seconds === null ? ip : `${ip} timeout ${seconds}s`] : [],
  )
}

function set(name: string, type: string, flags: string, elements: readonly string[]): string {
  const filled = elements.length === 0 ? '' : `\n    elements = { ${elements.join(', ')} }`
  return `  set ${name} {\n    type ${type}\n    flags ${flags}${filled}\n  }`
}
