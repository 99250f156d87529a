import {
  builtInRoles,
  errors,
  isBuiltInRole,
  lackingBesideTokens,
  MAX_ADMINS,
  MAX_ROLES,
  permissionsOfRole,
  type BuiltInRole,
  type Input,
  type Permission,
  type updateAdmin,
} from '@causeway/contract'
import type { Caller, Ctx } from '../../ctx.ts'
import type { Db } from '../../db/driver/connect.ts'
import { findReseller } from '../../ground/scope/scope.queries.ts'
import { fail } from '../../http/errors.ts'
import { write } from '../audit/audit.actions.ts'
import { findAdmin, listAdmins, revokeSessions } from '../auth/auth.queries.ts'
import {
  bindTokensOf,
  countHolders,
  countHoldersOfBuiltIn,
  countOwners,
  deleteAdmin,
  deleteRoleRow,
  deleteTokensOf,
  findRole,
  insertRole,
  isRoleNameTaken,
  listOpenInvitations,
  listOwnRoles,
  lockRights,
  updateAdminRights,
  updateRoleRow,
  type RoleColumns,
} from './admins.queries.ts'

/** A caller with what it may do: only that can be given to others. */
export interface Giver {
  caller: Caller
  permissions: ReadonlySet<Permission>
}

export async function allAdmins(ctx: Ctx) {
  const now = ctx.now()
  const [admins, invitations] = await Promise.all([listAdmins(ctx.db, now), listOpenInvitations(ctx.db, now)])
  return {
    admins,
    invitations: invitations.map(({ builtInRole, roleUuid, roleName, resellerUuid, resellerName, ...rest }) => ({
      ...rest,
      role: shownRole({ builtInRole, roleUuid, roleName }),
      reseller: shownReseller({ resellerUuid, resellerName }),
    })),
  }
}

export function shownRole({
  builtInRole,
  roleUuid,
  roleName,
}: {
  builtInRole: BuiltInRole | null
  roleUuid: string | null
  roleName: string | null
}) {
  return { ref: builtInRole ?? roleUuid ?? '', name: builtInRole === null ? roleName : null }
}

/** A reseller, where there is one. */
export function shownReseller({ resellerUuid, resellerName }: { resellerUuid: string | null; resellerName: string | null }) {
  return resellerUuid === null ? null : { uuid: resellerUuid, name: resellerName ?? '' }
}

/** Gives an administrator another role or reseller, which counts at their next request. The last owner stays one. */
export async function changeRightsOf(
  ctx: Ctx,
  { caller, permissions }: Giver,
  { uuid, role, reseller }: Input<typeof updateAdmin>,
) {
  await write(ctx, caller, async (tx, record) => {
    await lockRights(tx)
    const admin = (await findAdmin(tx, { uuid })) ?? fail(errors.colleagueNotFound)
    const held = await roleRights(tx, admin)
    refuseBeyond(permissions, held)
    const next =
      role === undefined ? { builtInRole: admin.builtInRole, roleId: admin.roleId } : await givenRole(tx, permissions, role)
    const resellerId = reseller === undefined ? admin.resellerId : await givenReseller(tx, next, reseller)
    if (next.builtInRole === 'owner' && resellerId !== null) fail(errors.ownerInReseller)
    if (admin.builtInRole === 'owner' && next.builtInRole !== 'owner' && (await countOwners(tx)) === 1) fail(errors.lastOwner)
    if (uuid === caller.uuid && !(await roleRights(tx, next)).has('admins.write')) fail(errors.roleOfOneself)
    if (uuid === caller.uuid && resellerId !== null) fail(errors.roleOfOneself)
    await updateAdminRights(tx, admin.id, { ...next, resellerId }, ctx.now())
    if (resellerId !== null && resellerId !== admin.resellerId) await bindTokensOf(tx, uuid, resellerId)
    record({ action: 'updateAdmin', target: uuid, name: admin.username })
  })
  return (await listAdmins(ctx.db, ctx.now())).find((admin) => admin.uuid === uuid) ?? fail(errors.colleagueNotFound)
}

/** Removes an administrator: their sessions end at once, and their tokens go or stay as the caller says. */
export async function removeColleague(
  ctx: Ctx,
  { caller, permissions }: Giver,
  { uuid, tokens }: { uuid: string; tokens: 'keep' | 'delete' },
) {
  return write(ctx, caller, async (tx, record) => {
    await lockRights(tx)
    const admin = (await findAdmin(tx, { uuid })) ?? fail(errors.colleagueNotFound)
    if (uuid === caller.uuid) fail(errors.removesOneself)
    refuseBeyond(permissions, await roleRights(tx, admin))
    if (admin.builtInRole === 'owner' && (await countOwners(tx)) === 1) fail(errors.lastOwner)
    const endedSessions = await revokeSessions(tx, uuid, { allBut: undefined }, ctx.now())
    const deletedTokens = tokens === 'delete' ? await deleteTokensOf(tx, uuid) : 0
    await deleteAdmin(tx, admin.id)
    record({ action: 'removeAdmin', target: uuid, name: admin.username, details: { total: endedSessions, done: deletedTokens } })
    return { endedSessions, deletedTokens }
  })
}

export async function allRoles({ db }: Pick<Ctx, 'db'>) {
  const [own, holders] = await Promise.all([listOwnRoles(db), countHoldersOfBuiltIn(db)])
  return {
    roles: [
      ...builtInRoles.map((ref) => ({
        ref,
        name: null,
        permissions: [...permissionsOfRole(ref)],
        holders: holders.get(ref) ?? 0,
      })),
      ...own.map(toRole),
    ],
  }
}

const toRole = ({
  uuid,
  name,
  permissions,
  holders,
}: {
  uuid: string
  name: string
  permissions: Permission[]
  holders: unknown
}) => ({ ref: uuid, name, permissions, holders: Number(holders) })

export async function addRole(
  ctx: Ctx,
  { caller, permissions }: Giver,
  role: { name: string; permissions: readonly Permission[] },
) {
  refuseBeyond(permissions, role.permissions)
  refuseTokensAlone(role.permissions)
  return write(ctx, caller, async (tx, record) => {
    await lockRights(tx)
    if ((await listOwnRoles(tx)).length >= MAX_ROLES) fail(errors.tooManyRoles)
    const made =
      (await insertRole(tx, { name: role.name.trim(), permissions: [...new Set(role.permissions)] })) ??
      fail(errors.roleNameTaken)
    record({ action: 'createRole', target: made.uuid, name: made.name })
    return toRole({ ...made, holders: 0 })
  })
}

/** A changed role counts for its holders at their next request. */
export async function changeRole(
  ctx: Ctx,
  { caller, permissions }: Giver,
  edit: { uuid: string; name?: string | undefined; permissions?: readonly Permission[] | undefined },
) {
  return write(ctx, caller, async (tx, record) => {
    await lockRights(tx)
    const role = (await findRole(tx, { uuid: edit.uuid })) ?? fail(errors.roleNotFound)
    refuseBeyond(permissions, [...role.permissions, ...(edit.permissions ?? [])])
    refuseTokensAlone(edit.permissions ?? [])
    const self = caller.uuid === null ? undefined : await findAdmin(tx, { uuid: caller.uuid })
    if (self?.roleId === role.id && edit.permissions && !edit.permissions.includes('admins.write')) fail(errors.roleOfOneself)
    const name = edit.name?.trim()
    if (name !== undefined && (await isRoleNameTaken(tx, name, role.id))) fail(errors.roleNameTaken)
    const rights = edit.permissions && [...new Set(edit.permissions)]
    const changed = await updateRoleRow(tx, role.id, { name, permissions: rights }, ctx.now())
    record({ action: 'updateRole', target: role.uuid, name: changed.name })
    return toRole({ ...changed, holders: await countHolders(tx, role.id) })
  })
}

export async function removeRole(ctx: Ctx, { caller }: Giver, { uuid }: { uuid: string }) {
  await write(ctx, caller, async (tx, record) => {
    await lockRights(tx)
    const role = (await findRole(tx, { uuid })) ?? fail(errors.roleNotFound)
    if ((await countHolders(tx, role.id)) > 0) fail(errors.roleHeld)
    await deleteRoleRow(tx, role.id)
    record({ action: 'deleteRole', target: uuid, name: role.name })
  })
}

/** The columns of a role that is to be given. @throws where it holds more than its giver */
export async function givenRole(db: Db, permissions: ReadonlySet<Permission>, ref: string): Promise<RoleColumns> {
  const role = isBuiltInRole(ref)
    ? { builtInRole: ref, roleId: null }
    : { builtInRole: null, roleId: ((await findRole(db, { uuid: ref })) ?? fail(errors.roleNotFound)).id }
  refuseBeyond(permissions, await roleRights(db, role))
  return role
}

/** The id of a reseller that an administrator of this role is to belong to. @throws ownerInReseller */
export async function givenReseller(
  db: Db,
  { builtInRole }: RoleColumns,
  uuid: string | null | undefined,
): Promise<number | null> {
  if (uuid === null || uuid === undefined) return null
  if (builtInRole === 'owner') fail(errors.ownerInReseller)
  return ((await findReseller(db, uuid)) ?? fail(errors.resellerNotFound)).id
}

async function roleRights(db: Db, { builtInRole, roleId }: RoleColumns): Promise<ReadonlySet<Permission>> {
  if (builtInRole !== null) return permissionsOfRole(builtInRole)
  return permissionsOfRole((roleId === null ? undefined : await findRole(db, { id: roleId }))?.permissions ?? [])
}

function refuseBeyond(own: ReadonlySet<Permission>, given: Iterable<Permission>): void {
  if ([...given].some((each) => !own.has(each))) fail(errors.roleAboveOwn)
}

function refuseTokensAlone(given: readonly Permission[]): void {
  if (lackingBesideTokens(given).length > 0) fail(errors.roleWithTokensAlone)
}

export async function refuseTooMany(db: Db, now: Date): Promise<void> {
  if ((await listAdmins(db, now)).length >= MAX_ADMINS) fail(errors.tooManyAdmins)
}
