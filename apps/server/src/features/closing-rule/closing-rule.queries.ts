import { sql } from 'kysely'
import { CONFIG_FORM } from '@causeway/xray'
import type { Db, Tx } from '../../db/driver/connect.ts'
import type { NodeSnapshot } from './closing-rule.rules.ts'

export interface OpenNode {
  id: number
  uuid: string
  name: string
}

/**
 * Connected nodes whose core runs a configuration from before the closing rule, those first that fewest users would miss. Not
 * while a roll-out is at their profile: it starts them itself.
 */
export async function listOpenNodes(db: Db): Promise<OpenNode[]> {
  const { rows } = await sql<OpenNode>`
    select node."id", node."uuid", node."name" from "nodes" node
    join "nodeStates" state on state."nodeId" = node."id"
    where state."isConnected" and not node."isDisabled" and node."activeConfigProfileId" is not null
      and not starts_with(state."runningConfigHash", ${CONFIG_FORM})
      and not exists (
        select from "configProfileRollouts" rollout
        where rollout."profileId" = node."activeConfigProfileId" and rollout."endedAt" is null
      )
    order by state."usersOnline", node."viewPosition", node."id"
  `.execute(db)
  return rows
}

export async function findSnapshot(tx: Tx, nodeId: number): Promise<NodeSnapshot | undefined> {
  const { rows } = await sql<NodeSnapshot>`
    select not node."isDisabled" and node."activeConfigProfileId" is not null as "isOfFleet",
      state."isConnected", state."isConnecting", state."isNodeOnline", state."startRequestedAt" is not null as "isStartAsked",
      state."startsAsked", state."lastStatusMessage" as "message", state."usersOnline", state."sampleSequence" as "reading",
      state."coreEpoch", coalesce(starts_with(state."runningConfigHash", ${CONFIG_FORM}), false) as "isDelivered",
      (select coalesce(sum(usage."downloadBytes"), 0)::float8 from "nodeTagUsage" usage
        where usage."nodeId" = node."id" and usage."direction" = 'inbound') as "downloadBytes"
    from "nodes" node join "nodeStates" state on state."nodeId" = node."id" where node."id" = ${nodeId}
  `.execute(tx)
  return rows[0]
}

/** Whether a job of this kind is open, or ended otherwise than well since then. */
export async function isHeldBack(db: Db, kind: string, since: Date): Promise<boolean> {
  const { rows } = await sql<{ isHeldBack: boolean }>`
    select exists (
      select from "jobs" where "kind" = ${kind} and ("finishedAt" is null or ("status" <> 'done' and "finishedAt" > ${since}))
    ) as "isHeldBack"
  `.execute(db)
  return rows[0]?.isHeldBack ?? false
}
