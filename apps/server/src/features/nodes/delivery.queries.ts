import { sql } from 'kysely'
import type { Db, Tx } from '../../db/connect.ts'

/** Above this many users a node is told to compare all its users instead of getting a task for each. */
const MAX_SINGLE_DELIVERIES = 500

/** Channel on which a committed change wakes the servers that look after nodes. */
export const DELIVERY_CHANNEL = 'deliveries'

/**
 * Says that these users (by name) may have to be added to, changed on or removed from nodes. Part of the change's own
 * transaction: what a node should have is worked out later, from what then stands in the database.
 */
export async function queueForNodes(tx: Tx, usernames: string[]): Promise<void> {
  if (usernames.length === 0) return
  if (usernames.length > MAX_SINGLE_DELIVERIES) return queueAllForNodes(tx)
  await sql`
    insert into "deliveries" ("nodeId", "username")
    select n."id", u."username" from "nodes" n cross join unnest(${usernames}::text[]) as u("username")
    where not n."isDisabled"
    on conflict ("nodeId", "username") do update set "queuedAt" = now(), "attempts" = 0, "nextAttemptAt" = now(), "lastError" = null
  `.execute(tx)
  await wakeDeliveries(tx)
}

/** Says that users changed in bulk: the nodes (of these profiles) compare all their users with what they should have. */
export async function queueAllForNodes(tx: Tx, which: { profileIds: number[] } | 'all' = 'all'): Promise<void> {
  let update = tx.updateTable('nodeStates').set({ compareRequestedAt: sql<Date>`clock_timestamp()` })
  if (which !== 'all') {
    const { profileIds } = which
    if (profileIds.length === 0) return
    update = update.where('nodeId', 'in', (from) =>
      from.selectFrom('nodes').select('id').where('activeConfigProfileId', 'in', profileIds),
    )
  }
  await update.execute()
  await wakeDeliveries(tx)
}

/** Says that the configuration of these nodes changed: each is started anew, which restarts its core only where it differs. */
export async function requestStarts(
  tx: Tx,
  which: { nodeIds: number[] } | { profileIds: number[] } | 'all',
  options: { isForced?: boolean } = {},
): Promise<void> {
  let update = tx.updateTable('nodeStates').set({
    startRequestedAt: sql<Date>`clock_timestamp()`,
    ...(options.isForced ? { isRestartForced: true } : {}),
  })
  if (which !== 'all') {
    const isByNode = 'nodeIds' in which
    const ids = isByNode ? which.nodeIds : which.profileIds
    if (ids.length === 0) return
    update = update.where('nodeId', 'in', (from) =>
      from
        .selectFrom('nodes')
        .select('id')
        .where(isByNode ? 'id' : 'activeConfigProfileId', 'in', ids),
    )
  }
  await update.execute()
  await wakeDeliveries(tx)
}

/** The notification is sent when the transaction commits, and only then. */
export async function wakeDeliveries(db: Db): Promise<void> {
  await sql`select pg_notify(${DELIVERY_CHANNEL}, '')`.execute(db)
}
