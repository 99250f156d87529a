import { sql } from 'kysely'
import type { BuiltInRole, Permission } from '@causeway/contract'
import type { Db, Tx } from '../../db/driver/connect.ts'

export interface RoleColumns {
  builtInRole: BuiltInRole | null
  roleId: number | null
}

/** Changes of roles come one after the other, so that the last owner stays one. */
export async function lockRights(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('rights of administrators'))`.execute(tx)
}

export async function countOwners(db: Db): Promise<number> {
  const { total } = await db
    .selectFrom('admins')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('builtInRole', '=', 'owner')
    .executeTakeFirstOrThrow()
  return Number(total)
}

/** The role, and the reseller that bounds it. */
export interface Rights extends RoleColumns {
  resellerId: number | null
}

export async function updateAdminRights(db: Db, id: number, rights: RoleColumns & Partial<Rights>, now: Date): Promise<void> {
  await db
    .updateTable('admins')
    .set({ ...rights, updatedAt: now })
    .where('id', '=', id)
    .execute()
}

export async function deleteAdmin(db: Db, id: number): Promise<void> {
  await db.deleteFrom('admins').where('id', '=', id).execute()
}

/** The tokens that an administrator has made see no more than their maker. */
export async function bindTokensOf(db: Db, adminUuid: string, resellerId: number): Promise<void> {
  await db.updateTable('apiTokens').set({ resellerId }).where('madeBy', '=', adminUuid).execute()
}

export async function deleteTokensOf(db: Db, adminUuid: string): Promise<number> {
  return (await db.deleteFrom('apiTokens').where('madeBy', '=', adminUuid).returning('uuid').execute()).length
}

/** False when the name is taken. */
export function insertAdmin(db: Db, admin: { username: string; passwordHash: string } & Rights) {
  return db
    .insertInto('admins')
    .values(admin)
    .onConflict((conflict) => conflict.column('username').doNothing())
    .returningAll()
    .executeTakeFirst()
}

export function listOwnRoles(db: Db) {
  return db
    .selectFrom('roles')
    .selectAll('roles')
    .select((eb) =>
      eb
        .selectFrom('admins')
        .select((sub) => sub.fn.countAll<number>().as('n'))
        .whereRef('roleId', '=', 'roles.id')
        .as('holders'),
    )
    .orderBy('name')
    .execute()
}

export async function countHoldersOfBuiltIn(db: Db): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('admins')
    .select((eb) => ['builtInRole', eb.fn.countAll<number>().as('n')])
    .where('builtInRole', 'is not', null)
    .groupBy('builtInRole')
    .execute()
  return new Map(rows.map(({ builtInRole, n }) => [builtInRole ?? '', Number(n)]))
}

export function findRole(db: Db, by: { uuid: string } | { id: number }) {
  const roles = db.selectFrom('roles').selectAll()
  return ('uuid' in by ? roles.where('uuid', '=', by.uuid) : roles.where('id', '=', by.id)).executeTakeFirst()
}

/** Undefined when the name is taken. */
export function insertRole(db: Db, { name, permissions }: { name: string; permissions: readonly Permission[] }) {
  return db
    .insertInto('roles')
    .values({ name, permissions: JSON.stringify(permissions) })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returningAll()
    .executeTakeFirst()
}

export async function isRoleNameTaken(db: Db, name: string, exceptId: number): Promise<boolean> {
  const found = db.selectFrom('roles').select('id').where('name', '=', name).where('id', '!=', exceptId)
  return (await found.executeTakeFirst()) !== undefined
}

export function updateRoleRow(
  db: Db,
  id: number,
  { name, permissions }: { name?: string | undefined; permissions?: readonly Permission[] | undefined },
  now: Date,
) {
  return db
    .updateTable('roles')
    .set({
      ...(name === undefined ? {} : { name }),
      ...(permissions === undefined ? {} : { permissions: JSON.stringify(permissions) }),
      updatedAt: now,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function countHolders(db: Db, roleId: number): Promise<number> {
  const { total } = await db
    .selectFrom('admins')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('roleId', '=', roleId)
    .executeTakeFirstOrThrow()
  return Number(total)
}

export async function deleteRoleRow(db: Db, id: number): Promise<void> {
  await db.deleteFrom('roles').where('id', '=', id).execute()
}

interface NewInvitation extends Rights {
  tokenHash: string
  note: string
  invitedBy: string
  createdAt: Date
  expiresAt: Date
}

export function insertInvitation(db: Db, invitation: NewInvitation) {
  return db.insertInto('invitations').values(invitation).returningAll().executeTakeFirstOrThrow()
}

/** Those that may still be accepted. */
export function listOpenInvitations(db: Db, now: Date) {
  return db
    .selectFrom('invitations')
    .leftJoin('roles', 'roles.id', 'invitations.roleId')
    .leftJoin('resellers', 'resellers.id', 'invitations.resellerId')
    .selectAll('invitations')
    .select(['roles.name as roleName', 'roles.uuid as roleUuid'])
    .select(['resellers.uuid as resellerUuid', 'resellers.name as resellerName'])
    .where('acceptedAt', 'is', null)
    .where('recalledAt', 'is', null)
    .where('expiresAt', '>', now)
    .orderBy('invitations.createdAt', 'desc')
    .execute()
}

export function findInvitation(db: Db, tokenHash: string) {
  return db
    .selectFrom('invitations')
    .leftJoin('roles', 'roles.id', 'invitations.roleId')
    .leftJoin('resellers', 'resellers.id', 'invitations.resellerId')
    .selectAll('invitations')
    .select(['roles.name as roleName', 'roles.uuid as roleUuid'])
    .select(['resellers.uuid as resellerUuid', 'resellers.name as resellerName'])
    .where('tokenHash', '=', tokenHash)
    .executeTakeFirst()
}

/** False when it has been accepted or recalled meanwhile. */
export async function closeInvitation(
  db: Db,
  by: { uuid: string },
  set: { acceptedAt: Date } | { recalledAt: Date },
): Promise<boolean> {
  const update = db
    .updateTable('invitations')
    .set(set)
    .where('uuid', '=', by.uuid)
    .where('acceptedAt', 'is', null)
    .where('recalledAt', 'is', null)
  return (await update.returning('uuid').executeTakeFirst()) !== undefined
}
