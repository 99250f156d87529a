import type { RecurringJob } from '../../jobs/kinds.ts'
import { noteOnline } from './history.queries.ts'

export const historyJobs: RecurringJob[] = [{ name: 'noteOnline', everyMs: 60_000, run: (ctx) => noteOnline(ctx.db, ctx.now()) }]
