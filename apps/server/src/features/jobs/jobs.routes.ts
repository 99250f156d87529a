import * as api from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { on, type Route } from '../../http/mount.ts'
import type { Registered } from '../../jobs/kinds.ts'
import { cancelJob, getJob, listCancellable } from './jobs.actions.ts'

export function jobsRoutes(ctx: Ctx, registered: Registered): Route[] {
  return [
    on(api.listJobs, () => listCancellable(ctx, registered)),
    on(api.getJob, ({ id }) => getJob(ctx, id)),
    on(api.cancelJob, ({ id }, caller) => cancelJob(ctx, registered, caller, id)),
  ]
}
