import { z } from 'zod'
import { addToSquad, removeFromSquad } from '../../ground/members.queries.ts'
import { nextUsers } from '../bulk-users/targets.queries.ts'
import { userJob } from '../bulk-users/user-batches.actions.ts'
import { nextSquadMembers } from './members.queries.ts'

const payload = z.object({ squadId: z.number() })

export const addAllToSquad = userJob({
  name: 'addAllToSquad',
  payload,
  batch: async (_, tx, { payload: { squadId } }, span) => {
    const ids = await nextUsers(tx, span)
    return { ids, concerned: await addToSquad(tx, squadId, ids) }
  },
})

export const removeAllFromSquad = userJob({
  name: 'removeAllFromSquad',
  payload,
  batch: async (_, tx, { payload: { squadId } }, span) => {
    const ids = await nextSquadMembers(tx, squadId, span)
    return { ids, concerned: await removeFromSquad(tx, squadId, ids) }
  },
})

export const membersJobs = [addAllToSquad.kind, removeAllFromSquad.kind]
