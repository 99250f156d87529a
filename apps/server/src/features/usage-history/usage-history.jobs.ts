import type { RecurringJob } from '../../jobs/kinds.ts'
import { noteOnline } from './usage-history.queries.ts'

export const usageHistoryJobs: RecurringJob[] = [
  { name: 'noteOnline', everyMs: 60_000, run: (ctx) => noteOnline(ctx.db, ctx.now()) },
]
