/** A kept order of users by what they moved. */
export interface TrafficOrder {
  /** The day that the order is of; null: it has not been made yet. */
  day: string | null
  madeAt: Date | null
  /** The last pass over all users. */
  tookMs: number
  askedAt: Date | null
}

/** Fewer users are looked through within milliseconds, and an order of them would only be another thing to keep. */
export const LEAST_ORDERED = 20_000
/** Uses are recorded once in this time. */
export const ASKED_STEP_MS = 60_000
/** For so long after a use the order is kept up to date. */
const ASKED_LASTS_MS = 10 * 60_000
const SHORTEST_PAUSE_MS = 20_000
/** Without recent use. */
const LONGEST_PAUSE_MS = 10 * 60_000
/** A pass is followed by so many times as long without one. */
const REST_TIMES = 20

/**
 * Returns whether lists can use the order. Orders by period need one of its last day, those by usage one of any day.
 * An order without passes for long, as without job servers, is not used.
 */
export function isOrderKept({ day, madeAt }: TrafficOrder, today: string | undefined, now: Date): boolean {
  const isOfDay = today === undefined || day === today
  return isOfDay && madeAt !== null && now.getTime() - madeAt.getTime() < 3 * LONGEST_PAUSE_MS
}

/** Has the order to be brought in step now? */
export function isPassDue({ day, madeAt, tookMs, askedAt }: TrafficOrder, today: string, now: Date): boolean {
  if (day !== today || madeAt === null) return true
  const isAsked = askedAt !== null && now.getTime() - askedAt.getTime() < ASKED_LASTS_MS
  const pause = isAsked ? Math.max(SHORTEST_PAUSE_MS, tookMs * REST_TIMES) : LONGEST_PAUSE_MS
  return now.getTime() - madeAt.getTime() >= Math.min(pause, LONGEST_PAUSE_MS)
}
