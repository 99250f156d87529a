const WINDOW_MS = 60_000
const MAX_MISSES = 60
const MAX_ADDRESSES = 50_000
const MAX_KNOWN = 200_000

/**
 * Holds back addresses that try many links which do not exist. Many customers may share one address, so only misses
 * count, and a link that was good before is never held back.
 */
export class MissThrottle {
  readonly #misses = new Map<string, { count: number; endsAt: number }>()
  readonly #known = new Set<string>()

  /**
   * To be called before a link is looked up. It counts as a miss until it is found, so that a thousand tried at once are
   * not all looked up before the first is counted. Gives the seconds to wait if it may not be tried from there now.
   */
  enter(address: string, shortUuid: string, now: number): number | undefined {
    if (this.#known.has(shortUuid)) return undefined
    const network = networkOf(address)
    const window = this.#misses.get(network)
    if (!window || window.endsAt <= now) {
      this.#misses.delete(network)
      this.#misses.set(network, { count: 1, endsAt: now + WINDOW_MS })
      dropOldest(this.#misses, MAX_ADDRESSES)
      return undefined
    }
    if (window.count >= MAX_MISSES) return Math.ceil((window.endsAt - now) / 1000)
    window.count++
    return undefined
  }

  /** A link that was good before has gone: it counts from now on. */
  missed(shortUuid: string): void {
    this.#known.delete(shortUuid)
  }

  found(address: string, shortUuid: string): void {
    if (this.#known.has(shortUuid)) return
    const window = this.#misses.get(networkOf(address))
    if (window && window.count > 0) window.count--
    this.#known.add(shortUuid)
    dropOldest(this.#known, MAX_KNOWN)
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
