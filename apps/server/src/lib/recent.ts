interface Entry<T> {
  result: Promise<T>
  endsAt: number
}

/**
 * Remembers results for a short while, and computes each only once however many ask at the same time. What is forgotten is
 * simply computed again.
 */
export function recentResults<T>(lifetimeMs: number): (key: string, compute: () => Promise<T>) => Promise<T> {
  const entries = new Map<string, Entry<T>>()
  return (key, compute) => {
    const now = performance.now()
    for (const [known, entry] of entries) if (entry.endsAt <= now) entries.delete(known)
    const known = entries.get(key)
    if (known) return known.result
    const entry: Entry<T> = { result: compute(), endsAt: Infinity }
    entries.set(key, entry)
    entry.result.then(
      () => (entry.endsAt = performance.now() + lifetimeMs),
      () => entries.delete(key),
    )
    return entry.result
  }
}

/**
 * Caches a result that is expensive to compute. A stale one is returned at once and refreshed in the background. Only
 * the very first caller waits, and the first after a long silence.
 */
export function refreshed<T>(lifetimeMs: number, compute: () => Promise<T>): () => Promise<T> {
  const longestMs = lifetimeMs * 4
  let known: { value: T; at: number } | undefined
  let running: Promise<T> | undefined
  const refresh = (): Promise<T> => {
    running ??= compute()
      .then((value) => {
        known = { value, at: performance.now() }
        return value
      })
      .finally(() => (running = undefined))
    return running
  }
  return () => {
    const age = known ? performance.now() - known.at : Infinity
    if (known && age < lifetimeMs) return Promise.resolve(known.value)
    const fresh = refresh()
    if (!known || age > longestMs) return fresh
    fresh.catch(() => {}) // the next caller meets the failure when the known value is too old to be shown
    return Promise.resolve(known.value)
  }
}
