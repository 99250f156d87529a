import { localNetworksRule, NAMES_LOOKED_UP, type XrayObject } from '@causeway/xray'

// The servers of a believable service. Pure data.

export interface SeededNode {
  id: number
  name: string
  address: string
  countryCode: string
  isDisabled: boolean
  isConnected: boolean
  message: string | null
  trafficLimitBytes: number
}

const PLACES: readonly [city: string, countryCode: string][] = [
  ['Frankfurt', 'DE'],
  ['Amsterdam', 'NL'],
  ['Helsinki', 'FI'],
  ['Warsaw', 'PL'],
  ['London', 'GB'],
  ['Paris', 'FR'],
  ['Stockholm', 'SE'],
  ['Zurich', 'CH'],
  ['Vienna', 'AT'],
  ['Madrid', 'ES'],
  ['Istanbul', 'TR'],
  ['Dubai', 'AE'],
  ['Singapore', 'SG'],
  ['Tokyo', 'JP'],
  ['Hong Kong', 'HK'],
  ['New York', 'US'],
  ['Los Angeles', 'US'],
  ['Toronto', 'CA'],
  ['Almaty', 'KZ'],
  ['Yerevan', 'AM'],
]
/** Nodes that do not answer, and what the server last heard of them. */
export const TROUBLED_NODES: ReadonlyMap<number, string> = new Map([
  [7, 'connect ETIMEDOUT 192.0.2.7:2222'],
  [14, 'The core stopped: listen tcp 0.0.0.0:443: bind: address already in use'],
])
const OFF = 19

export function inventNodes(count: number): SeededNode[] {
  return Array.from({ length: count }, (_, index) => {
    const id = index + 1
    const [city, countryCode] = PLACES[index % PLACES.length] ?? ['Nowhere', 'XX']
    const round = Math.floor(index / PLACES.length) + 1
    const trouble = TROUBLED_NODES.get(id) ?? null
    return {
      id,
      name: `${city} ${round}`,
      // Of the names reserved for examples: nobody's server is ever called.
      address: `${city.toLowerCase().replace(' ', '-')}-${round}.example.com`,
      countryCode,
      isDisabled: id === OFF,
      isConnected: trouble === null && id !== OFF,
      message: trouble,
      trafficLimitBytes: id % 4 === 0 ? 20 * 2 ** 40 : 0,
    }
  })
}

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const PHASE_DAYS = 31

export interface SeededPhase {
  beganAt: Date
  phase: 'connected' | 'restarting' | 'agentAway' | 'disabled'
  reason: string | null
}

/** A month of a node: configurations restarted it, and its provider lost it now and then. It ends as the node is. */
export function inventPhases({ id, isConnected, isDisabled, message }: SeededNode, now: Date): SeededPhase[] {
  const before = (ms: number) => new Date(now.getTime() - ms)
  const up = (ms: number): SeededPhase => ({ beganAt: before(ms), phase: 'connected', reason: null })
  const absences = Array.from({ length: id % 4 }, (_, i) => {
    const began = (i * 160 + id * 7 + 5) * HOUR_MS
    const lost: SeededPhase = { beganAt: before(began), phase: 'agentAway', reason: 'connect ETIMEDOUT' }
    return [lost, up(began - (id * (i + 3) + 4) * MINUTE_MS)]
  })
  const restarts = [40, 290, 500].map((hours): SeededPhase[] => {
    const began = hours * HOUR_MS + id * MINUTE_MS
    return [{ beganAt: before(began), phase: 'restarting', reason: null }, up(began - 9000)]
  })
  const last: SeededPhase[] = isConnected
    ? []
    : [{ beganAt: before(id * 0.4 * HOUR_MS), phase: isDisabled ? 'disabled' : 'agentAway', reason: message }]
  return [up(PHASE_DAYS * 24 * HOUR_MS), ...absences.flat(), ...restarts.flat(), ...last].toSorted(
    (one, other) => one.beganAt.getTime() - other.beganAt.getTime(),
  )
}

export const SQUADS = ['Default', 'Streaming', 'Premium'] as const

/** Two ways in, as most services have: VLESS with REALITY, and Shadowsocks for old devices. */
export function inventProfile(): XrayObject {
  return {
    log: { loglevel: 'warning' },
    inbounds: [
      {
        tag: 'VLESS_REALITY',
        port: 443,
        protocol: 'vless',
        settings: { clients: [], decryption: 'none' },
        streamSettings: {
          network: 'tcp',
          security: 'reality',
          realitySettings: {
            target: 'example.com:443',
            serverNames: ['example.com'],
            // Thirty-two fives: a key that nobody takes for a secret.
            privateKey: 'BQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQU',
            shortIds: ['0123456789abcdef'],
          },
        },
        sniffing: { enabled: true, destOverride: ['http', 'tls', 'quic'] },
      },
      {
        tag: 'SHADOWSOCKS',
        port: 8388,
        protocol: 'shadowsocks',
        settings: { clients: [], network: 'tcp,udp' },
        sniffing: { enabled: true, destOverride: ['http', 'tls', 'quic'] },
      },
    ],
    outbounds: [
      { tag: 'DIRECT', protocol: 'freedom' },
      { tag: 'BLOCK', protocol: 'blackhole' },
    ],
    routing: {
      domainStrategy: NAMES_LOOKED_UP,
      rules: [localNetworksRule('BLOCK'), { outboundTag: 'BLOCK', protocol: ['bittorrent'] }],
    },
  }
}
