import { errors, userStatus } from '@causeway/contract'
import type { Caller, Ctx } from '../../ctx.ts'
import { fail } from '../../http/errors.ts'
import { lockUsers } from '../../ground/user-writes.queries.ts'
import { write } from '../audit/audit.actions.ts'
import { watchRows } from '../audit/rows.queries.ts'
import { listIdsByUuid } from '../bulk-users/batches.queries.ts'
import { countByStatus } from '../users/list.queries.ts'
import { addAllToExternalSquad, removeAllFromExternalSquad } from './external-members.jobs.ts'
import { countExternalMembers, lockExternalSquad, putInSquad, takeOutOfSquad } from './external-squads.queries.ts'

interface MembersChange {
  uuid: string
  /** Undefined: every user. */
  userUuids: string[] | undefined
  isAdding: boolean
}

/** Puts users into an external squad or takes them out of it. @throws externalSquadNotFound */
export function changeExternalMembers(ctx: Ctx, caller: Caller, { uuid, userUuids, isAdding }: MembersChange) {
  const action = isAdding ? 'addUsersToExternalSquad' : 'removeUsersFromExternalSquad'
  return write(ctx, caller, async (tx, record) => {
    const squad = (await lockExternalSquad(tx, uuid)) ?? fail(errors.externalSquadNotFound)
    if (userUuids) {
      const users = await lockUsers(tx, await listIdsByUuid(tx, userUuids))
      const ids = users.map((user) => user.id)
      const rows = await watchRows(tx, 'user', ids)
      await (isAdding ? putInSquad : takeOutOfSquad)(tx, squad.uuid, ids, ctx.now())
      record({ action, target: uuid, name: squad.name, count: ids.length, rows, details: { users: ids.length } })
      return { eventSent: true }
    }
    const total = await (isAdding ? countByStatus(tx, caller.scope, userStatus.options) : countExternalMembers(tx, squad.uuid))
    const kind = isAdding ? addAllToExternalSquad : removeAllFromExternalSquad
    const jobId = await kind.start(tx, { payload: { squad: squad.uuid }, total }, ctx.now())
    record({ action, target: uuid, name: squad.name, count: total, details: { users: total, jobId } })
    return { eventSent: true, ...(jobId ? { jobId } : {}) }
  })
}
