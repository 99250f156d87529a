import type { NodePart } from '@causeway/contract'
import { sql } from 'kysely'
import type { Db } from '../../db/driver/connect.ts'

const NAMED_PROBLEMS = 3

/** Finds deliveries to a node as a whole, with the signs of obstacles. */
export function findRequests(db: Db, nodeUuid: string) {
  return db
    .selectFrom('nodes')
    .innerJoin('nodeStates as state', 'state.nodeId', 'nodes.id')
    .select(['nodes.id', 'nodes.isDisabled', 'state.isNodeOnline', 'state.isXrayRunning', 'state.isConnecting'])
    .select(['state.startRequestedAt', 'state.stopRequestedAt', 'state.compareRequestedAt', 'state.filtersRequestedAt'])
    .select('state.filterProblem')
    .select(sql<NodePart | null>`state."partWanted"`.as('part'))
    .where('nodes.uuid', '=', nodeUuid)
    .executeTakeFirst()
}

interface WaitingUsers {
  added: number
  removed: number
  changed: number
  since: Date | null
  nextAttemptAt: Date | null
  problems: { text: string; count: number }[]
}

/** Users that a node is to be told of one by one. Those of whom it has what it should are compared, and told of nothing. */
export async function countWaitingUsers(db: Db, nodeId: number): Promise<WaitingUsers> {
  const { rows } = await sql<WaitingUsers>`
    with "waiting" as (
      select d."queuedAt", d."nextAttemptAt", d."attempts", d."lastError",
        exists (select from "users" u join "internalSquadMembers" m on m."userId" = u."id"
          join "internalSquadInbounds" si on si."squadId" = m."squadId"
          join "runInbounds" i on i."inboundId" = si."inboundId" and i."nodeId" = d."nodeId"
          where lower(u."username") = lower(d."username") and u."username" = d."username" and u."status" = 'ACTIVE') as "isWanted",
        exists (select from "acknowledgedUsers" a
          where a."nodeId" = d."nodeId" and a."username" = d."username" and a."tags" <> '{}') as "isKnown"
      from "deliveries" d where d."nodeId" = ${nodeId}
    )
    select count(*) filter (where "isWanted" and not "isKnown")::int as "added",
      count(*) filter (where "isKnown" and not "isWanted")::int as "removed",
      count(*) filter (where "isKnown" and "isWanted")::int as "changed",
      min("queuedAt") filter (where "isKnown" or "isWanted") as "since",
      min("nextAttemptAt") filter (where "attempts" > 0) as "nextAttemptAt",
      coalesce((select json_agg(json_build_object('text', "lastError", 'count', "count") order by "count" desc, "lastError") from (
        select "lastError", count(*)::int as "count" from "waiting" where "lastError" is not null
        group by 1 order by 2 desc, 1 limit ${NAMED_PROBLEMS}) named), '[]'::json) as "problems"
    from "waiting"
  `.execute(db)
  return rows[0] ?? { added: 0, removed: 0, changed: 0, since: null, nextAttemptAt: null, problems: [] }
}
