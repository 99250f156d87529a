// A node that loses its connection is one trouble until it has been back for a while, however often it came and went meanwhile.

const MINUTE_MS = 60_000
/** A node that is back for so long is back. */
export const SETTLED_MS = 5 * MINUTE_MS
/** A connection that was lost so often is told of, even where each loss was short. */
const FLAPPING_LOSSES = 5

export interface Trouble {
  sinceAt: Date
  losses: number
  /** Since when the node is back; null: it is away. */
  backAt: Date | null
  toldAt: Date | null
}

export function afterLoss(trouble: Trouble | undefined, at: Date): Trouble {
  if (!trouble) return { sinceAt: at, losses: 1, backAt: null, toldAt: null }
  return { ...trouble, losses: trouble.losses + 1, backAt: null }
}

export function afterReturn(trouble: Trouble, at: Date): Trouble {
  return { ...trouble, backAt: trouble.backAt ?? at }
}

/** `drop`: it is over and was never told. */
export type Verdict = 'wait' | 'tell' | 'clear' | 'drop'

export function judgeTrouble({ sinceAt, losses, backAt, toldAt }: Trouble, afterMinutes: number, now: Date): Verdict {
  const isSettled = backAt !== null && now.getTime() - backAt.getTime() >= SETTLED_MS
  if (toldAt !== null) return isSettled ? 'clear' : 'wait'
  const isLong = backAt === null && now.getTime() - sinceAt.getTime() >= afterMinutes * MINUTE_MS
  if (isLong || losses >= FLAPPING_LOSSES) return 'tell'
  return isSettled ? 'drop' : 'wait'
}
