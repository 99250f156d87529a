import { sql } from 'kysely'
import type { Db } from '../../db/driver/connect.ts'
import { tagUsage } from './usage.queries.ts'

/** Bytes of each node that moved anything since a day, by how many days after it, in the administrator's order of nodes. */
export async function listNodesByDay(db: Db, since: string) {
  const { rows } = await sql<{ uuid: string; name: string; countryCode: string; byDay: Record<string, number> }>`
    select n."uuid", n."name", n."countryCode", moved."byDay" from (
      select "nodeId", json_object_agg("day" - ${since}::date, "uploadBytes" + "downloadBytes") as "byDay"
      from "nodeUsageDays" where "day" >= ${since}::date and "uploadBytes" + "downloadBytes" > 0 group by "nodeId"
    ) moved join "nodes" n on n."id" = moved."nodeId" order by n."viewPosition", n."id"
  `.execute(db)
  return rows
}

/** All nodes with what moved through each of their inbounds and outbounds; one that reported none has one row without a tag. */
export function listNodesTraffic(db: Db) {
  return db
    .selectFrom('nodes')
    .innerJoin('nodeStates as state', 'state.nodeId', 'nodes.id')
    .leftJoin('infraProviders as provider', 'provider.id', 'nodes.providerId')
    .leftJoin(tagUsage().as('usage'), 'usage.nodeId', 'nodes.id')
    .select(['nodes.uuid', 'nodes.name', 'nodes.countryCode', 'nodes.isDisabled', 'provider.name as providerName'])
    .select(['state.isConnected', 'state.accountedThroughAt as countedThroughAt'])
    .select(['usage.direction', 'usage.tag', 'usage.uploadBytes', 'usage.downloadBytes'])
    .orderBy('nodes.viewPosition')
    .orderBy('nodes.id')
    .orderBy('usage.tag')
    .execute()
}
