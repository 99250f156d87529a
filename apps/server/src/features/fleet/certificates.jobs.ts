import type { RecurringJob } from '../../jobs/kinds.ts'
import { DAY_MS } from '../../lib/days.ts'
import { renewAuthority } from './certificates.actions.ts'

export const certificatesJobs: RecurringJob[] = [{ name: 'renewAuthority', everyMs: DAY_MS, run: renewAuthority }]
