/** A number from 0 up to, not including, 1. The simulation draws its chances from nowhere else. */
export type Random = () => number

/** The same seed gives the same numbers (mulberry32). */
export function seeded(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let bits = Math.imul(state ^ (state >>> 15), state | 1)
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61)
    return ((bits ^ (bits >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** A whole number from `min` to `max`, both included. */
export function wholeBetween(min: number, max: number, random: Random): number {
  return min + Math.floor(random() * (max - min + 1))
}

/** One of the entries, each as likely as its weight says. */
export function weighted<Value extends string>(weights: Readonly<Partial<Record<Value, number>>>, random: Random): Value {
  const entries = Object.entries(weights) as [Value, number][] // the keys of a record are its values' names
  let rest = random() * entries.reduce((sum, [, weight]) => sum + weight, 0)
  for (const [value, weight] of entries) {
    rest -= weight
    if (rest < 0) return value
  }
  return entries.at(-1)![0] // rounding may leave a crumb; a table of weights is never empty
}
