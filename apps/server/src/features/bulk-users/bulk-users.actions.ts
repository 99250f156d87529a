import { errors, type HistoryAction, type UserStatus } from '@causeway/contract'
import type { Caller, Ctx } from '../../ctx.ts'
import { everyone } from '../../lib/scope.ts'
import { fail } from '../../http/errors.ts'
import { write } from '../audit/audit.actions.ts'
import { watchRows } from '../audit/rows.queries.ts'
import { queueAllForNodes, queueForNodes } from '../../ground/delivery.queries.ts'
import { changeAtOnce, MAX_AT_ONCE } from './at-once.actions.ts'
import { deleteBatch, updateBatch, type BulkFields } from './batches.actions.ts'
import {
  deleteUsersByStatus,
  resetAllUsers,
  resetUsers,
  revokeUsers,
  updateAllUsers,
  updateUsers,
  type UsersChangeKind,
} from './bulk-users.jobs.ts'
import { insertTargets } from './targets.queries.ts'
import { listTargets } from './which.queries.ts'
import { listAllIds } from './batches.queries.ts'
import { lockUsers } from '../../ground/user-writes.queries.ts'
import { findExternalSquad, replaceSquads } from '../../ground/members.queries.ts'
import { countByStatus } from '../users/list.queries.ts'
import { filtersOf } from '../users/list.rules.ts'
import { knownSquads, refuseUnstorableUser } from '../users/users.actions.ts'

const EVERY_STATUS: UserStatus[] = ['ACTIVE', 'DISABLED', 'LIMITED', 'EXPIRED']

/** Done before the reply (docs/wire.md 13). Unknown uuids are skipped, and not counted. */
export function deleteSelected(ctx: Ctx, caller: Caller, uuids: string[]) {
  return write(ctx, caller, async (tx, record) => {
    const users = await lockUsers(tx, await listTargets(tx, { uuids }, caller.scope), { withUsage: true })
    const ids = users.map((user) => user.id)
    const rows = await watchRows(tx, 'wholeUser', ids)
    await queueForNodes(tx, await deleteBatch(tx, ids))
    record({ action: 'bulkDeleteUsers', target: `${ids.length} users`, rows })
    return { affectedRows: ids.length }
  })
}

/** Replaces the squads of users; no squads takes them all away. */
export function setSquadsOfSelected(ctx: Ctx, caller: Caller, uuids: string[], activeInternalSquads: string[]) {
  return write(ctx, caller, async (tx, record) => {
    const squadIds = await knownSquads(tx, activeInternalSquads, errors.squadUnknownForUsers)
    const users = await lockUsers(tx, await listTargets(tx, { uuids }, caller.scope))
    const ids = users.map((user) => user.id)
    const rows = await watchRows(tx, 'user', ids)
    await replaceSquads(tx, ids, squadIds)
    await queueForNodes(
      tx,
      users.filter((user) => user.status === 'ACTIVE').map((user) => user.username),
    )
    record({ action: 'bulkUpdateUsersSquads', target: `${ids.length} users`, rows })
    return { affectedRows: ids.length }
  })
}

/** A job; the reply counts the users that exist (docs/wire.md 13). @throws invalidUserStatusError */
export async function updateSelected(ctx: Ctx, caller: Caller, uuids: string[], fields: BulkFields) {
  await refuseBulkFields(ctx, fields)
  return startForSelected(ctx, caller, updateUsers, { action: 'bulkUpdateUsers', uuids, payload: { fields } })
}

export function resetSelected(ctx: Ctx, caller: Caller, uuids: string[]) {
  return startForSelected(ctx, caller, resetUsers, { action: 'bulkResetUsersTraffic', uuids, payload: {} })
}

export function revokeSelected(ctx: Ctx, caller: Caller, uuids: string[]) {
  return startForSelected(ctx, caller, revokeUsers, { action: 'bulkRevokeUsersSubscription', uuids, payload: {} })
}

interface Selected<Payload> {
  action: HistoryAction
  uuids: string[]
  payload: Payload
}

/** An empty selection makes no job. */
function startForSelected<Payload>(ctx: Ctx, caller: Caller, kind: UsersChangeKind<Payload>, selected: Selected<Payload>) {
  const { action, uuids, payload } = selected
  const { scope } = caller
  return write(ctx, caller, async (tx, record) => {
    if (scope !== everyone) {
      const change = { which: { uuids }, scope, action, payload }
      return { affectedRows: await changeAtOnce(ctx, tx, record, kind, change) }
    }
    const ids = await listTargets(tx, { uuids }, caller.scope)
    const jobId = ids.length === 0 ? undefined : await kind.start(tx, { payload, total: ids.length }, ctx.now())
    if (jobId !== undefined) await insertTargets(tx, jobId, ids)
    record({ action, target: `${ids.length} users`, count: ids.length, details: { ...payload, jobId } })
    return { affectedRows: ids.length, ...(jobId ? { jobId } : {}) }
  })
}

/** A job for users that have the status when it reaches them; the reply counts those that have it now. */
export function deleteByStatus(ctx: Ctx, caller: Caller, status: UserStatus) {
  return write(ctx, caller, async (tx, record) => {
    const { scope } = caller
    if (scope !== everyone) {
      const which = { filters: [...filtersOf(scope), { kind: 'words' as const, column: 'status', matching: [status] }] }
      const change = { which, scope, action: 'bulkDeleteUsersByStatus' as const, payload: { status } }
      return { affectedRows: await changeAtOnce(ctx, tx, record, deleteUsersByStatus, change) }
    }
    const total = await countByStatus(tx, scope, [status])
    if (total === 0) return { affectedRows: 0 }
    const jobId = await deleteUsersByStatus.start(tx, { payload: { status }, total }, ctx.now())
    record({ action: 'bulkDeleteUsersByStatus', target: `${total} users`, count: total, details: { status, jobId } })
    return { affectedRows: total, ...(jobId ? { jobId } : {}) }
  })
}

/** Updates every user: before the reply where they are few enough, else as a job. */
export async function updateEveryone(ctx: Ctx, caller: Caller, fields: BulkFields) {
  await refuseBulkFields(ctx, fields)
  return write(ctx, caller, async (tx, record) => {
    const { scope } = caller
    if (scope !== everyone) {
      await changeAtOnce(ctx, tx, record, updateAllUsers, {
        which: 'all',
        scope,
        action: 'bulkUpdateAllUsers',
        payload: { fields },
      })
      return { eventSent: true }
    }
    const total = await countByStatus(tx, scope, EVERY_STATUS)
    const entry = { action: 'bulkUpdateAllUsers', target: `${total} users`, count: total } as const
    if (total > MAX_AT_ONCE) {
      const jobId = await updateAllUsers.start(tx, { payload: { fields }, total }, ctx.now())
      record({ ...entry, details: { fields, jobId } })
      return { eventSent: true, ...(jobId ? { jobId } : {}) }
    }
    const ids = await listAllIds(tx)
    await lockUsers(tx, ids, { withUsage: true })
    const rows = await watchRows(tx, 'user', ids)
    const concerned = await updateBatch(ctx, tx, ids, fields)
    if (concerned.length > 0) await queueAllForNodes(tx)
    record({ ...entry, details: { fields }, rows })
    return { eventSent: true }
  })
}

export function resetEveryone(ctx: Ctx, caller: Caller) {
  return write(ctx, caller, async (tx, record) => {
    const { scope } = caller
    if (scope !== everyone) {
      await changeAtOnce(ctx, tx, record, resetAllUsers, { which: 'all', scope, action: 'bulkResetAllUsersTraffic', payload: {} })
      return { eventSent: true }
    }
    const total = await countByStatus(tx, scope, EVERY_STATUS)
    const jobId = await resetAllUsers.start(tx, { payload: {}, total }, ctx.now())
    record({ action: 'bulkResetAllUsersTraffic', target: `${total} users`, count: total, details: { jobId } })
    return { eventSent: true, ...(jobId ? { jobId } : {}) }
  })
}

/** @throws invalidUserStatusError, externalSquadUnknown */
export async function refuseBulkFields({ db }: Ctx, fields: BulkFields): Promise<void> {
  if (fields.status === 'LIMITED' || fields.status === 'EXPIRED') {
    fail(errors.invalidUserStatusError, { message: 'LIMITED and EXPIRED are found by the server; set ACTIVE or DISABLED.' })
  }
  refuseUnstorableUser(fields)
  const { externalSquadUuid: squad } = fields
  if (squad && !(await findExternalSquad(db, squad))) fail(errors.externalSquadUnknown)
}
