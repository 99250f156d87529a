import type { Db } from '../../db/driver/connect.ts'

/** Enabled nodes, with the versions that they run. */
export function listNodeVersions(db: Db) {
  return db
    .selectFrom('nodes as node')
    .innerJoin('nodeStates as state', 'state.nodeId', 'node.id')
    .select(['node.id', 'node.uuid', 'node.name', 'node.countryCode'])
    .select(['state.nodeVersion', 'state.xrayVersion', 'state.geoVersion', 'state.isConnected', 'state.isUpdatable'])
    .where('node.isDisabled', '=', false)
    .orderBy('node.viewPosition')
    .orderBy('node.id')
    .execute()
}
