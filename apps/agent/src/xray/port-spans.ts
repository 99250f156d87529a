/** Ports from `first` to `last`, both included. */
export interface PortSpan {
  first: number
  last: number
}

/** The ports that inbounds listen on: numbers, spans such as `1000-2000`, lists of both, and names of the environment (`env:PORT`). */
export function portSpans(inbounds: readonly Record<string, unknown>[], environment = process.env): PortSpan[] {
  return inbounds.flatMap(({ port }) => {
    const text = typeof port === 'number' ? String(port) : typeof port === 'string' ? port : ''
    const value = text.startsWith('env:') ? (environment[text.slice('env:'.length)] ?? '') : text
    return value.split(',').flatMap((part) => {
      const [, first, last = first] = /^\s*(\d{1,5})(?:\s*-\s*(\d{1,5}))?\s*$/.exec(part) ?? []
      return first === undefined ? [] : { first: Number(first), last: Number(last) }
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
      const isInner = typeof listen === 'string' && (/^(127\.|::1$|\[::1\]$|localhost$|[/@])/.test(listen))
      return typeof tag === 'string' && !isInner ? [[tag, portSpans([inbound])] as const] : []
    }),
  )
}
