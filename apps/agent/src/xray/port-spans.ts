/** Ports from `first` to `last`, both included. */
export interface PortSpan {
  first: number
  last: number
  /** Datagrams come to them, which no socket of a client belongs to. */
  isUdp?: boolean
}

/** The ports that inbounds listen on: numbers, spans such as `1000-2000`, lists of both, and names of the environment (`env:PORT`). */
export function portSpans(inbounds: readonly Record<string, unknown>[], environment = process.env): PortSpan[] {
  return inbounds.flatMap((inbound) => {
    const { port } = inbound
    const isUdp = takesDatagrams(inbound) ? { isUdp: true } : {}
    const text = typeof port === 'number' ? String(port) : typeof port === 'string' ? port : ''
    const value = text.startsWith('env:') ? (environment[text.slice('env:'.length)] ?? '') : text
    return value.split(',').flatMap((part) => {
      const [, first, last = first] = /^\s*(\d{1,5})(?:\s*-\s*(\d{1,5}))?\s*$/.exec(part) ?? []
      return first === undefined ? [] : { first: Number(first), last: Number(last), ...isUdp }
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

/** Clients connect by UDP. */
function takesDatagrams({ protocol, streamSettings }: Record<string, unknown>): boolean {
  const stream: Record<string, unknown> =
    typeof streamSettings === 'object' && streamSettings !== null ? { ...streamSettings } : {}
  const { network, tlsSettings } = stream
  const alpn: unknown = typeof tlsSettings === 'object' && tlsSettings !== null && 'alpn' in tlsSettings ? tlsSettings.alpn : []
  const isHttp3 = Array.isArray(alpn) && alpn.length === 1 && alpn[0] === 'h3'
  return protocol === 'hysteria' || isHttp3 || (typeof network === 'string' && DATAGRAM_NETWORKS.has(network))
}
