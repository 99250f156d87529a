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
