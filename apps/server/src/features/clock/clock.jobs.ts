import type { RecurringJob } from '../../jobs/kinds.ts'
import { reviewClock } from './clock.actions.ts'

/** Often, so that a jump is known before what is old by it is looked for. */
export const clockJobs: RecurringJob[] = [{ name: 'reviewClock', everyMs: 15_000, run: reviewClock }]
