const MINUTE_MS = 60_000
/** Percentiles are those of as many answers at most, so that a busy minute costs no more than a quiet one. */
const MOST_LATENCIES = 1024

/** The answers of the last minute: how many they were, and how long they took. Instants are in milliseconds of one clock. */
export class RecentRequests {
  readonly #seconds = new Map<number, number>()
  readonly #latencies: { at: number; ms: number }[] = []
  #next = 0

  note(latencyMs: number, at: number): void {
    const second = Math.floor(at / 1000)
    if (!this.#seconds.has(second)) this.#forget(at)
    this.#seconds.set(second, (this.#seconds.get(second) ?? 0) + 1)
    this.#latencies[this.#next] = { at, ms: latencyMs }
    this.#next = (this.#next + 1) % MOST_LATENCIES
  }

  perMinute(at: number): number {
    this.#forget(at)
    return [...this.#seconds.values()].reduce((sum, count) => sum + count, 0)
  }

  /** In milliseconds, by nearest rank; 0 without any answer. */
  latency(percentile: number, at: number): number {
    const recent = this.#latencies.filter((one) => one.at > at - MINUTE_MS).map(({ ms }) => ms)
    const rank = Math.max(1, Math.ceil((percentile / 100) * recent.length))
    return recent.toSorted((one, other) => one - other)[rank - 1] ?? 0
  }

  #forget(at: number): void {
    const first = Math.floor((at - MINUTE_MS) / 1000)
    for (const second of this.#seconds.keys()) if (second <= first) this.#seconds.delete(second)
  }
}

/** The names that Node gives to operations under way; its other resources are handles, such as sockets and timers. */
export function isRequestResource(name: string): boolean {
  return /Req|(?:Connect|Write|Shutdown|Send)Wrap$/.test(name)
}
