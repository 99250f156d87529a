import type { Db } from '../../db/connect.ts'

export function findAdmin(db: Db) {
  return db.selectFrom('admins').selectAll().limit(1).executeTakeFirst()
}

/** The administrator of a session that has neither ended nor been revoked. */
export function findSessionAdmin(db: Db, sessionUuid: string, now: Date) {
  return db
    .selectFrom('sessions')
    .innerJoin('admins', 'admins.id', 'sessions.adminId')
    .select(['admins.uuid', 'admins.username', 'admins.role'])
    .where('sessions.uuid', '=', sessionUuid)
    .where('sessions.expiresAt', '>', now)
    .where('sessions.revokedAt', 'is', null)
    .executeTakeFirst()
}

export function insertSession(
  db: Db,
  session: { adminId: number; address: string | null; userAgent: string | null; createdAt: Date; expiresAt: Date },
) {
  return db.insertInto('sessions').values(session).returning('uuid').executeTakeFirstOrThrow()
}

export function revokeSession(db: Db, sessionUuid: string, now: Date) {
  return db
    .updateTable('sessions')
    .set({ revokedAt: now })
    .where('uuid', '=', sessionUuid)
    .where('revokedAt', 'is', null)
    .execute()
}

export function findApiToken(db: Db, uuid: string) {
  return db.selectFrom('apiTokens').selectAll().where('uuid', '=', uuid).executeTakeFirst()
}
