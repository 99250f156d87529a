import type { Ctx } from '../../ctx.ts'
import type { RecurringJob } from '../../jobs/kinds.ts'
import { DAY_MS } from '../../lib/days.ts'
import { deleteExpiredSignIns } from './attempts.queries.ts'
import { ATTEMPT_WINDOW_MINUTES } from './auth.rules.ts'

// Sessions are kept this long after their end: the address they came from counts as known (attempts.actions.ts).
const SESSIONS_KEPT_DAYS = 30

async function cleanUpSignIns(ctx: Ctx): Promise<void> {
  const now = ctx.now()
  const windowBegan = new Date(now.getTime() - ATTEMPT_WINDOW_MINUTES * 60_000)
  await deleteExpiredSignIns(ctx.db, windowBegan, new Date(now.getTime() - SESSIONS_KEPT_DAYS * DAY_MS), now)
}

export const signInJobs: RecurringJob[] = [{ name: 'forgetSignIns', everyMs: 600_000, run: cleanUpSignIns }]
