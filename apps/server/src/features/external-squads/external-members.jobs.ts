import { z } from 'zod'
import { holdExternalSquad } from '../../ground/members.queries.ts'
import { recorded } from '../bulk-users/recorded.actions.ts'
import { nextUsers } from '../bulk-users/targets.queries.ts'
import { userJob } from '../bulk-users/user-batches.actions.ts'
import { countExternalMembers, nextExternalMembers, putInSquad, takeOutOfSquad } from './external-squads.queries.ts'

const payload = z.object({ squad: z.string() })

// Nodes are told nothing: what an external squad changes is the subscription.

export const addAllToExternalSquad = userJob({
  name: 'addAllToExternalSquad',
  payload,
  batch: async (ctx, tx, job, span) => {
    const { squad } = job.payload
    const ids = (await holdExternalSquad(tx, squad)) ? await nextUsers(tx, span) : []
    const adding = { action: 'addAllToExternalSquad', thing: 'user', ids } as const
    const add = async () => {
      await putInSquad(tx, squad, ids, ctx.now())
      return []
    }
    return { ids, concerned: await recorded(ctx, tx, job, adding, add) }
  },
})

export const removeAllFromExternalSquad = userJob({
  name: 'removeAllFromExternalSquad',
  payload,
  batch: async (ctx, tx, job, span) => {
    const { squad } = job.payload
    const ids = await nextExternalMembers(tx, squad, span)
    const removing = { action: 'removeAllFromExternalSquad', thing: 'user', ids } as const
    // Users that a job before this one still added were not there to be counted when it was asked for.
    const counted = span.cursor === 0 ? { total: await countExternalMembers(tx, squad, span.maxId) } : {}
    const remove = async () => {
      await takeOutOfSquad(tx, squad, ids, ctx.now())
      return []
    }
    return { ids, ...counted, concerned: await recorded(ctx, tx, job, removing, remove) }
  },
})

export const externalMembersJobs = [addAllToExternalSquad.kind, removeAllFromExternalSquad.kind]
