import { errors, type HistoryAction, type UsersChange } from '@causeway/contract'
import type { Caller, Ctx } from '../../ctx.ts'
import { everyone } from '../../lib/scope.ts'
import type { Tx } from '../../db/driver/connect.ts'
import { fail, refuseField } from '../../http/errors.ts'
import { write } from '../audit/audit.actions.ts'
import { knownSquads } from '../users/users.actions.ts'
import { changeAtOnce } from './at-once.actions.ts'
import { refuseBulkFields } from './bulk-users.actions.ts'
import {
  addTrafficToUsers,
  changeSquadsOfUsers,
  deleteChosenUsers,
  resetUsers,
  revokeUsers,
  updateUsers,
  type UsersChangeKind,
} from './bulk-users.jobs.ts'
import { insertTargetsFound } from './targets.queries.ts'
import { countTargets, idsOf, type Which } from './which.queries.ts'

export interface Target {
  which: Which
  /** The number of users that the caller has seen. */
  expected?: number | undefined
}

/** One job for all targets; filters are resolved now. No targets make no job. @throws listChanged */
export async function startUsersChange(ctx: Ctx, caller: Caller, target: Target, change: UsersChange) {
  await refuseUnclear(ctx, change)
  switch (change.kind) {
    case 'update': {
      const { kind: _, ...payload } = change
      return startForTargets(ctx, caller, updateUsers, { ...target, action: 'bulkUpdateUsers', payload: () => payload })
    }
    case 'addTraffic': {
      const { bytes, isOnce } = change
      const payload = () => ({ bytes, isOnce })
      return startForTargets(ctx, caller, addTrafficToUsers, { ...target, action: 'bulkAddTraffic', payload })
    }
    case 'squads': {
      const payload = async (tx: Tx) => ({
        mode: change.mode,
        squadIds: await knownSquads(tx, change.squads, errors.squadUnknownForUsers),
        ...(change.from === undefined ? {} : { fromId: (await knownSquads(tx, [change.from], errors.squadUnknownForUsers))[0] }),
      })
      const details = { mode: change.mode, squads: change.squads, ...(change.from ? { from: change.from } : {}) }
      return startForTargets(ctx, caller, changeSquadsOfUsers, { ...target, action: 'bulkUpdateUsersSquads', payload, details })
    }
    case 'resetTraffic':
      return startForTargets(ctx, caller, resetUsers, { ...target, action: 'bulkResetUsersTraffic', payload: () => ({}) })
    case 'revoke':
      return startForTargets(ctx, caller, revokeUsers, { ...target, action: 'bulkRevokeUsersSubscription', payload: () => ({}) })
    case 'delete':
      return startForTargets(ctx, caller, deleteChosenUsers, { ...target, action: 'bulkDeleteUsers', payload: () => ({}) })
  }
}

async function refuseUnclear(ctx: Ctx, change: UsersChange): Promise<void> {
  if (change.kind === 'update') await refuseBulkFields(ctx, change.fields)
  if (change.kind !== 'squads') return
  if (change.mode !== 'replace' && change.squads.length === 0) refuseField('change.squads', 'name at least one squad')
  const isMove = change.mode === 'move'
  if (isMove && change.from === undefined) refuseField('change.from', 'say which squad the members are moved from')
  const from = change.from?.toLowerCase()
  if (isMove && change.squads.some((squad) => squad.toLowerCase() === from))
    refuseField('change.squads', 'must not name the squad that the members are moved from')
}

interface Planned<Payload> extends Target {
  action: HistoryAction
  payload: (tx: Tx) => Payload | Promise<Payload>
  /** Details of the audit row, where the payload has internal keys. */
  details?: object
}

function startForTargets<Payload extends object>(
  ctx: Ctx,
  caller: Caller,
  kind: UsersChangeKind<Payload>,
  { which, expected, action, payload: payloadOf, details }: Planned<Payload>,
) {
  const { scope } = caller
  return write(ctx, caller, async (tx, record) => {
    const total = await countTargets(tx, which, scope)
    if (expected !== undefined && total !== expected) fail(errors.listChanged)
    const payload = await payloadOf(tx)
    if (scope !== everyone) return { affectedRows: await changeAtOnce(ctx, tx, record, kind, { which, scope, action, payload }) }
    const jobId = total === 0 ? undefined : await kind.start(tx, { payload, total }, ctx.now())
    // The list is counted once more as it is written, since it may change between two statements.
    const found = jobId === undefined ? 0 : await insertTargetsFound(tx, jobId, idsOf(which, scope))
    if (found !== total) fail(errors.listChanged)
    record({ action, target: `${total} users`, count: total, details: { ...(details ?? payload), jobId } })
    return { affectedRows: total, ...(jobId ? { jobId } : {}) }
  })
}
