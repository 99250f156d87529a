import { networkOf } from '../../lib/addresses.ts'

const WINDOW_MS = 60_000
const MAX_MISSES = 60
const MAX_ADDRESSES = 50_000
export const MAX_KNOWN = 200_000

interface Network {
  misses: number
  /** Lookup-ups in progress, not known yet to be hits or misses. */
  pending: number
  endsAt: number
  /** Callers waiting for one of these look-ups. */
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
  readonly #readOpened: () => Promise<string[]>
  #reading: Promise<void> | undefined

  /** `readOpened`: links that apps have opened, the latest first. Read once, when an address is held back first. */
  constructor(readOpened: () => Promise<string[]>) {
    this.#readOpened = readOpened
  }

  /**
   * Asks for permission before a link is looked up. No more look-ups run at once than misses are left, so that a
   * thousand parallel guesses are not answered before the first is counted. Customers behind one address wait a
   * moment for each other. Returns the seconds to wait if the address is throttled.
   */
  async enter(address: string, shortUuid: string, clock: () => number): Promise<number | Settle> {
    // A link that was good before may have gone: it counts from then on.
    const settleKnown: Settle = (isFound) => void (isFound === false && this.#known.delete(shortUuid))
    if (this.#known.has(shortUuid)) return settleKnown
    const network = this.#network(networkOf(address))
    for (;;) {
      const now = clock()
      if (network.endsAt <= now) Object.assign(network, { misses: 0, endsAt: now + WINDOW_MS })
      if (network.misses >= MAX_MISSES) {
        // A process that has just started has seen no link yet, but customers behind this address have used theirs.
        await this.#recall()
        return this.#known.has(shortUuid) ? settleKnown : Math.ceil((network.endsAt - now) / 1000)
      }
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

  async #recall(): Promise<void> {
    this.#reading ??= this.#readOpened().then(
      (links) => {
        for (const link of links.toReversed()) this.#known.add(link)
        while (this.#known.size > MAX_KNOWN) dropOldest(this.#known, MAX_KNOWN)
      },
      () => {
        this.#reading = undefined // read again for the next caller
      },
    )
    await this.#reading
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

/** Maps and sets give their oldest key first. */
function dropOldest(kept: Map<string, unknown> | Set<string>, limit: number): void {
  if (kept.size <= limit) return
  for (const oldest of kept.keys()) {
    kept.delete(oldest)
    return
  }
}
