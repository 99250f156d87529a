import { errors, isUuid } from '@causeway/contract'
import type { Caller, Ctx } from '../../ctx.ts'
import { fail } from '../../http/errors.ts'
import { findJob, listJobs, lockJob } from '../../jobs/jobs.queries.ts'
import { isCancellable, type Registered } from '../../jobs/kinds.ts'
import { endJob } from '../../jobs/run.ts'
import { write } from '../audit/audit.actions.ts'

export async function getJob(ctx: Ctx, id: string) {
  return (isUuid(id) ? await findJob(ctx.db, id) : undefined) ?? fail(errors.jobNotFound)
}

/** All jobs, each with whether it can be cancelled. */
export async function listCancellable(ctx: Ctx, registered: Registered) {
  const jobs = await listJobs(ctx.db)
  return jobs.map((job) => {
    const kind = registered.kinds.find(({ name }) => name === job.kind)
    return { ...job, isCancellable: job.finishedAt === null && isCancellable(kind, job) }
  })
}

/** Waits for the batch that is under way, if any; what was done stays. @throws jobNotFound, jobNotCancellable */
export async function cancelJob(ctx: Ctx, registered: Registered, caller: Caller, id: string) {
  await getJob(ctx, id)
  return write(ctx, caller, async (tx, record) => {
    const job = await lockJob(tx, id)
    const kind = job && registered.kinds.find(({ name }) => name === job.kind)
    if (!job || !isCancellable(kind, job)) fail(errors.jobNotCancellable)
    await endJob(ctx, tx, kind, job, { status: 'cancelled', error: null })
    record({ action: 'cancelJob', target: id, details: { kind: job.kind, done: job.done, total: job.total } })
    return (await findJob(tx, id)) ?? fail(errors.jobNotFound)
  })
}
