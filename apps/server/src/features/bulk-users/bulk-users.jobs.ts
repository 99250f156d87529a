import { z } from 'zod'
import { bulkUserFields, squadsMode, userStatus, type HistoryAction } from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import type { AuditedThing } from '../../db/audited.ts'
import type { Tx } from '../../db/driver/connect.ts'
import {
  addTrafficBatch,
  deleteBatch,
  extendBatch,
  resetBatch,
  revokeBatch,
  squadsBatch,
  updateBatch,
} from './batches.actions.ts'
import { nextTargets, nextUsers, nextUsersOfStatus, type Span } from './targets.queries.ts'
import { recorded } from './recorded.actions.ts'
import { userJob, type UserJobKind } from './user-batches.actions.ts'

interface Change<Payload> {
  name: HistoryAction
  payload: z.ZodType<Payload>
  /** The record of each user. */
  thing: AuditedThing
  /** Changes these users; gives the names of those whose nodes are to be told. */
  apply: (ctx: Ctx, tx: Tx, ids: number[], payload: Payload) => Promise<string[]>
  /** The next users; the targets of the job, unless given. */
  next?: (tx: Tx, payload: Payload, span: Span) => Promise<number[]> | undefined
}

/** A change to many users: a job, or at once for few. */
export interface UsersChangeKind<Payload> extends UserJobKind<Payload>, Pick<Change<Payload>, 'thing' | 'apply'> {}

function usersChange<Payload extends object>({ name, payload, thing, apply, next }: Change<Payload>): UsersChangeKind<Payload> {
  const job = userJob({
    name,
    payload,
    batch: async (ctx, tx, at, span) => {
      const ids = await (next?.(tx, at.payload, span) ?? nextTargets(tx, at.id, span))
      return { ids, concerned: await recorded(ctx, tx, at, { action: name, thing, ids }, () => apply(ctx, tx, ids, at.payload)) }
    },
  })
  return { ...job, thing, apply }
}

const selected = z.object({})

export const resetUsers = usersChange({ name: 'resetUsers', payload: selected, thing: 'userTraffic', apply: resetBatch })

export const resetAllUsers = usersChange({
  name: 'resetAllUsers',
  payload: selected,
  thing: 'userTraffic',
  apply: resetBatch,
  next: (tx, _, span) => nextUsers(tx, span),
})

export const revokeUsers = usersChange({ name: 'revokeUsers', payload: selected, thing: 'user', apply: revokeBatch })

// A job may run later than it was asked for, when a date that lay ahead has passed; so the date is not judged again.
const update = z.object({ fields: bulkUserFields.omit({ expireAt: true }).extend({ expireAt: z.string().optional() }) })

export const updateUsers = usersChange({
  name: 'updateUsers',
  payload: update,
  thing: 'user',
  apply: (ctx, tx, ids, { fields }) => updateBatch(ctx, tx, ids, fields),
})

export const updateAllUsers = usersChange({
  name: 'updateAllUsers',
  payload: update,
  thing: 'user',
  apply: (ctx, tx, ids, { fields }) => updateBatch(ctx, tx, ids, fields),
  next: (tx, _, span) => nextUsers(tx, span),
})

/** `from` is when it was asked for, so that everyone gets the same however long the job takes. */
export const extendUsers = usersChange({
  name: 'extendUsers',
  payload: z.object({
    months: z.number(),
    days: z.number(),
    timeZone: z.string().default('UTC'), // of jobs from before it was a setting
    from: z.coerce.date(),
    isForAll: z.boolean(),
  }),
  thing: 'user',
  apply: extendBatch,
  next: (tx, { isForAll }, span) => (isForAll ? nextUsers(tx, span) : undefined),
})

export const deleteUsersByStatus = usersChange({
  name: 'deleteUsersByStatus',
  payload: z.object({ status: userStatus }),
  thing: 'wholeUser',
  apply: (_, tx, ids, { status }) => deleteBatch(tx, ids, status),
  next: (tx, { status }, span) => nextUsersOfStatus(tx, status, span),
})

export const addTrafficToUsers = usersChange({
  name: 'addTrafficToUsers',
  payload: z.object({ bytes: z.number(), isOnce: z.boolean() }),
  thing: 'userTraffic',
  apply: addTrafficBatch,
})

export const changeSquadsOfUsers = usersChange({
  name: 'changeSquadsOfUsers',
  payload: z.object({ mode: squadsMode, squadIds: z.array(z.number()), fromId: z.number().optional() }),
  thing: 'user',
  apply: (_, tx, ids, how) => squadsBatch(tx, ids, how),
})

export const deleteChosenUsers = usersChange({
  name: 'deleteChosenUsers',
  payload: selected,
  thing: 'wholeUser',
  apply: (_, tx, ids) => deleteBatch(tx, ids),
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
