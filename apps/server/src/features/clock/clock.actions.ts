import type { Ctx } from '../../ctx.ts'
import type { Tx } from '../../db/driver/connect.ts'
import { hasQuartersAfter, holdClock, lockClock, mendFuture } from './clock.queries.ts'
import { FUTURE_MS, nextClockState } from './clock.rules.ts'

/** A clock that was ahead for longer has written too much for a mending: its time may as well be the right one. */
const MOST_QUARTERS_AHEAD = 96

/** Looks at the clock. @returns whether it may be believed, so that what is old by it may be dropped */
export function reviewClock(ctx: Ctx): Promise<boolean> {
  const now = ctx.now()
  return ctx.db.transaction().execute(async (tx) => {
    const held = await lockClock(tx)
    const state = nextClockState(held, now)
    await holdClock(tx, state)
    if (state.doubtedAt && held?.doubtedAt?.getTime() !== state.doubtedAt.getTime())
      ctx.log.warn({ from: held?.trustedAt, to: now }, 'clock jumped; old data is kept until it has been steady for a day')
    if (state.doubtedAt) return false
    if (held?.doubtedAt) {
      ctx.log.info({ now }, 'clock believed again')
      await mendAhead(tx, now)
    }
    return true
  })
}

/** Mends what a clock ahead has written, once it has been set back. */
export async function mendAhead(tx: Tx, now: Date): Promise<void> {
  const after = new Date(now.getTime() + FUTURE_MS)
  if (!(await hasQuartersAfter(tx, after, MOST_QUARTERS_AHEAD))) await mendFuture(tx, after, now)
}
