import type { Ctx } from '../../ctx.ts'
import type { RecurringJob } from '../../jobs/kinds.ts'
import { DAY_MS } from '../../lib/days.ts'
import { deleteExpiredSignIns } from './attempts.queries.ts'

// Sessions are kept this long after their end: the address they came from counts as known (attempts.actions.ts).
const SESSIONS_KEPT_DAYS = 30

async function cleanUpSignIns(ctx: Ctx): Promise<void> {
  const now = ctx.now()
  await deleteExpiredSignIns(ctx.db, new Date(now.getTime() - DAY_MS), new Date(now.getTime() - SESSIONS_KEPT_DAYS * DAY_MS), now)
}

export const signInJobs: RecurringJob[] = [{ name: 'forgetSignIns', everyMs: 3_600_000, run: cleanUpSignIns }]
