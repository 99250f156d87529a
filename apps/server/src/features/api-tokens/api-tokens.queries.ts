import type { Db } from '../../db/connect.ts'

export function listApiTokens(db: Db) {
  return db.selectFrom('apiTokens').selectAll().orderBy('createdAt').orderBy('uuid').execute()
}

export function insertApiToken(db: Db, token: { tokenName: string; createdAt: Date }) {
  return db
    .insertInto('apiTokens')
    .values({ ...token, updatedAt: token.createdAt })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export function deleteApiToken(db: Db, uuid: string) {
  return db.deleteFrom('apiTokens').where('uuid', '=', uuid).returning('tokenName').executeTakeFirst()
}
