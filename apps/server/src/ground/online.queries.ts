import { sql } from 'kysely'
import { ONLINE_MS } from '@causeway/contract'
import type { Db } from '../db/driver/connect.ts'
import { DAY_MS } from '../lib/days.ts'
import { refreshed } from '../lib/recent.ts'

// The one meaning of "online" (docs/glossary.md): a user whose traffic was booked within the last minute, on the node that served
// it last. A user is online on one node at most, so that the nodes add up to the whole.

/** All polls, tabs and scrapes of a process share one count within this time. */
const ONLINE_LIFETIME_MS = 5000

/** Users seen after this instant are online. */
export function onlineSince(now: Date): Date {
  return new Date(now.getTime() - ONLINE_MS)
}

export interface OnlineCount {
  onlineNow: number
  lastDay: number
  lastWeek: number
  neverOnline: number
  totalTrafficBytes: number
  /** Users online by the uuid of their node. Nodes without any are missing. */
  onNodes: Record<string, number>
}

export type ReadOnline = () => Promise<OnlineCount>

/** Users online by node and by time, and the lifetime usage of all users, by one scan. */
export async function countOnline(db: Db, now: Date): Promise<OnlineCount> {
  const since = (ms: number) => new Date(now.getTime() - ms)
  const { rows } = await sql<OnlineCount>`
    select
      coalesce(sum(seen."now"), 0)::bigint as "onlineNow", coalesce(sum(seen."day"), 0)::bigint as "lastDay",
      coalesce(sum(seen."week"), 0)::bigint as "lastWeek", coalesce(sum(seen."never"), 0)::bigint as "neverOnline",
      coalesce(sum(seen."bytes"), 0)::bigint as "totalTrafficBytes",
      coalesce(json_object_agg(node."uuid", seen."now") filter (where node."uuid" is not null and seen."now" > 0), '{}') as "onNodes"
    from (
      select "lastConnectedNodeId" as "nodeId",
        count(*) filter (where "onlineAt" > ${onlineSince(now)}) as "now",
        count(*) filter (where "onlineAt" > ${since(DAY_MS)}) as "day",
        count(*) filter (where "onlineAt" > ${since(7 * DAY_MS)}) as "week",
        count(*) filter (where "onlineAt" is null) as "never",
        sum("lifetimeUsedTrafficBytes") as "bytes"
      from "userUsage" group by 1
    ) seen left join "nodes" node on node."id" = seen."nodeId"
  `.execute(db)
  return rows[0] ?? { onlineNow: 0, lastDay: 0, lastWeek: 0, neverOnline: 0, totalTrafficBytes: 0, onNodes: {} }
}

/** Counting reads every user, so a process keeps one count for everything that shows it. */
export function shareOnlineCount(db: Db, now: () => Date): ReadOnline {
  return refreshed(ONLINE_LIFETIME_MS, () => countOnline(db, now()))
}

/** The node with its users online. */
export function withOnline<One extends { uuid: string }>(node: One, { onNodes }: Pick<OnlineCount, 'onNodes'>) {
  return { ...node, usersOnline: onNodes[node.uuid] ?? 0 }
}
