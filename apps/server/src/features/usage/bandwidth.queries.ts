import { sql } from 'kysely'
import type { Db } from '../../db/driver/connect.ts'
import type { DayBytes } from './bandwidth.rules.ts'

export interface Days {
  start: string
  end: string
}

/** Bytes of each node on each day, from the kept sums. */
export async function listNodeDays(db: Db, { start, end }: Days): Promise<DayBytes[]> {
  const { rows } = await sql<DayBytes>`
    select "nodeId" as "id", "day"::text as "day", "uploadBytes" + "downloadBytes" as "bytes" from "nodeUsageDays"
    where "day" >= ${start} and "day" <= ${end}
  `.execute(db)
  return rows
}

/** Bytes of a user on each node and day. */
export async function listUserNodeDays(db: Db, userUuid: string, { start, end }: Days): Promise<DayBytes[]> {
  const { rows } = await sql<DayBytes>`
    select "nodeId" as "id", "day"::text as "day", "uploadBytes" + "downloadBytes" as "bytes" from "userNodeUsage"
    where "userId" = (select "id" from "users" where "uuid" = ${userUuid}) and "day" >= ${start} and "day" <= ${end}
  `.execute(db)
  return rows
}

export function listNodeLabels(db: Db) {
  return db.selectFrom('nodes').select(['id', 'uuid', 'name', 'countryCode']).orderBy('viewPosition').orderBy('id').execute()
}

/** Bytes of users on these nodes: of each day together, and of the top users. */
export async function topUsersOfNodes(db: Db, nodeUuids: string[], { start, end }: Days, limit: number) {
  const moved = sql`
    from "userNodeUsage" usage
    where usage."nodeId" in (select "id" from "nodes" where "uuid" = any(${nodeUuids}::uuid[]))
      and usage."day" >= ${start} and usage."day" <= ${end}
  `
  const { rows: days } = await sql<{ day: string; bytes: number }>`
    select usage."day"::text as "day", sum(usage."uploadBytes" + usage."downloadBytes")::bigint as "bytes" ${moved} group by 1
  `.execute(db)
  const { rows: users } = await sql<{ username: string; total: number }>`
    select u."username", top."total" from (
      select usage."userId", sum(usage."uploadBytes" + usage."downloadBytes")::bigint as "total" ${moved}
      group by 1 order by 2 desc, 1 limit ${limit}
    ) top join "users" u on u."id" = top."userId" order by top."total" desc, u."id"
  `.execute(db)
  return { days, users }
}

/** Per node, what each user moved there, at least so much. */
export async function usersByNode(db: Db, nodeUuids: string[], { start, end }: Days, least: number) {
  const { rows } = await sql<{ uuid: string; users: { id: number; totalBytes: number }[] }>`
    select node."uuid", coalesce((
      select json_agg(json_build_object('id', "userId", 'totalBytes', "total") order by "total" desc, "userId") from (
        select usage."userId", sum(usage."uploadBytes" + usage."downloadBytes")::bigint as "total" from "userNodeUsage" usage
        where usage."nodeId" = node."id" and usage."day" >= ${start} and usage."day" <= ${end} group by 1
      ) moved where "total" >= ${least}), '[]'::json) as "users"
    from "nodes" node where node."uuid" = any(${nodeUuids}::uuid[]) order by node."viewPosition", node."id"
  `.execute(db)
  return rows
}

/** Nodes that a squad leads to. */
const NODES_OF = (squadUuid: string) => sql`(
  select active."nodeId" from "internalSquads" squad
  join "internalSquadInbounds" link on link."squadId" = squad."id"
  join "nodeInbounds" active on active."inboundId" = link."inboundId" where squad."uuid" = ${squadUuid})`

interface SquadPage {
  least: number
  after: number
  limit: number
}

/** Bytes of a squad's members on its nodes, by the number of the user; one more than the limit tells that there are more. */
export async function usageOfMembers(db: Db, squadUuid: string, { start, end }: Days, { least, after, limit }: SquadPage) {
  const { rows } = await sql<{ id: number; totalBytes: number }>`
    select member."userId" as "id", coalesce(sum(usage."uploadBytes" + usage."downloadBytes"), 0)::bigint as "totalBytes"
    from "internalSquads" squad join "internalSquadMembers" member on member."squadId" = squad."id"
    left join "userNodeUsage" usage on usage."userId" = member."userId" and usage."day" >= ${start} and usage."day" <= ${end}
      and usage."nodeId" in ${NODES_OF(squadUuid)}
    where squad."uuid" = ${squadUuid} and member."userId" > ${after}
    group by 1 having coalesce(sum(usage."uploadBytes" + usage."downloadBytes"), 0) >= ${least}
    order by 1 limit ${limit + 1}
  `.execute(db)
  return rows
}

/** Day by day, what a user moved on the nodes of a squad. */
export async function usageOfMember(db: Db, squadUuid: string, userUuid: string, { start, end }: Days) {
  const { rows } = await sql<{ date: string; nodes: { uuid: string; totalBytes: number }[] }>`
    select usage."day"::text as "date", json_agg(json_build_object(
      'uuid', node."uuid", 'totalBytes', usage."uploadBytes" + usage."downloadBytes") order by node."viewPosition", node."id") as "nodes"
    from "userNodeUsage" usage join "nodes" node on node."id" = usage."nodeId"
    where usage."userId" = (select "id" from "users" where "uuid" = ${userUuid})
      and usage."day" >= ${start} and usage."day" <= ${end} and usage."nodeId" in ${NODES_OF(squadUuid)}
    group by 1 order by 1
  `.execute(db)
  return rows
}
