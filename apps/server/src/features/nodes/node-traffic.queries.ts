import { sql } from 'kysely'
import type { Tx } from '../../db/driver/connect.ts'

/** Enabled nodes whose traffic is watched, with when it was last counted from zero; resets after `before` are of a clock that was ahead. */
export async function listTrackedNodes(tx: Tx, before: Date) {
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
    .select((row) => {
      const resets = row
        .selectFrom('nodeTrafficResets as reset')
        .whereRef('reset.nodeId', '=', 'nodes.id')
        .where('reset.resetAt', '<=', before)
      return [
        resets.select((reset) => reset.fn.max('reset.resetAt').as('at')).as('lastResetAt'),
        resets.select((reset) => reset.fn.max('reset.day').as('day')).as('lastResetDay'),
      ]
    })
    .where('nodes.isDisabled', '=', false)
    .where('nodes.isTrafficTrackingActive', '=', true)
    .orderBy('nodes.id')
    .execute()
}

/** Notes what the nodes have used and counts from zero again; `day` is the day it was due for; null by hand. */
export async function resetNodeTraffic(tx: Tx, due: readonly { id: number; day: string | null }[], at: Date): Promise<void> {
  if (due.length === 0) return
  await sql`
    with due as (select * from unnest(${due.map((one) => one.id)}::bigint[], ${due.map((one) => one.day)}::date[]) as given("nodeId", "day")),
    held as (select "nodeId", "trafficUsedBytes" from "nodeStates" where "nodeId" in (select "nodeId" from due) order by 1 for update),
    noted as (
      insert into "nodeTrafficResets" ("nodeId", "trafficBytes", "resetAt", "day")
      select "nodeId", held."trafficUsedBytes", ${at}, due."day" from held join due using ("nodeId")
    )
    update "nodeStates" s set "trafficUsedBytes" = 0, "trafficNotifiedAt" = null from held where s."nodeId" = held."nodeId"
  `.execute(tx)
}

export async function setTrafficNotified(tx: Tx, nodeId: number, at: Date | null): Promise<void> {
  await tx.updateTable('nodeStates').set({ trafficNotifiedAt: at }).where('nodeId', '=', nodeId).execute()
}
