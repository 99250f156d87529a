import { sql } from 'kysely'
import { builtOnce, written } from '../db/built-once.ts'
import type { Db, Tx } from '../db/connect.ts'

/** Above this many users a node is told to compare all its users instead of getting a task for each. */
const MAX_SINGLE_DELIVERIES = 500

/** Channel on which a committed change wakes the servers that look after nodes. */
export const DELIVERY_CHANNEL = 'deliveries'

type Which = { nodeIds: number[] } | { profileIds: number[] } | 'all'

/**
 * Says that these users (by name) may have to be added to, changed on or removed from nodes. Part of the change's own
 * transaction: what a node should have is worked out later, from what then stands in the database.
 */
export async function queueForNodes(tx: Tx, usernames: string[]): Promise<void> {
  if (usernames.length === 0) return
  if (usernames.length > MAX_SINGLE_DELIVERIES) return queueAllForNodes(tx)
  await queue(tx, usernames, DELIVERY_CHANNEL)
}

// The same order in every transaction, so that two changes of the same users cannot lock each other out.
const queue = builtOnce((tx, usernames: string[], channel: string) =>
  written(
    tx,
    sql`
    with "queued" as (
      insert into "deliveries" ("nodeId", "username")
      select n."id", u."username" from "nodes" n cross join unnest(${usernames}::text[]) as u("username")
      where not n."isDisabled"
      order by n."id", u."username"
      on conflict ("nodeId", "username") do update
        set "queuedAt" = now(), "attempts" = 0, "nextAttemptAt" = now(), "lastError" = null, "ticket" = "deliveries"."ticket" + 1
    )
    select pg_notify(${channel}, '')
  `,
  ),
)

/** Says that users changed in bulk: every node (of these profiles) compares all its users with what it should have. */
export async function queueAllForNodes(tx: Tx, which: Which = 'all'): Promise<void> {
  await updateStates(tx, which, sql`"compareRequestedAt" = clock_timestamp()`)
}

/** Says that the configuration of these nodes changed: each is started anew, which restarts its core only where it differs. */
export async function requestStarts(tx: Tx, which: Which, options: { isForced?: boolean } = {}): Promise<void> {
  const forced = options.isForced ? sql`, "isRestartForced" = true` : sql``
  await updateStates(tx, which, sql`"startRequestedAt" = clock_timestamp()${forced}`)
}

/**
 * Switches nodes off: nothing is delivered to them any more, and their cores are ended, those of agents that are away as
 * soon as they are back. States are locked before nodes, as everywhere.
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

/** The notification is sent when the transaction commits, and only then. */
export async function wakeDeliveries(db: Db): Promise<void> {
  await sql`select pg_notify(${DELIVERY_CHANNEL}, '')`.execute(db)
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
