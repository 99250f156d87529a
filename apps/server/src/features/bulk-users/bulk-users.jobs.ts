import { z } from 'zod'
import { bulkUserFields, squadsMode, userStatus } from '@causeway/contract'
import {
  addTrafficBatch,
  deleteBatch,
  extendBatch,
  resetBatch,
  revokeBatch,
  squadsBatch,
  updateBatch,
} from './batches.actions.ts'
import { nextTargets, nextUsers, nextUsersOfStatus } from './targets.queries.ts'
import { recorded } from './recorded.actions.ts'
import { userJob } from './user-batches.actions.ts'

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
  batch: async (ctx, tx, job, span) => {
    const ids = await nextUsers(tx, span)
    const resetting = { action: 'resetAllUsers', thing: 'userTraffic', ids } as const
    return { ids, concerned: await recorded(ctx, tx, job, resetting, () => resetBatch(ctx, tx, ids)) }
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
  batch: async (ctx, tx, job, span) => {
    const ids = await nextUsers(tx, span)
    const updating = { action: 'updateAllUsers', thing: 'user', ids } as const
    return { ids, concerned: await recorded(ctx, tx, job, updating, () => updateBatch(ctx, tx, ids, job.payload.fields)) }
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

export const addTrafficToUsers = userJob({
  name: 'addTrafficToUsers',
  payload: z.object({ bytes: z.number(), isOnce: z.boolean() }),
  batch: async (ctx, tx, job, span) => {
    const ids = await nextTargets(tx, job.id, span)
    const adding = { action: 'addTrafficToUsers', thing: 'userTraffic', ids } as const
    return { ids, concerned: await recorded(ctx, tx, job, adding, () => addTrafficBatch(ctx, tx, ids, job.payload)) }
  },
})

export const changeSquadsOfUsers = userJob({
  name: 'changeSquadsOfUsers',
  payload: z.object({ mode: squadsMode, squadIds: z.array(z.number()), fromId: z.number().optional() }),
  batch: async (ctx, tx, job, span) => {
    const ids = await nextTargets(tx, job.id, span)
    const changing = { action: 'changeSquadsOfUsers', thing: 'user', ids } as const
    return { ids, concerned: await recorded(ctx, tx, job, changing, () => squadsBatch(tx, ids, job.payload)) }
  },
})

export const deleteChosenUsers = userJob({
  name: 'deleteChosenUsers',
  payload: selected,
  batch: async (ctx, tx, job, span) => {
    const ids = await nextTargets(tx, job.id, span)
    const deleting = { action: 'deleteChosenUsers', thing: 'wholeUser', ids } as const
    return { ids, concerned: await recorded(ctx, tx, job, deleting, () => deleteBatch(tx, ids)) }
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
  addTrafficToUsers,
  changeSquadsOfUsers,
  deleteChosenUsers,
].map(({ kind }) => kind)
