import type { RecurringJob } from '../../jobs/kinds.ts'
import { forgetReadings } from './connections.queries.ts'

/** Addresses are kept no longer than their answer can be asked for. */
export const connectionsJobs: RecurringJob[] = [
  { name: 'forgetConnections', everyMs: 60_000, run: (ctx) => forgetReadings(ctx.db, ctx.now()) },
]
