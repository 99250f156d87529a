import * as api from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { on, type Route } from '../../http/mount.ts'
import { listJobs } from '../../jobs/jobs.queries.ts'
import type { Registered } from '../../jobs/kinds.ts'
import { cancelJob, getJob } from './jobs.actions.ts'

export function jobsRoutes(ctx: Ctx, registered: Registered): Route[] {
  return [
    on(api.listJobs, () => listJobs(ctx.db)),
    on(api.getJob, ({ id }) => getJob(ctx, id)),
    on(api.cancelJob, ({ id }, caller) => cancelJob(ctx, registered, caller, id)),
  ]
}
