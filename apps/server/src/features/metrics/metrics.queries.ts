import type { Db } from '../../db/connect.ts'

export function listNodeFigures(db: Db) {
  return db
    .selectFrom('nodes')
    .leftJoin('nodeStates', 'nodeStates.nodeId', 'nodes.id')
    .leftJoin('infraProviders', 'infraProviders.id', 'nodes.providerId')
    .select(['nodes.id', 'nodes.uuid', 'nodes.name', 'nodes.countryCode', 'infraProviders.name as providerName'])
    .select(['nodeStates.isConnected', 'nodeStates.usersOnline'])
    .orderBy('nodes.viewPosition')
    .execute()
}

export async function pingDatabase(db: Db): Promise<void> {
  await db.selectNoFrom((eb) => eb.lit(1).as('one')).executeTakeFirstOrThrow()
}
