/** Ports from `first` to `last`, both included. */
export interface PortSpan {
  first: number
  last: number
  /** Datagrams come to them, which no socket of a client belongs to: how long a sender must be silent until it is forgotten. */
  silentSeconds?: number
}

/** The ports that inbounds listen on: numbers, spans such as `1000-2000`, lists of both, and names of the environment (`env:PORT`). */
export function portSpans(inbounds: readonly Record<string, unknown>[], environment = process.env): PortSpan[] {
  return inbounds.flatMap((inbound) => {
    const { port } = inbound
    const silentSeconds = secondsOfSilence(inbound)
    const silence = silentSeconds === undefined ? {} : { silentSeconds }
    const text = typeof port === 'number' ? String(port) : typeof port === 'string' ? port : ''
    const value = text.startsWith('env:') ? (environment[text.slice('env:'.length)] ?? '') : text
    return value.split(',').flatMap((part) => {
      const [, first, last = first] = /^\s*(\d{1,5})(?:\s*-\s*(\d{1,5}))?\s*$/.exec(part) ?? []
      return first === undefined ? [] : { first: Number(first), last: Number(last), ...silence }
    })
  })
}

/**
 * Ports of each inbound by its tag. An inbound on the loopback address gets its connections from others of this machine, so that
 * what comes in for it comes to their ports: it is left out.
 */
export function portsOfTags(inbounds: readonly Record<string, unknown>[]): Map<string, PortSpan[]> {
  return new Map(
    inbounds.flatMap((inbound) => {
      const { tag, listen } = inbound
      const isInner = typeof listen === 'string' && /^(127\.|::1$|\[::1\]$|localhost$|[/@])/.test(listen)
      return typeof tag === 'string' && !isInner ? [[tag, portSpans([inbound])] as const] : []
    }),
  )
}

const DATAGRAM_NETWORKS = new Set(['kcp', 'mkcp', 'quic', 'hysteria'])

/** A client by QUIC gives a silent connection up after half a minute. */
const CONNECTION_SECONDS = 60
/** Xray serves a sender of datagrams after its user was removed, until no datagram came for two to three minutes. */
const DATAGRAM_SECONDS = 200

/** Undefined where clients connect by TCP alone. */
function secondsOfSilence(inbound: Record<string, unknown>): number | undefined {
  const { protocol, settings } = inbound
  const network = typeof settings === 'object' && settings !== null && 'network' in settings ? settings.network : ''
  if (protocol === 'shadowsocks' && String(network).split(',').includes('udp')) return DATAGRAM_SECONDS
  return takesDatagrams(inbound) ? CONNECTION_SECONDS : undefined
}

/** Clients connect by UDP. */
function takesDatagrams({ protocol, streamSettings }: Record<string, unknown>): boolean {
  const stream: Record<string, unknown> =
    typeof streamSettings === 'object' && streamSettings !== null ? { ...streamSettings } : {}
  const { network, tlsSettings } = stream
  const alpn: unknown = typeof tlsSettings === 'object' && tlsSettings !== null && 'alpn' in tlsSettings ? tlsSettings.alpn : []
  const isHttp3 = Array.isArray(alpn) && alpn.length === 1 && alpn[0] === 'h3'
  return protocol === 'hysteria' || isHttp3 || (typeof network === 'string' && DATAGRAM_NETWORKS.has(network))
}
