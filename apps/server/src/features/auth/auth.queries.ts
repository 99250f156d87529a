import type { Db } from '../../db/driver/connect.ts'

export function findAdmin(db: Db) {
  return db.selectFrom('admins').selectAll().limit(1).executeTakeFirst()
}

/** A session and its administrator, also when it has ended. */
export function findSession(db: Db, uuid: string) {
  return db
    .selectFrom('sessions')
    .innerJoin('admins', 'admins.id', 'sessions.adminId')
    .select(['sessions.uuid as sessionUuid', 'sessions.expiresAt', 'sessions.revokedAt', 'admins.uuid', 'admins.username'])
    .where('sessions.uuid', '=', uuid)
    .executeTakeFirst()
}

export function insertSession(
  db: Db,
  session: { adminId: number; address: string | null; userAgent: string | null; createdAt: Date; expiresAt: Date },
) {
  return db.insertInto('sessions').values(session).returning('uuid').executeTakeFirstOrThrow()
}

export async function revokeSession(db: Db, uuid: string, now: Date): Promise<void> {
  await db.updateTable('sessions').set({ revokedAt: now }).where('uuid', '=', uuid).where('revokedAt', 'is', null).execute()
}

/** The table takes one row only, so that two registrations at once cannot both succeed. */
export function insertOnlyAdmin(db: Db, admin: { username: string; passwordHash: string }) {
  return db
    .insertInto('admins')
    .values(admin)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
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
