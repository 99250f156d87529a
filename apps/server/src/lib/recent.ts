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
