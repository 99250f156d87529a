import { sql } from 'kysely'
import type { Db } from '../../db/driver/connect.ts'

export function listNodeFigures(db: Db) {
  return db
    .selectFrom('nodes')
    .leftJoin('nodeStates', 'nodeStates.nodeId', 'nodes.id')
    .leftJoin('infraProviders', 'infraProviders.id', 'nodes.providerId')
    .select(['nodes.id', 'nodes.uuid', 'nodes.name', 'nodes.countryCode', 'infraProviders.name as providerName'])
    .select(['nodeStates.isConnected', 'nodeStates.certificateExpiresAt'])
    .select([
      'nodeStates.xrayVersion',
      'nodeStates.nodeVersion',
      'nodeStates.cpuCount',
      'nodeStates.cpuModel',
      'nodeStates.totalRam',
    ])
    .orderBy('nodes.viewPosition')
    .execute()
}

/** Whether the database answers at all, and whether it takes changes. */
export async function pingDatabase(db: Db): Promise<{ isReadOnly: boolean }> {
  return db.selectNoFrom(sql<boolean>`current_setting('transaction_read_only') = 'on'`.as('isReadOnly')).executeTakeFirstOrThrow()
}
