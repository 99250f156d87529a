import { sql, type Kysely, type RawBuilder } from 'kysely'
import { builtOnce, written } from '../db/driver/built-once.ts'
import type { NodePart } from '@causeway/contract'
import type { Topic } from '../db/driver/bus.ts'
import type { Db, Tx } from '../db/driver/connect.ts'
import type { Tables } from '../db/tables.ts'

/** Above this many users a node is told to compare all its users instead of getting a task for each. */
export const MAX_SINGLE_DELIVERIES = 500

/** Topic on which a committed change wakes the servers that look after nodes; that of users by a trigger. */
const TOPIC: Topic = 'deliveries'

type Which = { nodeIds: number[] } | { profileIds: number[] } | 'all'

/**
 * Queues users (by name) for comparison with the nodes, as part of the change's transaction. The nodes concerned and
 * their wanted state are computed later, from the database as it is then.
 */
export async function queueForNodes(tx: Tx, usernames: string[]): Promise<void> {
  if (usernames.length === 0) return
  if (usernames.length > MAX_SINGLE_DELIVERIES) return queueAllForNodes(tx)
  await queue(tx, usernames)
}

const queue = builtOnce((tx, usernames: string[]) => written(tx, queueing(sql`select unnest(${usernames}::text[])`)))

/** The same as part of the statement that changes them; of few users. */
export function queueing(usernames: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`insert into "changedUsers" ("username") ${usernames}`
}

/** Changed users handed out at a time. */
const MAX_HANDED_OUT = 200

/**
 * Hands changed users to the nodes that they concern: nodes that should have one, that have one, or that are being
 * told of one. Nodes about to settle everything are included, since their snapshot may be older. Runs after the
 * commit of the change: a concurrent change of a node's inbounds is then either visible here, or sees the user when
 * it compares. Returns whether any node was concerned.
 */
export async function handOutChanges(db: Kysely<Tables>): Promise<boolean> {
  let isAny = false
  for (;;) {
    const { taken, queued } = await db.transaction().execute(async (tx) => {
      const names = await takeChangedUsers(tx)
      return { taken: names.length, queued: names.length === 0 ? 0 : await queueWhereConcerned(tx, [...new Set(names)]) }
    })
    isAny ||= queued > 0
    if (taken < MAX_HANDED_OUT) return isAny
  }
}

async function takeChangedUsers(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ username: string }>`
    delete from "changedUsers" where "id" in (
      select "id" from "changedUsers" order by "id" limit ${MAX_HANDED_OUT} for update skip locked
    ) returning "username"
  `.execute(tx)
  return rows.map(({ username }) => username)
}

/** Tasks are queued in the same order everywhere, so that two cannot lock each other out. Gives how many. */
async function queueWhereConcerned(tx: Tx, usernames: string[]): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    with "changed" as (
      select unnest(${usernames}::text[]) as "username"
    ), "concerned" as (
      select i."nodeId", u."username" from "users" u
      join "internalSquadMembers" m on m."userId" = u."id"
      join "internalSquadInbounds" si on si."squadId" = m."squadId"
      join "runInbounds" i on i."inboundId" = si."inboundId"
      where lower(u."username") = any(${usernames.map((name) => name.toLowerCase())}::text[])
        and u."username" = any(${usernames}::text[]) and u."status" = 'ACTIVE'
      union
      select a."nodeId", a."username" from "changed" c cross join "nodeStates" s
      join "acknowledgedUsers" a on a."nodeId" = s."nodeId" and a."username" = c."username" where a."tags" <> '{}'
      union
      select d."nodeId", d."username" from "changed" c cross join "nodeStates" s
      join "deliveries" d on d."nodeId" = s."nodeId" and d."username" = c."username"
      union
      select s."nodeId", c."username" from "changed" c cross join "nodeStates" s where s."isSettling"
    )
    insert into "deliveries" ("nodeId", "username")
    select n."id", c."username" from "concerned" c join "nodes" n on n."id" = c."nodeId" where not n."isDisabled"
    order by n."id", c."username"
    on conflict ("nodeId", "username") do update
      set "queuedAt" = now(), "attempts" = 0, "nextAttemptAt" = now(), "lastError" = null, "ticket" = "deliveries"."ticket" + 1
  `.execute(tx)
  return Number(numAffectedRows)
}

/** Says that users changed in bulk: every node (of these profiles) compares all its users with what it should have. */
export async function queueAllForNodes(tx: Tx, which: Which = 'all'): Promise<void> {
  await updateStates(tx, which, sql`"compareRequestedAt" = clock_timestamp()`)
}

/** Says that the configuration of these nodes changed: each is started anew, which restarts its core only where it differs. */
export async function requestStarts(tx: Tx, which: Which, options: { isForced?: boolean } = {}): Promise<void> {
  const forced = options.isForced ? sql`, "isRestartForced" = true` : sql``
  await updateStates(tx, which, sql`"startRequestedAt" = clock_timestamp(), "startsAsked" = s."startsAsked" + 1${forced}`)
}

/** Has the fleet put the part in force that this server carries, or with `isReturned` the one before it. */
export async function requestPart(tx: Tx, nodeIds: number[], part: NodePart, options: { isReturned: boolean }): Promise<void> {
  await updateStates(tx, { nodeIds }, sql`"partWanted" = ${part}, "isPartReturned" = ${options.isReturned}, "partError" = null`)
}

/** Has the fleet tell these agents what they filter. */
export async function requestFilters(tx: Tx, nodeIds: number[]): Promise<void> {
  await updateStates(tx, { nodeIds }, sql`"filtersRequestedAt" = clock_timestamp()`)
}

/**
 * Switches nodes off: delivery to them ends and their cores are stopped. The core of an agent that is away is stopped
 * as soon as it is back. States are locked before nodes, as everywhere.
 */
export async function disableNodes(tx: Tx, nodeIds: number[], options: { withoutProfile?: boolean } = {}): Promise<void> {
  if (nodeIds.length === 0) return
  await updateStates(
    tx,
    { nodeIds },
    sql`"stopRequestedAt" = clock_timestamp(), "startRequestedAt" = null, "compareRequestedAt" = null, "isRestartForced" = false,
      "isConnected" = false, "isConnecting" = false, "isNodeOnline" = false, "isXrayRunning" = false, "usersOnline" = 0, "xrayUptime" = '0',
      "lastStatusMessage" = null, "lastStatusChange" = clock_timestamp()`,
  )
  await tx
    .updateTable('nodes')
    .set({
      isDisabled: true,
      updatedAt: sql<Date>`now()`,
      ...(options.withoutProfile ? { activeConfigProfileId: null } : {}),
    })
    .where('id', 'in', nodeIds)
    .execute()
  await tx.deleteFrom('deliveries').where('nodeId', 'in', nodeIds).execute()
}

/** The notice is sent when the transaction commits, and only then. A server does not listen to its own: it names itself. */
export async function wakeDeliveries(db: Db, owner = ''): Promise<void> {
  await sql`select pg_notify(${TOPIC}, ${owner})`.execute(db)
}

/** Rows are locked in one order, so that two such changes wait for each other instead of failing. */
async function updateStates(tx: Tx, which: Which, assignment: ReturnType<typeof sql>): Promise<void> {
  const scope =
    which === 'all'
      ? sql`true`
      : 'nodeIds' in which
        ? sql`n."id" = any(${which.nodeIds}::bigint[])`
        : sql`n."activeConfigProfileId" = any(${which.profileIds}::bigint[])`
  await sql`
    with concerned as materialized (
      select s."nodeId" from "nodeStates" s join "nodes" n on n."id" = s."nodeId" where ${scope} order by s."nodeId" for update of s
    )
    update "nodeStates" s set "requestTicket" = s."requestTicket" + 1, ${assignment}
    from concerned where s."nodeId" = concerned."nodeId"
  `.execute(tx)
  await wakeDeliveries(tx)
}
