import { errors, userStatus, type addUsersToInternalSquad, type Input } from '@causeway/contract'
import type { Caller, Ctx } from '../../ctx.ts'
import { fail, refuseField } from '../../http/errors.ts'
import { queueForNodes } from '../../ground/delivery.queries.ts'
import { addToSquad, removeFromSquad } from '../../ground/members.queries.ts'
import { lockUsers } from '../../ground/user-writes.queries.ts'
import { write } from '../audit/audit.actions.ts'
import { watchRows } from '../audit/rows.queries.ts'
import { listIdsByUuid } from '../bulk-users/batches.queries.ts'
import { countByStatus } from '../users/list.queries.ts'
import { lockInternalSquad } from './internal-squads.queries.ts'
import { addAllToSquad, removeAllFromSquad } from './members.jobs.ts'
import { countSquadMembers } from './members.queries.ts'

interface MembersChange {
  uuid: string
  /** Undefined: every user. */
  userUuids: string[] | undefined
  isAdding: boolean
}

/** Adds users to a squad or removes them. @throws internalSquadNotFound */
export function changeSquadMembers(ctx: Ctx, caller: Caller, { uuid, userUuids, isAdding }: MembersChange) {
  const action = isAdding ? 'addUsersToInternalSquad' : 'removeUsersFromInternalSquad'
  return write(ctx, caller, async (tx, record) => {
    const squad = (await lockInternalSquad(tx, uuid)) ?? fail(errors.internalSquadNotFound)
    if (userUuids) {
      const users = await lockUsers(tx, await listIdsByUuid(tx, userUuids))
      const ids = users.map((user) => user.id)
      const rows = await watchRows(tx, 'user', ids)
      await queueForNodes(tx, await (isAdding ? addToSquad : removeFromSquad)(tx, squad.id, ids))
      record({ action, target: uuid, name: squad.name, count: ids.length, rows, details: { users: ids.length } })
      return { eventSent: true }
    }
    const total = await (isAdding ? countByStatus(tx, caller.scope, userStatus.options) : countSquadMembers(tx, squad.id))
    const kind = isAdding ? addAllToSquad : removeAllFromSquad
    const jobId = await kind.start(tx, { payload: { squadId: squad.id }, total }, ctx.now())
    record({ action, target: uuid, name: squad.name, count: total, details: { users: total, jobId } })
    return { eventSent: true, ...(jobId ? { jobId } : {}) }
  })
}

/** Undefined means every user; an empty list means none. A misspelt list is refused, as it would mean every user. */
export function chosenUsers(lists: Omit<Input<typeof addUsersToInternalSquad>, 'uuid'>, sent: unknown): string[] | undefined {
  const given = [lists.userIds, lists.userUuids, lists.uuids].filter((list) => list !== undefined)
  const [unknown] = given.length === 0 && typeof sent === 'object' && sent !== null ? Object.keys(sent) : []
  if (unknown !== undefined) refuseField(unknown, 'names no users: userIds, userUuids and uuids do, and an empty body means all')
  return given.length === 0 ? undefined : given.flat()
}
