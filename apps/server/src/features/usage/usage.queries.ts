import { sql, type Selectable } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { Tables } from '../../db/tables.ts'

/** Bytes per node and day of a time zone, written as that day in UTC; from the hours that lie in the range. */
export async function listNodesUsage(db: Db, range: { start: Date; end: Date }, zone: string) {
  const { rows } = await sql<{
    nodeUuid: string
    nodeName: string
    nodeCountryCode: string
    totalDownload: number
    totalUpload: number
    date: Date
  }>`
    select n."uuid" as "nodeUuid", n."name" as "nodeName", n."countryCode" as "nodeCountryCode",
      sum(h."downloadBytes")::bigint as "totalDownload", sum(h."uploadBytes")::bigint as "totalUpload",
      ${dayOf(zone)} as "date"
    from "nodeUsageHours" h join "nodes" n on n."id" = h."nodeId"
    where h."hour" >= ${range.start} and h."hour" <= ${range.end}
    group by n."id", "date" order by "date", n."viewPosition", n."id"
  `.execute(db)
  return rows
}

function dayOf(zone: string) {
  return sql<Date>`date_trunc('day', h."hour" at time zone ${zone}) at time zone 'UTC'`
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
    select n."uuid" as "nodeUuid", n."name" as "nodeName", n."countryCode", h."downloadBytes", h."uploadBytes",
      extract(epoch from h."updatedAt" - h."hour")::float8 as "seconds"
    from "nodeUsageHours" h join "nodes" n on n."id" = h."nodeId"
    where h."hour" = date_trunc('hour', ${now}::timestamptz, 'UTC')
    order by h."downloadBytes" + h."uploadBytes" desc, n."id"
  `.execute(db)
  return rows
}

/** Bytes of all nodes in each of the periods, which are half-open intervals. Of an hour that one ends in, its share is taken. */
export async function sumPeriods(db: Db, periods: readonly { from: Date; to: Date }[]): Promise<number[]> {
  const { rows } = await sql<{ index: number; bytes: number }>`
    select p."index",
      coalesce(sum((h."downloadBytes" + h."uploadBytes") * least(1, extract(epoch from p."to" - h."hour") / 3600)), 0)::bigint as "bytes"
    from unnest(${periods.map((period) => period.from.toISOString())}::timestamptz[],
      ${periods.map((period) => period.to.toISOString())}::timestamptz[]) with ordinality as p("from", "to", "index")
    left join "nodeUsageHours" h on h."hour" >= p."from" and h."hour" < p."to"
    group by p."index" order by p."index"
  `.execute(db)
  return rows.map((row) => row.bytes)
}

/** Bytes per node and day of a time zone since an instant. */
export async function listNodesStatistics(db: Db, since: Date, zone: string) {
  const { rows } = await sql<{ nodeName: string; date: Date; totalBytes: string }>`
    select n."name" as "nodeName", ${dayOf(zone)} as "date",
      sum(h."downloadBytes" + h."uploadBytes")::text as "totalBytes"
    from "nodeUsageHours" h join "nodes" n on n."id" = h."nodeId"
    where h."hour" >= ${since}
    group by n."id", "date" order by "date", n."viewPosition", n."id"
  `.execute(db)
  return rows
}

/**
 * Bytes per inbound and outbound of each node that has any, in the administrator's order of nodes. What a connected node
 * has by its profile is there from the start, with nothing, so that boards and alerts do not miss what is idle.
 */
export async function listTagUsage(db: Db) {
  return db
    .selectFrom(tagUsage().as('usage'))
    .innerJoin('nodes', 'nodes.id', 'usage.nodeId')
    .innerJoin('nodeStates as state', 'state.nodeId', 'nodes.id')
    .leftJoin('infraProviders as provider', 'provider.id', 'nodes.providerId')
    .select(['nodes.id as nodeId', 'nodes.uuid', 'nodes.name', 'nodes.countryCode', 'provider.name as providerName'])
    .select(['state.usersOnline', 'usage.direction', 'usage.tag', 'usage.uploadBytes', 'usage.downloadBytes'])
    .orderBy('nodes.viewPosition')
    .orderBy('nodes.id')
    .orderBy('usage.tag')
    .execute()
}

/** What moved through each inbound and outbound, and what a connected node has that is idle. */
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
