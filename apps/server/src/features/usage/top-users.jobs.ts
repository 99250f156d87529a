import type { RecurringJob } from '../../jobs/kinds.ts'
import { countTopUsers } from './top-users.actions.ts'

export const topUsersJobs: RecurringJob[] = [{ name: 'countTopUsers', everyMs: 600_000, run: countTopUsers }]
