export interface Share {
  /** Undefined: all that are not among the others. */
  name: string | undefined
  count: number
  /** Of the most frequent one, from 0 to 1. */
  part: number
}

/** The most frequent ones, and what is left over as one. */
export function topShares(counts: readonly { name: string; count: number }[], most: number): Share[] {
  const sorted = counts.toSorted((one, other) => other.count - one.count)
  // One alone that is left over has a name.
  const shown = sorted.length === most + 1 ? sorted : sorted.slice(0, most)
  const rest = sorted.slice(shown.length).reduce((sum, { count }) => sum + count, 0)
  const largest = Math.max(1, rest, ...shown.map(({ count }) => count))
  const shares: Share[] = shown.map(({ name, count }) => ({ name, count, part: count / largest }))
  return rest === 0 ? shares : [...shares, { name: undefined, count: rest, part: rest / largest }]
}
