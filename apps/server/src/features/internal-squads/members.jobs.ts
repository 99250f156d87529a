import { z } from 'zod'
import { addToSquad, removeFromSquad } from '../../ground/members.queries.ts'
import { recorded } from '../bulk-users/recorded.actions.ts'
import { nextUsers } from '../bulk-users/targets.queries.ts'
import { userJob } from '../bulk-users/user-batches.actions.ts'
import { countSquadMembers, nextSquadMembers } from './members.queries.ts'

const payload = z.object({ squadId: z.number() })

export const addAllToSquad = userJob({
  name: 'addAllToSquad',
  payload,
  batch: async (ctx, tx, job, span) => {
    const ids = await nextUsers(tx, span)
    const adding = { action: 'addAllToSquad', thing: 'user', ids } as const
    return { ids, concerned: await recorded(ctx, tx, job, adding, () => addToSquad(tx, job.payload.squadId, ids)) }
  },
})

export const removeAllFromSquad = userJob({
  name: 'removeAllFromSquad',
  payload,
  batch: async (ctx, tx, job, span) => {
    const { squadId } = job.payload
    const ids = await nextSquadMembers(tx, squadId, span)
    const removing = { action: 'removeAllFromSquad', thing: 'user', ids } as const
    // Users that a job before this one still added were not there to be counted when it was asked for.
    const counted = span.cursor === 0 ? { total: await countSquadMembers(tx, squadId, span.maxId) } : {}
    return { ids, ...counted, concerned: await recorded(ctx, tx, job, removing, () => removeFromSquad(tx, squadId, ids)) }
  },
})

export const membersJobs = [addAllToSquad.kind, removeAllFromSquad.kind]
