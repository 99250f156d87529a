import { z } from 'zod'
import { bulkUserFields, userStatus } from '@causeway/contract'
import { deleteBatch, resetBatch, revokeBatch, updateBatch } from './batches.actions.ts'
import { nextTargets, nextUsers, nextUsersOfStatus } from './targets.queries.ts'
import { userJob } from './user-batches.actions.ts'

const selected = z.object({})

export const resetUsers = userJob({
  name: 'resetUsers',
  payload: selected,
  batch: async (ctx, tx, { id }, span) => {
    const ids = await nextTargets(tx, id, span)
    return { ids, concerned: await resetBatch(ctx, tx, ids) }
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
  batch: async (ctx, tx, { id }, span) => {
    const ids = await nextTargets(tx, id, span)
    return { ids, concerned: await revokeBatch(ctx, tx, ids) }
  },
})

// A job may run later than it was asked for, when a date that lay ahead has passed; so the date is not judged again.
const update = z.object({ fields: bulkUserFields.omit({ expireAt: true }).extend({ expireAt: z.string().optional() }) })

export const updateUsers = userJob({
  name: 'updateUsers',
  payload: update,
  batch: async (ctx, tx, { id, payload }, span) => {
    const ids = await nextTargets(tx, id, span)
    return { ids, concerned: await updateBatch(ctx, tx, ids, payload.fields) }
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

export const deleteUsersByStatus = userJob({
  name: 'deleteUsersByStatus',
  payload: z.object({ status: userStatus }),
  batch: async (_, tx, { payload }, span) => {
    const ids = await nextUsersOfStatus(tx, payload.status, span)
    return { ids, concerned: await deleteBatch(tx, ids, payload.status) }
  },
})

export const bulkUsersJobs = [resetUsers, resetAllUsers, revokeUsers, updateUsers, updateAllUsers, deleteUsersByStatus].map(
  ({ kind }) => kind,
)
