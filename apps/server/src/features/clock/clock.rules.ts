import { DAY_MS } from '../../lib/days.ts'

// Whether the clock may be believed. Old rows are dropped only while it is, so that a jump of it drops nothing.

/** `trustedAt`: the last instant that was believed. `doubtedAt`: the first instant after a jump; null while all is well. */
export interface ClockState {
  trustedAt: Date
  doubtedAt: Date | null
}

/** A server that was off for a long weekend is no jump. */
const LONGEST_STEP_MS = 3 * DAY_MS
/** Clocks of several servers differ by less. */
const STEP_BACK_MS = 3_600_000
/** Through which a clock has to go on after a jump until it is believed, as after months without a server. */
const PROBATION_MS = DAY_MS
/** What is dated later was written by a clock that has been set back since. Time zones and servers differ by less. */
export const FUTURE_MS = 2 * DAY_MS

/** The state after a look at the clock. Both instants that it may continue from are tried: before the jump, and after it. */
export function nextClockState(held: ClockState | undefined, now: Date): ClockState {
  if (!held || continues(held.trustedAt, now)) return { trustedAt: now, doubtedAt: null }
  if (held.doubtedAt === null) return { ...held, doubtedAt: now }
  const sinceJumpMs = now.getTime() - held.doubtedAt.getTime()
  if (sinceJumpMs < -STEP_BACK_MS || sinceJumpMs > LONGEST_STEP_MS) return { ...held, doubtedAt: now }
  return sinceJumpMs >= PROBATION_MS ? { trustedAt: now, doubtedAt: null } : held
}

function continues(before: Date, now: Date): boolean {
  const stepMs = now.getTime() - before.getTime()
  return stepMs >= -STEP_BACK_MS && stepMs <= LONGEST_STEP_MS
}
