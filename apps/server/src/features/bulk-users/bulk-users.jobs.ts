import { z } from 'zod'
import { bulkUserFields, userStatus } from '@causeway/contract'
import type { AuditedThing } from '../../db/audited.ts'
import type { Ctx } from '../../ctx.ts'
import type { Tx } from '../../db/driver/connect.ts'
import { lockUsers } from '../../ground/user-writes.queries.ts'
import { recordForJob } from '../audit/audit.actions.ts'
import { watchRows } from '../audit/rows.queries.ts'
import { deleteBatch, extendBatch, resetBatch, revokeBatch, updateBatch } from './batches.actions.ts'
import { nextTargets, nextUsers, nextUsersOfStatus } from './targets.queries.ts'
import { userJob } from './user-batches.actions.ts'

/** A change to more users is recorded by its rule and number alone (docs/decisions/017). */
const MAX_RECORDED = 10_000

const selected = z.object({})

export const resetUsers = userJob({
  name: 'resetUsers',
  payload: selected,
  batch: async (ctx, tx, job, span) => {
    const ids = await nextTargets(tx, job.id, span)
    return {
      ids,
      concerned: await recorded(ctx, tx, job, { action: 'resetUsers', thing: 'userTraffic', ids }, () =>
        resetBatch(ctx, tx, ids),
      ),
    }
  },
})

export const resetAllUsers = userJob({
  name: 'resetAllUsers',
  payload: selected,
  batch: async (ctx, tx, _, span) => {
    const ids = await nextUsers(tx, span)
    return { ids, concerned: await resetBatch(ctx, tx, ids) }
  },
})

export const revokeUsers = userJob({
  name: 'revokeUsers',
  payload: selected,
  batch: async (ctx, tx, job, span) => {
    const ids = await nextTargets(tx, job.id, span)
    return {
      ids,
      concerned: await recorded(ctx, tx, job, { action: 'revokeUsers', thing: 'user', ids }, () => revokeBatch(ctx, tx, ids)),
    }
  },
})

// A job may run later than it was asked for, when a date that lay ahead has passed; so the date is not judged again.
const update = z.object({ fields: bulkUserFields.omit({ expireAt: true }).extend({ expireAt: z.string().optional() }) })

export const updateUsers = userJob({
  name: 'updateUsers',
  payload: update,
  batch: async (ctx, tx, job, span) => {
    const ids = await nextTargets(tx, job.id, span)
    return {
      ids,
      concerned: await recorded(ctx, tx, job, { action: 'updateUsers', thing: 'user', ids }, () =>
        updateBatch(ctx, tx, ids, job.payload.fields),
      ),
    }
  },
})

export const updateAllUsers = userJob({
  name: 'updateAllUsers',
  payload: update,
  batch: async (ctx, tx, { payload }, span) => {
    const ids = await nextUsers(tx, span)
    return { ids, concerned: await updateBatch(ctx, tx, ids, payload.fields) }
  },
})

/** `from` is when it was asked for, so that everyone gets the same however long the job takes. */
export const extendUsers = userJob({
  name: 'extendUsers',
  payload: z.object({
    months: z.number(),
    days: z.number(),
    timeZone: z.string().default('UTC'), // of jobs from before it was a setting
    from: z.coerce.date(),
    isForAll: z.boolean(),
  }),
  batch: async (ctx, tx, job, span) => {
    const ids = job.payload.isForAll ? await nextUsers(tx, span) : await nextTargets(tx, job.id, span)
    const extending = { action: 'extendUsers', thing: 'user', ids } as const
    return { ids, concerned: await recorded(ctx, tx, job, extending, () => extendBatch(ctx, tx, ids, job.payload)) }
  },
})

export const deleteUsersByStatus = userJob({
  name: 'deleteUsersByStatus',
  payload: z.object({ status: userStatus }),
  batch: async (ctx, tx, job, span) => {
    const { status } = job.payload
    const ids = await nextUsersOfStatus(tx, status, span)
    const deleting = { action: 'deleteUsersByStatus', thing: 'wholeUser', ids } as const
    return { ids, concerned: await recorded(ctx, tx, job, deleting, () => deleteBatch(tx, ids, status)) }
  },
})

export const bulkUsersJobs = [
  resetUsers,
  resetAllUsers,
  revokeUsers,
  updateUsers,
  updateAllUsers,
  extendUsers,
  deleteUsersByStatus,
].map(({ kind }) => kind)

interface Recorded {
  action: string
  thing: AuditedThing
  ids: number[]
}

/** Does a batch and records the rows it changes, so that it can be taken back. */
async function recorded<T>(
  ctx: Ctx,
  tx: Tx,
  { id, total }: { id: string; total: number },
  { action, thing, ids }: Recorded,
  work: () => Promise<T>,
): Promise<T> {
  if (total > MAX_RECORDED || ids.length === 0) return work()
  await lockUsers(tx, ids, { withUsage: true })
  const rows = await watchRows(tx, thing, ids)
  const done = await work()
  await recordForJob(ctx, tx, { action, target: `${ids.length} users`, rows, details: { jobId: id } })
  return done
}
