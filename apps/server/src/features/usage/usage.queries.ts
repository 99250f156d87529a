import { sql, type Selectable } from 'kysely'
import type { Db } from '../../db/driver/connect.ts'
import type { Tables } from '../../db/tables.ts'
import type { Edge, Pieces } from './usage.rules.ts'

/** Bytes per node and day of the installation, written as that day in UTC. */
export async function listNodesUsage(db: Db, { fromDay, untilDay, edges }: Pieces) {
  const { rows } = await sql<{
    nodeUuid: string
    nodeName: string
    nodeCountryCode: string
    totalDownload: number
    totalUpload: number
    date: Date
  }>`
    select n."uuid" as "nodeUuid", n."name" as "nodeName", n."countryCode" as "nodeCountryCode",
      sum(moved."downloadBytes")::bigint as "totalDownload", sum(moved."uploadBytes")::bigint as "totalUpload",
      moved."day"::timestamp at time zone 'UTC' as "date"
    from (
      select "nodeId", "day", "downloadBytes", "uploadBytes" from "nodeUsageDays"
      where "day" >= ${fromDay} and "day" < ${untilDay}
      union all
      select q."nodeId", e."day", q."downloadBytes", q."uploadBytes" from ${edgesTable(edges)}
      join "nodeUsageQuarters" q on q."quarter" >= e."from" and q."quarter" < e."to" where e."hasQuarters"
      union all
      select d."nodeId", e."day", (d."downloadBytes" * e."share")::bigint, (d."uploadBytes" * e."share")::bigint
      from ${edgesTable(edges)} join "nodeUsageDays" d on d."day" = e."day" where not e."hasQuarters"
    ) moved join "nodes" n on n."id" = moved."nodeId"
    where moved."downloadBytes" + moved."uploadBytes" > 0
    group by n."id", moved."day" order by moved."day", n."viewPosition", n."id"
  `.execute(db)
  return rows
}

function edgesTable(edges: readonly (Edge & { index?: number })[]) {
  return sql`unnest(${edges.map(({ index = 0 }) => index)}::int[], ${edges.map(({ from }) => from.toISOString())}::timestamptz[],
    ${edges.map(({ to }) => to.toISOString())}::timestamptz[], ${edges.map(({ day }) => day)}::date[],
    ${edges.map(({ share }) => share)}::float8[], ${edges.map(({ hasQuarters }) => hasQuarters)}::bool[]
  ) as e("index", "from", "to", "day", "share", "hasQuarters")`
}

/** Raw bytes per user of a node and day from one day to another, both included. */
export function listNodeUsersUsage(db: Db, nodeUuid: string, days: { start: string; end: string }) {
  return db
    .selectFrom('userNodeUsage as usage')
    .innerJoin('nodes as node', 'node.id', 'usage.nodeId')
    .innerJoin('users as user', 'user.id', 'usage.userId')
    .select(['user.uuid as userUuid', 'user.username', 'node.uuid as nodeUuid', 'usage.day'])
    .select(sql<number>`usage."uploadBytes" + usage."downloadBytes"`.as('total'))
    .where('node.uuid', '=', nodeUuid)
    .where('usage.day', '>=', days.start)
    .where('usage.day', '<=', days.end)
    .orderBy('usage.day')
    .orderBy('user.id')
    .execute()
}

/** Nodes with traffic in the current hour, the fastest first. Speeds are averages since the hour began. */
export async function listRealtimeUsage(db: Db, now: Date) {
  const { rows } = await sql<{
    nodeUuid: string
    nodeName: string
    countryCode: string
    downloadBytes: number
    uploadBytes: number
    seconds: number
  }>`
    select n."uuid" as "nodeUuid", n."name" as "nodeName", n."countryCode", moved."downloadBytes", moved."uploadBytes",
      extract(epoch from moved."updatedAt" - date_trunc('hour', ${now}::timestamptz, 'UTC'))::float8 as "seconds"
    from (
      select "nodeId", sum("downloadBytes")::bigint as "downloadBytes", sum("uploadBytes")::bigint as "uploadBytes",
        max("updatedAt") as "updatedAt"
      from "nodeUsageQuarters" where "quarter" >= date_trunc('hour', ${now}::timestamptz, 'UTC') and "quarter" <= ${now}
      group by "nodeId"
    ) moved join "nodes" n on n."id" = moved."nodeId"
    order by moved."downloadBytes" + moved."uploadBytes" desc, n."id"
  `.execute(db)
  return rows
}

/** Bytes of all nodes in each of the periods. Of a quarter of an hour that one ends in, its share is taken. */
export async function sumPeriods(db: Db, periods: readonly Pieces[]): Promise<number[]> {
  const edges = edgesTable(periods.flatMap((period, index) => period.edges.map((edge) => ({ ...edge, index }))))
  const { rows } = await sql<{ index: number; bytes: number }>`
    select "index", sum("bytes")::bigint as "bytes" from (
      select p."index" - 1 as "index", d."downloadBytes" + d."uploadBytes" as "bytes"
      from unnest(${periods.map(({ fromDay }) => fromDay)}::date[], ${periods.map(({ untilDay }) => untilDay)}::date[])
        with ordinality as p("from", "until", "index")
      join "nodeUsageDays" d on d."day" >= p."from" and d."day" < p."until"
      union all
      select e."index", (q."downloadBytes" + q."uploadBytes") * least(1, extract(epoch from e."to" - q."quarter") / 900)
      from ${edges} join "nodeUsageQuarters" q on q."quarter" >= e."from" and q."quarter" < e."to" where e."hasQuarters"
      union all
      select e."index", (d."downloadBytes" + d."uploadBytes") * e."share"
      from ${edges} join "nodeUsageDays" d on d."day" = e."day" where not e."hasQuarters"
    ) moved group by "index"
  `.execute(db)
  const byIndex = new Map(rows.map(({ index, bytes }) => [index, bytes]))
  return periods.map((_, index) => byIndex.get(index) ?? 0)
}

/**
 * Bytes per inbound and outbound of each node that has any, in the administrator's order of nodes. Those of a
 * connected node's profile are listed from the start with zero, so that boards and alerts do not miss idle ones.
 */
export async function listTagUsage(db: Db) {
  return db
    .selectFrom(tagUsage().as('usage'))
    .innerJoin('nodes', 'nodes.id', 'usage.nodeId')
    .leftJoin('infraProviders as provider', 'provider.id', 'nodes.providerId')
    .select(['nodes.id as nodeId', 'nodes.uuid', 'nodes.name', 'nodes.countryCode', 'provider.name as providerName'])
    .select(['usage.direction', 'usage.tag', 'usage.uploadBytes', 'usage.downloadBytes'])
    .orderBy('nodes.viewPosition')
    .orderBy('nodes.id')
    .orderBy('usage.tag')
    .execute()
}

/** Traffic of each inbound and outbound, and the idle ones of connected nodes. */
export function tagUsage() {
  return sql<Selectable<Tables['nodeTagUsage']>>`(
    with "connected" as (
      select n."id", n."activeConfigProfileId" as "profileId" from "nodes" n
      join "nodeStates" s on s."nodeId" = n."id" where s."isConnected"
    ), "idle" as (
      select link."nodeId", 'inbound' as "direction", inbound."tag" from "connected" n
      join "nodeInbounds" link on link."nodeId" = n."id"
      join "configProfileInbounds" inbound on inbound."id" = link."inboundId" and inbound."profileId" = n."profileId"
      union select n."id", 'outbound', outbound->>'tag' from "connected" n
      join "configProfiles" profile on profile."id" = n."profileId"
      cross join lateral json_array_elements(case json_typeof(profile."config"->'outbounds')
        when 'array' then profile."config"->'outbounds' else '[]' end) as outbound
      where outbound->>'tag' <> ''
    )
    select "nodeId", "direction", "tag", "uploadBytes", "downloadBytes" from "nodeTagUsage"
    union all select "nodeId", "direction", "tag", 0, 0 from "idle" where not exists (
      select from "nodeTagUsage" known where known."nodeId" = "idle"."nodeId"
        and known."direction" = "idle"."direction" and known."tag" = "idle"."tag")
  )`
}
