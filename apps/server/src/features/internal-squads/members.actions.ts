import { errors, userStatus } from '@causeway/contract'
import type { Caller, Ctx } from '../../ctx.ts'
import { fail } from '../../http/errors.ts'
import { write } from '../audit/audit.actions.ts'
import { countByStatus } from '../users/list.queries.ts'
import { lockInternalSquad } from './internal-squads.queries.ts'
import { addAllToSquad, removeAllFromSquad } from './members.jobs.ts'
import { countSquadMembers } from './members.queries.ts'

/** Makes every user a member of a squad, or takes all its members out; as a job, since it is about everyone. */
export function changeSquadMembers(ctx: Ctx, caller: Caller, squadUuid: string, change: 'addEveryone' | 'removeEveryone') {
  return write(ctx, caller, async (tx, record) => {
    const squad = (await lockInternalSquad(tx, squadUuid)) ?? fail(errors.internalSquadNotFound)
    const isAdding = change === 'addEveryone'
    const total = await (isAdding ? countByStatus(tx, userStatus.options) : countSquadMembers(tx, squad.id))
    const kind = isAdding ? addAllToSquad : removeAllFromSquad
    const jobId = await kind.start(tx, { payload: { squadId: squad.id }, total }, ctx.now())
    const action = isAdding ? 'addUsersToInternalSquad' : 'removeUsersFromInternalSquad'
    record({ action, target: squadUuid, details: { users: total, jobId } })
    return { eventSent: true, ...(jobId ? { jobId } : {}) }
  })
}
