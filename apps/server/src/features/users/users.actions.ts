import { randomUUID } from 'node:crypto'
import { errors, type KnownError, type Input, type createUser, type updateUser } from '@causeway/contract'
import type { Caller, Ctx } from '../../ctx.ts'
import { everyone, type ResellerScope } from '../../lib/scope.ts'
import type { Row } from '../../db/audited-rows.ts'
import type { Tx } from '../../db/driver/connect.ts'
import { fail, refuseField } from '../../http/errors.ts'
import { NO_UUID } from '../../http/user-keys.ts'
import { LARGEST, refuseUnstorable } from '../../http/unstorable.ts'
import { failingAs } from '../../http/violations.ts'
import { randomText } from '../../lib/text/random-text.ts'
import { authorOf, recordOf, write, writeAtOnce } from '../audit/audit.actions.ts'
import { changedRows, watchRows, type Watched } from '../audit/rows.queries.ts'
import { queueForNodes } from '../../ground/delivery.queries.ts'
import { deleteUsers, forgetThresholds, resetUsage } from '../../ground/user-writes.queries.ts'
import { editUserAlone, findUser, insertUser, lockUser, updateUserRow, findUuidByName } from './users.queries.ts'
import { listSquadsByUuid, lockSquadsByUuid, listUserSquadUuids, replaceUserSquads } from '../../ground/members.queries.ts'
import {
  concernsNodes,
  limitsAfterAdding,
  type AddedTraffic,
  statusAfterEdit,
  statusAfterReset,
  statusesKept,
} from '../../ground/user-status.rules.ts'

const UNKNOWN_SQUAD: Record<string, KnownError> = { users_externalSquadUuid_fkey: errors.externalSquadUnknown }
const TAKEN: Record<string, KnownError> = {
  usersUsername: errors.userUsernameAlreadyExists,
  users_shortUuid_key: errors.userShortUuidAlreadyExists,
}
/** Names are unique over all users; a reseller is not told which of them is taken. */
function takenFor({ scope }: Caller): Record<string, KnownError> {
  return scope === everyone
    ? TAKEN
    : Object.fromEntries(Object.keys(TAKEN).map((constraint) => [constraint, errors.nameUnavailable]))
}
const TROJAN_PASSWORD_LENGTH = 30
const SS_PASSWORD_LENGTH = 32

/**
 * Creates a user; missing values are generated. Nodes are told if the user is active.
 * @throws userUsernameAlreadyExists, userShortUuidAlreadyExists, squadUnknownForNewUser
 */
export function makeUser(ctx: Ctx, caller: Caller, input: Input<typeof createUser>) {
  const { activeInternalSquads = [], lastTrafficResetAt, ...fields } = input
  refuseUnstorableUser(fields)
  if (caller.scope !== everyone && activeInternalSquads.length === 0) return refuseWithoutSquad(ctx, caller.scope)
  return writeAtOnce(ctx, caller, async (db) => {
    const now = ctx.now()
    if (fields.uuid && (await findUser(db, fields.uuid)))
      return caller.scope === everyone ? refuseField('uuid', 'belongs to another user') : fail(errors.nameUnavailable)
    const squadUuids = [...new Set(activeInternalSquads.map((squad) => squad.toLowerCase()))]
    const resetAt = lastTrafficResetAt === undefined ? null : new Date(lastTrafficResetAt)
    const user = {
      ...fields,
      shortUuid: fields.shortUuid || randomText(ctx.config.SHORT_UUID_LENGTH),
      trojanPassword: fields.trojanPassword ?? randomText(TROJAN_PASSWORD_LENGTH),
      ssPassword: fields.ssPassword ?? randomText(SS_PASSWORD_LENGTH),
      vlessUuid: (fields.vlessUuid ?? randomUUID()).toLowerCase(), // as it is stored, and so recorded
      expireAt: new Date(fields.expireAt),
      telegramId: fields.telegramId || null, // 0 stands for none, as forms send it
      createdAt: fields.createdAt === undefined ? now : new Date(fields.createdAt),
      updatedAt: now,
      madeBy: caller.uuid,
    }
    const record = recordOf(ctx, caller, 'users', user)
    const [made] = await failingAs({ ...takenFor(caller), ...UNKNOWN_SQUAD }, insertUser(db, user, resetAt, squadUuids, record))
    if (!made) refuseUnknown(squadUuids, await listSquadsByUuid(db, squadUuids), errors.squadUnknownForNewUser)
    return made ?? fail(errors.cantGetCreatedUserWithInbounds)
  })
}

/** Absent keeps, null clears; the status follows by `statusAfterEdit`. @throws userNotFound, squadUnknownForUser */
export async function editUser(
  ctx: Ctx,
  caller: Caller,
  { uuid: givenUuid, username, activeInternalSquads, expireAt, ...fields }: Input<typeof updateUser>,
) {
  const name = username ?? (givenUuid === undefined ? refuseField('uuid', 'is required, or username') : '')
  const uuid = givenUuid ?? (await findUuidByName(ctx.db, name)) ?? fail(errors.userNotFound)
  refuseUnstorableUser(fields)
  const edit = {
    ...fields,
    ...(fields.trafficLimitBytes === undefined ? {} : { extraTrafficBytes: 0 }),
    ...(expireAt === undefined ? {} : { expireAt: new Date(expireAt) }),
  }
  // Most edits leave the status as it is, and have no further consequence.
  const kept = activeInternalSquads ? [] : statusesKept(edit)
  const alone = () =>
    writeAtOnce(ctx, caller, (db) => editUserAlone(db, uuid, kept, { ...edit, updatedAt: ctx.now() }, authorOf(ctx, caller)))
  const edited = kept.length > 0 ? await failingAs(UNKNOWN_SQUAD, alone()) : undefined
  if (edited) {
    const { entryId, ...user } = edited
    caller.entries?.push(entryId)
    return user
  }
  return write(ctx, caller, async (tx, record) => {
    const now = ctx.now()
    const isLimitChanged = edit.trafficLimitBytes !== undefined
    const user = (await lockUser(tx, uuid, { withUsage: isLimitChanged })) ?? fail(errors.userNotFound)
    const status = statusAfterEdit(user, edit, now)
    const squads = activeInternalSquads && (await changeSquads(tx, user.id, activeInternalSquads))
    const [, , { sent, ...rows }, members] = await Promise.all([
      isLimitChanged && forgetThresholds(tx, [user.id]),
      concernsNodes(user.status, status, squads !== undefined) && queueForNodes(tx, [user.username]),
      failingAs(UNKNOWN_SQUAD, changeUser(tx, user, { ...edit, status, updatedAt: now })),
      squads && changedRows(tx, squads),
    ])
    const [before, after] = [
      { ...members?.before, ...rows.before },
      { ...members?.after, ...rows.after },
    ]
    record({ action: 'updateUser', target: uuid, rows: { ...rows, before, after } })
    return sent
  })
}

/** The user goes with devices, memberships and usage; what the nodes counted until they are told is the nodes' alone. @throws userNotFound */
export function removeUser(ctx: Ctx, caller: Caller, uuid: string) {
  return write(ctx, caller, async (tx, record) => {
    const user = (await lockUser(tx, uuid, { withUsage: true })) ?? fail(errors.userNotFound)
    const rows = await watchRows(tx, 'wholeUser', [user.id])
    await deleteUsers(tx, [user.id])
    if (user.status === 'ACTIVE') await queueForNodes(tx, [user.username])
    record({ action: 'deleteUser', target: uuid, rows })
    return { isDeleted: true }
  })
}

/** Switches a user on, whatever it was before, or off. */
export function switchUser(ctx: Ctx, caller: Caller, uuid: string, status: 'ACTIVE' | 'DISABLED') {
  return write(ctx, caller, async (tx, record) => {
    const user = (await lockUser(tx, uuid)) ?? fail(errors.userNotFound)
    if (user.status === status) fail(status === 'ACTIVE' ? errors.userAlreadyEnabled : errors.userAlreadyDisabled)
    const [, { sent, ...rows }] = await Promise.all([
      concernsNodes(user.status, status) && queueForNodes(tx, [user.username]),
      changeUser(tx, user, { status, updatedAt: ctx.now() }),
    ])
    record({ action: status === 'ACTIVE' ? 'enableUser' : 'disableUser', target: uuid, rows })
    return sent
  })
}

/**
 * Resets a user's traffic and adds it to the history; a limited user becomes active. Lifetime usage stays.
 * @throws userNotFound
 */
export function resetTraffic(ctx: Ctx, caller: Caller, uuid: string) {
  return write(ctx, caller, async (tx, record) => {
    const now = ctx.now()
    const user = (await lockUser(tx, uuid, { withUsage: true })) ?? fail(errors.userNotFound)
    const status = statusAfterReset(user.status)
    const rows = await watchRows(tx, 'userTraffic', [user.id])
    await resetUsage(tx, [user.id], now)
    await tx.updateTable('users').set({ status, updatedAt: now }).where('id', '=', user.id).execute()
    if (concernsNodes(user.status, status)) await queueForNodes(tx, [user.username])
    record({ action: 'resetUserTraffic', target: uuid, rows })
    return (await findUser(tx, uuid)) ?? fail(errors.userNotFound)
  })
}

/** Raises the limit of a user. The user becomes active where it exceeds the used bytes. @throws userNotFound, userUnlimited */
export function addTraffic(ctx: Ctx, caller: Caller, uuid: string, added: AddedTraffic) {
  return write(ctx, caller, async (tx, record) => {
    const now = ctx.now()
    const user = (await lockUser(tx, uuid, { withUsage: true })) ?? fail(errors.userNotFound)
    const limits = limitsAfterAdding(user, added) ?? fail(errors.userUnlimited)
    const status = statusAfterEdit(user, limits, now)
    const rows = await watchRows(tx, 'userTraffic', [user.id])
    await forgetThresholds(tx, [user.id])
    if (concernsNodes(user.status, status)) await queueForNodes(tx, [user.username])
    const { sent } = await changeUser(tx, user, { ...limits, status, updatedAt: now })
    record({ action: 'addUserTraffic', target: uuid, rows })
    return sent
  })
}

/** Gives a user new credentials and a new link; the old ones stop working. Devices, usage and squads stay. */
interface Revoking {
  /** Of the new link; generated when absent. */
  shortUuid?: string | undefined
  /** Only the credentials are new. */
  keepsLink: boolean
}

export function revokeSubscription(ctx: Ctx, caller: Caller, uuid: string, { shortUuid, keepsLink }: Revoking) {
  refuseUnstorable({ shortUuid })
  return write(ctx, caller, async (tx, record) => {
    const now = ctx.now()
    const user = (await lockUser(tx, uuid)) ?? fail(errors.userNotFound)
    const { shortUuid: made, ...credentials } = newCredentials(ctx)
    const link = keepsLink ? {} : { shortUuid: shortUuid ?? made }
    const fields = { ...credentials, ...link, subRevokedAt: now, updatedAt: now }
    const [, { sent, ...rows }] = await Promise.all([
      concernsNodes(user.status, user.status, true) && queueForNodes(tx, [user.username]),
      failingAs(takenFor(caller), changeUser(tx, user, fields)),
    ])
    record({ action: 'revokeUserSubscription', target: uuid, rows })
    return sent
  })
}

/** Credentials that a revoke replaces. Clients of this wire know passwords of length 30. */
export function newCredentials(ctx: Ctx) {
  return {
    shortUuid: randomText(ctx.config.SHORT_UUID_LENGTH),
    trojanPassword: randomText(TROJAN_PASSWORD_LENGTH),
    ssPassword: randomText(TROJAN_PASSWORD_LENGTH),
    vlessUuid: randomUUID(),
  }
}

/** A reseller can do nothing about it where all of its squads were deleted. */
async function refuseWithoutSquad({ db }: Ctx, { squadUuids }: ResellerScope): Promise<never> {
  const left = await listSquadsByUuid(db, [...squadUuids])
  return fail(left.length === 0 ? errors.noSquadLeft : errors.userWithoutSquad)
}

/** Ids of the squads named; all of them must exist. */
export async function knownSquads(tx: Tx, uuids: string[], refusal: KnownError): Promise<number[]> {
  const wanted = [...new Set(uuids.map((uuid) => uuid.toLowerCase()))]
  const squads = wanted.length === 0 ? [] : await lockSquadsByUuid(tx, wanted)
  refuseUnknown(wanted, squads, refusal)
  return squads.map((squad) => squad.id)
}

function refuseUnknown(wanted: string[], squads: { uuid: string }[], refusal: KnownError): void {
  if (squads.length === wanted.length) return
  // A squad that the caller does not see came as that of none, which the caller did not write.
  const unknown = wanted.filter((uuid) => uuid !== NO_UUID && !squads.some((squad) => squad.uuid === uuid))
  const message = `No such internal squad${unknown.length > 0 ? `: ${unknown.join(', ')}` : ''}. Reload the list of squads and choose again.`
  fail(refusal, { message })
}

/** Numbers and texts that the wire allows and the database cannot hold are the caller's mistake. */
export function refuseUnstorableUser(fields: Record<string, unknown>): void {
  refuseUnstorable(fields, { trafficLimitBytes: LARGEST.bigint, telegramId: LARGEST.bigint, hwidDeviceLimit: LARGEST.integer })
}

/** Updates columns of a locked user; returns the user as it is now, and its audit row. */
async function changeUser(tx: Tx, user: { id: number; row: Row }, fields: Parameters<typeof updateUserRow>[1]) {
  const [changed] = await updateUserRow(tx, fields, user.id)
  const { row, ...sent } = changed ?? fail(errors.userNotFound)
  return { sent, thing: 'user' as const, ids: [user.id], before: { users: [user.row] }, after: { users: [row] } }
}

/** The memberships as they were, if others are wanted. */
async function changeSquads(tx: Tx, userId: number, uuids: string[]): Promise<Watched | undefined> {
  const before = (await listUserSquadUuids(tx, userId)).toSorted()
  const after = [...new Set(uuids.map((uuid) => uuid.toLowerCase()))].toSorted()
  if (before.join() === after.join()) return undefined
  const members = await watchRows(tx, 'members', [userId])
  await replaceUserSquads(tx, userId, await knownSquads(tx, after, errors.squadUnknownForUser))
  return members
}
