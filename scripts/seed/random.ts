/** Repeatable randomness: the same seed gives the same sequence, so that figures of two runs can be compared. */
export interface Random {
  /** From 0 up to but not including 1. */
  next(): number
  /** A whole number from `min` to `max`, both included. */
  whole(min: number, max: number): number
  chance(share: number): boolean
  pick<T>(items: readonly [T, ...T[]]): T
  /** Around 1, never negative, with the long tail that traffic has: most use little, a few use very much. */
  skewed(): number
  letters(length: number): string
  uuid(): string
}

const ALPHABET = '0123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghjkmnpqrstuvwxyz_-'

export function createRandom(seed: number): Random {
  let state = seed >>> 0
  // mulberry32: 32 bits of state, good enough for data that only has to look alive.
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const whole = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1))
  const hex = (digits: number): string =>
    Math.floor(next() * 16 ** digits)
      .toString(16)
      .padStart(digits, '0')
  return {
    next,
    whole,
    chance: (share) => next() < share,
    pick: (items) => items[Math.floor(next() * items.length)] ?? items[0],
    skewed: () => Math.exp((next() + next() + next() - 1.5) * 1.6),
    letters: (length) => Array.from({ length }, () => ALPHABET[Math.floor(next() * ALPHABET.length)]).join(''),
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`,
  }
}
