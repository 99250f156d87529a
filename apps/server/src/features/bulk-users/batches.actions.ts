import type { Input, SquadsMode, UserStatus, bulkUpdateAllUsers } from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import type { Tx } from '../../db/driver/connect.ts'
import { setExpiries } from './extend.queries.ts'
import { extendedExpiry, type Extension } from './extend.rules.ts'
import { listChangedByReset, setCredentials, setFields, setLimits } from './batches.queries.ts'
import { lockUsage, lockUsers, setStatuses } from '../../ground/user-writes.queries.ts'
import { limitsAfterAdding, type AddedTraffic } from '../../ground/user-status.rules.ts'
import {
  addToSquad,
  holdExternalSquad,
  listMembersAmong,
  removeFromOtherSquads,
  removeFromSquad,
} from '../../ground/members.queries.ts'
import { newCredentials } from '../users/users.actions.ts'
import { deleteUsers, forgetThresholds, resetUsage } from '../../ground/user-writes.queries.ts'
import { concernsNodes, statusAfterEdit, statusAfterReset } from '../../ground/user-status.rules.ts'

// The actions on one user, for many at once in a transaction of the caller. Each gives the names of the users whose nodes
// have to be told, and leaves the telling to the caller.

export type BulkFields = Input<typeof bulkUpdateAllUsers>

/** Sets the same fields on each, and the status that follows from them for each by itself. */
export async function updateBatch(
  ctx: Ctx,
  tx: Tx,
  ids: number[],
  { status, expireAt, externalSquadUuid, ...fields }: BulkFields,
): Promise<string[]> {
  const now = ctx.now()
  // One that was deleted since the change was asked for is no squad to be in.
  const isGone = externalSquadUuid && !(await holdExternalSquad(tx, externalSquadUuid))
  const set = {
    ...fields,
    ...(externalSquadUuid === undefined || isGone ? {} : { externalSquadUuid }),
    ...(fields.trafficLimitBytes === undefined ? {} : { extraTrafficBytes: 0 }),
    ...(expireAt === undefined ? {} : { expireAt: new Date(expireAt) }),
  }
  // The other two statuses are refused before a job is made.
  const edit = { ...set, status: status === 'ACTIVE' || status === 'DISABLED' ? status : undefined }
  const isLimitChanged = set.trafficLimitBytes !== undefined
  const users = await lockUsers(tx, ids, { withUsage: isLimitChanged })
  const changes = users.map((user) => ({ ...user, before: user.status, status: statusAfterEdit(user, edit, now) }))
  if (users.length === 0) return []
  await setFields(
    tx,
    users.map((user) => user.id),
    { ...set, updatedAt: now },
  )
  if (isLimitChanged) await forgetThresholds(tx, ids)
  await setStatuses(
    tx,
    changes.filter((change) => change.status !== change.before),
    now,
  )
  return changes.flatMap((change) => (concernsNodes(change.before, change.status) ? [change.username] : []))
}

/** Extends each from the later of `from` and its expiry; gives the names of those whose nodes have to be told. */
export async function extendBatch(ctx: Ctx, tx: Tx, ids: number[], by: Extension & { from: Date }): Promise<string[]> {
  const now = ctx.now()
  const users = await lockUsers(tx, ids)
  const changes = users.flatMap((user) => {
    const expireAt = extendedExpiry(user.expireAt, by, by.from)
    return expireAt ? [{ ...user, expireAt, before: user.status, status: statusAfterEdit(user, { expireAt }, now) }] : []
  })
  if (changes.length === 0) return []
  await setExpiries(tx, changes, now)
  await setStatuses(
    tx,
    changes.filter((change) => change.status !== change.before),
    now,
  )
  return changes.flatMap((change) => (concernsNodes(change.before, change.status) ? [change.username] : []))
}

/** Updates the small rows of usage, and few users: limited ones become active, others lose traffic granted until now. */
export async function resetBatch(ctx: Ctx, tx: Tx, ids: number[]): Promise<string[]> {
  const now = ctx.now()
  await lockUsage(tx, ids)
  const users = await lockUsers(tx, await listChangedByReset(tx, ids))
  await resetUsage(tx, ids, now)
  const changes = users.map((user) => ({ ...user, before: user.status, status: statusAfterReset(user.status) }))
  await setStatuses(
    tx,
    changes.filter((change) => change.status !== change.before),
    now,
  )
  return changes.flatMap((change) => (concernsNodes(change.before, change.status) ? [change.username] : []))
}

/** Raises the limit of each user that has one. A user whose limit now exceeds the used bytes becomes active. */
export async function addTrafficBatch(ctx: Ctx, tx: Tx, ids: number[], added: AddedTraffic): Promise<string[]> {
  const now = ctx.now()
  const users = await lockUsers(tx, ids, { withUsage: true })
  const changes = users.flatMap((user) => {
    const limits = limitsAfterAdding(user, added)
    return limits ? [{ ...user, ...limits, before: user.status, status: statusAfterEdit(user, limits, now) }] : []
  })
  if (changes.length === 0) return []
  await setLimits(tx, changes, now)
  await forgetThresholds(
    tx,
    changes.map(({ id }) => id),
  )
  await setStatuses(
    tx,
    changes.filter((change) => change.status !== change.before),
    now,
  )
  return changes.flatMap((change) => (concernsNodes(change.before, change.status) ? [change.username] : []))
}

export interface SquadsChange {
  mode: SquadsMode
  squadIds: number[]
  /** The squad that members are moved from. */
  fromId?: number | undefined
}

/** Changes the squads of each; gives the names of active users whose memberships changed. */
export async function squadsBatch(tx: Tx, ids: number[], { mode, squadIds, fromId }: SquadsChange): Promise<string[]> {
  await lockUsers(tx, ids)
  const targets = mode === 'move' ? await listMembersAmong(tx, fromId ?? 0, ids) : ids
  const names: string[] = []
  if (mode === 'move' && fromId !== undefined) names.push(...(await removeFromSquad(tx, fromId, targets)))
  if (mode === 'replace') names.push(...(await removeFromOtherSquads(tx, squadIds, targets)))
  for (const squadId of squadIds) names.push(...(await (mode === 'remove' ? removeFromSquad : addToSquad)(tx, squadId, targets)))
  return [...new Set(names)]
}

/** Gives each new credentials and a new link. */
export async function revokeBatch(ctx: Ctx, tx: Tx, ids: number[]): Promise<string[]> {
  const users = await lockUsers(tx, ids)
  await setCredentials(
    tx,
    users.map((user) => ({ id: user.id, ...newCredentials(ctx) })),
    ctx.now(),
  )
  return users.flatMap((user) => (concernsNodes(user.status, user.status, true) ? [user.username] : []))
}

/**
 * Deletes users with all their rows; with `status`, only those that still have it once they are locked. A user
 * renewed meanwhile stays.
 */
export async function deleteBatch(tx: Tx, ids: number[], status?: UserStatus): Promise<string[]> {
  const held = await lockUsers(tx, ids, { withUsage: true })
  const users = held.filter((user) => status === undefined || user.status === status)
  await deleteUsers(
    tx,
    users.map((user) => user.id),
  )
  return users.flatMap((user) => (user.status === 'ACTIVE' ? [user.username] : []))
}
