import type { Db, Tx } from '../../db/driver/connect.ts'

export function listStoredConfigs(db: Db) {
  return db
    .selectFrom('subscriptionPageConfigs')
    .select(['uuid', 'name', 'config', 'viewPosition', 'tags'])
    .orderBy('viewPosition')
    .orderBy('uuid')
    .execute()
}

export function findStoredConfig(db: Db, uuid: string) {
  return db.selectFrom('subscriptionPageConfigs').select(['uuid', 'config']).where('uuid', '=', uuid).executeTakeFirst()
}

export async function lockConfigs(tx: Tx): Promise<void> {
  await tx.selectFrom('subscriptionPageConfigs').select('uuid').orderBy('uuid').forUpdate().execute()
}

/** The page of the user's external squad; undefined where there is no such user. */
export function findSubpage(db: Db, shortUuid: string) {
  return db
    .selectFrom('users as user')
    .leftJoin('externalSquads as squad', 'squad.uuid', 'user.externalSquadUuid')
    .select('squad.subpageConfigUuid')
    .where('user.shortUuid', '=', shortUuid)
    .executeTakeFirst()
}
