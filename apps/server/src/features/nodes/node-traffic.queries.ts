import { sql } from 'kysely'
import type { Tx } from '../../db/connect.ts'

/** Enabled nodes whose traffic is watched, with when it was last counted from zero. */
export async function listTrackedNodes(tx: Tx) {
  return tx
    .selectFrom('nodes')
    .innerJoin('nodeStates as state', 'state.nodeId', 'nodes.id')
    .select([
      'nodes.id',
      'nodes.name',
      'nodes.trafficResetDay',
      'nodes.trafficLimitBytes',
      'nodes.notifyPercent',
      'nodes.createdAt',
    ])
    .select(['state.trafficUsedBytes', 'state.trafficNotifiedAt'])
    .select((row) =>
      row
        .selectFrom('nodeTrafficResets as reset')
        .select((reset) => reset.fn.max('reset.resetAt').as('at'))
        .whereRef('reset.nodeId', '=', 'nodes.id')
        .as('lastResetAt'),
    )
    .where('nodes.isDisabled', '=', false)
    .where('nodes.isTrafficTrackingActive', '=', true)
    .orderBy('nodes.id')
    .execute()
}

/** Notes what the node has used and counts from zero again. */
export async function resetNodeTraffic(tx: Tx, nodeIds: number[], at: Date): Promise<void> {
  if (nodeIds.length === 0) return
  await sql`
    with held as (select "nodeId", "trafficUsedBytes" from "nodeStates" where "nodeId" = any(${nodeIds}::bigint[]) order by 1 for update),
    noted as (insert into "nodeTrafficResets" ("nodeId", "trafficBytes", "resetAt") select "nodeId", "trafficUsedBytes", ${at} from held)
    update "nodeStates" s set "trafficUsedBytes" = 0, "trafficNotifiedAt" = null from held where s."nodeId" = held."nodeId"
  `.execute(tx)
}

export async function setTrafficNotified(tx: Tx, nodeId: number, at: Date | null): Promise<void> {
  await tx.updateTable('nodeStates').set({ trafficNotifiedAt: at }).where('nodeId', '=', nodeId).execute()
}
