import { accountAlertActions } from '@causeway/contract'
import { sql, type Expression } from 'kysely'
import type { Db, Tx } from '../../db/driver/connect.ts'

/** The oldest administrator: undefined before the first registration. */
export function findFirstAdmin(db: Db) {
  return db.selectFrom('admins').selectAll().orderBy('id').limit(1).executeTakeFirst()
}

export function findAdmin(db: Db, by: { uuid: string } | { username: string } | { id: number }) {
  const admins = db.selectFrom('admins').selectAll()
  if ('uuid' in by) return admins.where('uuid', '=', by.uuid).executeTakeFirst()
  if ('id' in by) return admins.where('id', '=', by.id).executeTakeFirst()
  return admins.where('username', '=', by.username).executeTakeFirst()
}

/** Sign-ins of an account, and changes of its password and factors, come one after the other. */
export async function lockAccount(tx: Tx, adminId: number): Promise<void> {
  await tx.selectFrom('admins').select('id').where('id', '=', adminId).forUpdate().execute()
}

/** Whether the password alone does not sign in to this account. */
export async function hasSecondFactor(db: Db, adminId: number): Promise<boolean> {
  return (await factorsOf(db, adminId).limit(1).executeTakeFirst()) !== undefined
}

function factorsOf(db: Db, adminId: number | Expression<number>) {
  return db
    .selectFrom('authenticators')
    .select('adminId')
    .where('adminId', '=', adminId)
    .where('confirmedAt', 'is not', null)
    .unionAll(db.selectFrom('passkeys').select('adminId').where('adminId', '=', adminId))
}

/** Whether a passkey or an account of a provider signs in to the account. */
export async function hasOtherWayIn(db: Db, adminId: number): Promise<boolean> {
  const ways = db
    .selectFrom('passkeys')
    .select('adminId')
    .where('adminId', '=', adminId)
    .unionAll(db.selectFrom('adminIdentities').select('adminId').where('adminId', '=', adminId))
  return (await ways.limit(1).executeTakeFirst()) !== undefined
}

/** Recovery codes stand in for a second factor: without one they serve nothing. */
export async function deleteUnusedRecoveryCodes(db: Db, adminId: number): Promise<void> {
  if (!(await hasSecondFactor(db, adminId))) await db.deleteFrom('recoveryCodes').where('adminId', '=', adminId).execute()
}

/** Whether any account has a passkey: the sign-in page offers them then. */
export async function hasPasskeys(db: Db): Promise<boolean> {
  return (await db.selectFrom('passkeys').select('id').limit(1).executeTakeFirst()) !== undefined
}

/** A session and its administrator with the role, also when it has ended. */
export function findSession(db: Db, uuid: string) {
  return db
    .selectFrom('sessions')
    .innerJoin('admins', 'admins.id', 'sessions.adminId')
    .leftJoin('roles', 'roles.id', 'admins.roleId')
    .select([
      'admins.builtInRole',
      'roles.permissions',
      'sessions.uuid as sessionUuid',
      'sessions.expiresAt',
      'sessions.revokedAt',
      'sessions.provenAt',
      'admins.uuid',
      'admins.username',
      'admins.resellerId',
    ])
    .select((eb) =>
      eb
        .and([
          eb.exists(eb.selectFrom('installation').select('uuid').where('isSecondFactorRequired', '=', true)),
          eb.not(eb.exists(factorsOf(db, eb.ref('admins.id')))),
        ])
        .$castTo<boolean>()
        .as('isSecondFactorDue'),
    )
    .where('sessions.uuid', '=', uuid)
    .executeTakeFirst()
}

export function insertSession(
  db: Db,
  session: {
    adminId: number
    address: string | null
    userAgent: string | null
    createdAt: Date
    expiresAt: Date
    provenAt: Date | null
  },
) {
  return db.insertInto('sessions').values(session).returning('uuid').executeTakeFirstOrThrow()
}

export async function revokeSession(db: Db, uuid: string, now: Date): Promise<void> {
  await db.updateTable('sessions').set({ revokedAt: now }).where('uuid', '=', uuid).where('revokedAt', 'is', null).execute()
}

export async function updateProof(db: Db, sessionUuid: string, provenAt: Date): Promise<void> {
  await db.updateTable('sessions').set({ provenAt }).where('uuid', '=', sessionUuid).execute()
}

/** Sessions that are open, the newest first. */
export function listOpenSessions(db: Db, adminUuid: string, now: Date, limit: number) {
  return openSessions(db, adminUuid, now)
    .select(['sessions.uuid', 'address', 'userAgent', 'sessions.createdAt', 'expiresAt'])
    .orderBy('sessions.createdAt', 'desc')
    .orderBy('sessions.uuid')
    .limit(limit)
    .execute()
}

export async function countOpenSessions(db: Db, adminUuid: string, now: Date): Promise<number> {
  const { total } = await openSessions(db, adminUuid, now)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return Number(total)
}

function openSessions(db: Db, adminUuid: string, now: Date) {
  return db
    .selectFrom('sessions')
    .innerJoin('admins', 'admins.id', 'sessions.adminId')
    .where('admins.uuid', '=', adminUuid)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', now)
}

/** Ends open sessions of an administrator: one, or all but one. Returns their number. */
export async function revokeSessions(
  db: Db,
  adminUuid: string,
  which: { only: string } | { allBut: string | undefined },
  now: Date,
): Promise<number> {
  let update = db
    .updateTable('sessions')
    .set({ revokedAt: now })
    .where('adminId', 'in', (eb) => eb.selectFrom('admins').select('id').where('uuid', '=', adminUuid))
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', now)
  if ('only' in which) update = update.where('uuid', '=', which.only)
  else if (which.allBut !== undefined) update = update.where('uuid', '!=', which.allBut)
  return (await update.returning('uuid').execute()).length
}

/** False when the stored hash is no longer the one that was checked. */
export async function replacePassword(
  db: Db,
  { id, checkedHash, passwordHash, now }: { id: number; checkedHash: string; passwordHash: string; now: Date },
): Promise<boolean> {
  const update = db
    .updateTable('admins')
    .set({ passwordHash, updatedAt: now })
    .where('id', '=', id)
    .where('passwordHash', '=', checkedHash)
  return (await update.returning('id').executeTakeFirst()) !== undefined
}

/** Registrations come one after the other, so that of two at once one succeeds. */
export async function insertOnlyAdmin(tx: Tx, admin: { username: string; passwordHash: string }) {
  await sql`select pg_advisory_xact_lock(hashtext('first administrator'))`.execute(tx)
  if (await findFirstAdmin(tx)) return undefined
  return tx
    .insertInto('admins')
    .values({ ...admin, builtInRole: 'owner' })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Every administrator with role, second factor and open sessions. */
export async function listAdmins(db: Db, now: Date) {
  const rows = await db
    .selectFrom('admins')
    .leftJoin('roles', 'roles.id', 'admins.roleId')
    .leftJoin('resellers', 'resellers.id', 'admins.resellerId')
    .select([
      'admins.uuid',
      'resellers.uuid as resellerUuid',
      'resellers.name as resellerName',
      'admins.username',
      'admins.createdAt',
      'admins.builtInRole',
      'roles.name as roleName',
      'roles.uuid as roleUuid',
    ])
    .select((eb) => [
      eb
        .exists(
          eb
            .selectFrom('authenticators')
            .select('adminId')
            .whereRef('adminId', '=', 'admins.id')
            .where('confirmedAt', 'is not', null),
        )
        .as('hasAuthenticator'),
      eb
        .selectFrom('passkeys')
        .select((sub) => sub.fn.countAll<number>().as('n'))
        .whereRef('adminId', '=', 'admins.id')
        .as('passkeys'),
      eb
        .selectFrom('sessions')
        .select((sub) => sub.fn.countAll<number>().as('n'))
        .whereRef('adminId', '=', 'admins.id')
        .where('revokedAt', 'is', null)
        .where('expiresAt', '>', now)
        .as('sessions'),
      eb
        .selectFrom('sessions')
        .select((sub) => sub.fn.max('createdAt').as('at'))
        .whereRef('adminId', '=', 'admins.id')
        .as('lastSeenAt'),
      eb
        .selectFrom('apiTokens')
        .select((sub) => sub.fn.countAll<number>().as('n'))
        .whereRef('madeBy', '=', 'admins.uuid')
        .as('tokens'),
    ])
    .orderBy('admins.id')
    .execute()
  return rows.map(
    ({ builtInRole, roleName, roleUuid, resellerUuid, resellerName, hasAuthenticator, passkeys, sessions, tokens, ...rest }) => ({
      ...rest,
      role: { ref: builtInRole ?? roleUuid ?? '', name: builtInRole === null ? roleName : null },
      reseller: resellerUuid === null ? null : { uuid: resellerUuid, name: resellerName ?? '' },
      hasAuthenticator: Boolean(hasAuthenticator),
      passkeys: Number(passkeys),
      sessions: Number(sessions),
      tokens: Number(tokens),
    }),
  )
}

/** Authenticator, passkeys and recovery codes of an account. */
export async function deleteFactors(db: Db, adminId: number): Promise<void> {
  await db.deleteFrom('authenticators').where('adminId', '=', adminId).execute()
  await db.deleteFrom('passkeys').where('adminId', '=', adminId).execute()
  await db.deleteFrom('recoveryCodes').where('adminId', '=', adminId).execute()
}

/** Refused sign-ins count no more, and all networks may sign in. */
export async function admitAll(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('signInAttempts').execute()
  await db.updateTable('installation').set({ signInNetworks: [], updatedAt: now }).execute()
}

export function findApiToken(db: Db, uuid: string) {
  return db.selectFrom('apiTokens').selectAll().where('uuid', '=', uuid).executeTakeFirst()
}

export async function insertOAuth2State(
  db: Db,
  state: { stateHash: string; provider: string; browserHash: string; expiresAt: Date },
): Promise<void> {
  await db.insertInto('oauth2States').values(state).execute()
}

/** False when it is there already. */
export async function insertIfNew(
  db: Db,
  state: { stateHash: string; provider: string; browserHash: string; expiresAt: Date },
): Promise<boolean> {
  const insert = db
    .insertInto('oauth2States')
    .values(state)
    .onConflict((conflict) => conflict.doNothing())
  return (await insert.returning('stateHash').executeTakeFirst()) !== undefined
}

/** A state serves once, right or wrong: it is gone when it is read. */
export function takeOAuth2State(db: Db, stateHash: string) {
  return db.deleteFrom('oauth2States').where('stateHash', '=', stateHash).returningAll().executeTakeFirst()
}

/**
 * Sign-ins from new places and changes of password and factors, the newest first, but for what this session did itself. Such a
 * change ends all other sessions, so that what came after the beginning of this one is its own.
 */
export async function listAlerts(
  db: Db,
  { uuid, sessionUuid, since, limit }: { uuid: string; sessionUuid: string; since: Date; limit: number },
) {
  const { rows } = await sql<{ id: number; at: Date; action: string; address: string | null }>`
    select a."id", a."at", a."action", a."address" from "auditLog" a join "sessions" own on own."uuid" = ${sessionUuid}
    where a."target" = ${uuid} and a."at" > ${since} and case
      when a."action" = 'login' then (a."details"->>'isNewPlace')::boolean and a."details"->>'session' <> ${sessionUuid}
      else a."action" = any(${[...accountAlertActions]}) and a."at" < own."createdAt" end
    order by a."at" desc limit ${limit}`.execute(db)
  return rows
}
