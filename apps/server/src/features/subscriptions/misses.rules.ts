const WINDOW_MS = 60_000
const MAX_MISSES = 60
const MAX_ADDRESSES = 50_000
const MAX_KNOWN = 200_000

interface Network {
  misses: number
  /** Look-ups under way, of which nobody knows yet whether they are misses. */
  pending: number
  endsAt: number
  /** Those who wait until one of them is known. */
  waiting: (() => void)[]
}

/** Leave to look a link up once: to be told what came of it, or `undefined` where nothing did. */
type Settle = (isFound: boolean | undefined) => void

/**
 * Holds back addresses that try many links which do not exist. Many customers may share one address, so only misses
 * count, and a link that was good before is never held back.
 */
export class MissThrottle {
  readonly #networks = new Map<string, Network>()
  readonly #known = new Set<string>()

  /**
   * To be asked before a link is looked up. No more are looked up at once than may still be missed, so that a thousand
   * guesses at once are not all answered before the first is counted; customers of one address who come together wait
   * for each other for a moment. Gives the seconds to wait if it may not be tried from there now.
   */
  async enter(address: string, shortUuid: string, clock: () => number): Promise<number | Settle> {
    if (this.#known.has(shortUuid)) {
      return (isFound) => {
        // A link that was good before has gone: it counts from now on.
        if (isFound === false) this.#known.delete(shortUuid)
      }
    }
    const network = this.#network(networkOf(address))
    for (;;) {
      const now = clock()
      if (network.endsAt <= now) Object.assign(network, { misses: 0, endsAt: now + WINDOW_MS })
      if (network.misses >= MAX_MISSES) return Math.ceil((network.endsAt - now) / 1000)
      if (network.misses + network.pending < MAX_MISSES) break
      await new Promise<void>((resolve) => network.waiting.push(resolve))
    }
    network.pending++
    return (isFound) => {
      network.pending--
      if (isFound === false) network.misses++
      if (isFound) {
        this.#known.add(shortUuid)
        dropOldest(this.#known, MAX_KNOWN)
      }
      // Each looks for itself whether it may go on.
      for (const wake of network.waiting.splice(0)) wake()
    }
  }

  #network(name: string): Network {
    const known = this.#networks.get(name)
    if (known) return known
    const made: Network = { misses: 0, pending: 0, endsAt: 0, waiting: [] }
    this.#networks.set(name, made)
    dropOldest(this.#networks, MAX_ADDRESSES)
    return made
  }
}

/** Who has one IPv6 address has 2^64 of them: such neighbours are counted together. */
function networkOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address
  const [head = '', tail = ''] = address.split('::', 2)
  const groups = head === '' ? [] : head.split(':')
  const missing = address.includes('::') ? 8 - groups.length - (tail === '' ? 0 : tail.split(':').length) : 0
  return [...groups, ...Array<string>(Math.max(0, missing)).fill('0'), ...tail.split(':')].slice(0, 4).join(':')
}

/** Maps and sets give their oldest key first. */
function dropOldest(kept: Map<string, unknown> | Set<string>, limit: number): void {
  if (kept.size <= limit) return
  for (const oldest of kept.keys()) {
    kept.delete(oldest)
    return
  }
}
