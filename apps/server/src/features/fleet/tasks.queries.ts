import { sql } from 'kysely'
import { builtOnce, builtOncePerShape } from '../../db/driver/built-once.ts'
import { configOfNode } from '../config-profiles/computed.queries.ts'
import type { Db, Tx } from '../../db/driver/connect.ts'
import { identityOf } from '../../ground/node-identity.queries.ts'
import type { ActiveInbound, AcknowledgedUser, WantedUser } from './delivery.rules.ts'

// Reads and writes of the fleet's workers.

const USERS_PAGE = 20_000
/** Single tasks worked on at a time, so that one call stays small. */
const DELIVERY_BATCH = 1_000

/**
 * When a task is tried again. No pause is as long as five minutes: what waits longer was postponed by a clock that has been set
 * back since.
 */
const DUE_AT = sql<Date>`case when d."nextAttemptAt" > now() + interval '5 minutes' then now() else d."nextAttemptAt" end`

/** A node as its owner needs it, with everything that is asked of it: read before and after whatever is done for it. */
export async function findNodeTask(db: Db, nodeId: number) {
  return (await nodeTask(db, nodeId))[0]
}

const nodeTask = builtOnce((db, nodeId: number) =>
  db
    .selectFrom('nodes')
    .innerJoin('nodeStates as state', 'state.nodeId', 'nodes.id')
    .select([
      'nodes.id',
      'nodes.uuid',
      'nodes.name',
      'nodes.address',
      'nodes.port',
      'nodes.isDisabled',
      'nodes.consumptionMultiplier',
      'nodes.activeConfigProfileId',
      'state.isConnected',
      'state.isConnecting',
      'state.isNodeOnline',
      'state.isXrayRunning',
      'state.lastStatusMessage',
      'state.startRequestedAt',
      'state.isRestartForced',
      'state.compareRequestedAt',
      'state.stopRequestedAt',
      'state.requestTicket',
      'state.runningConfigHash',
      'state.coreStartedAt',
      'state.accountedThroughAt',
      'state.warning',
      'state.certificateExpiresAt',
      'nodes.pluginId',
      'state.filtersRequestedAt',
      'state.filterProblem',
      'state.filtersAt',
      'state.partWanted',
      'state.isPartReturned',
      'state.partDigest',
    ])
    .select((row) => [
      identityOf('nodes.uuid').as('identity'),
      sql<string[] | null>`(select array_agg(c."fingerprint") from "nodeCertificates" c
        where c."nodeUuid" = nodes."uuid" and c."seenAt" is null and c."revokedAt" is null)`.as('unseenCertificates'),
      row
        .exists(
          row
            .selectFrom('nodeJoins')
            .select('nodeId')
            .whereRef('nodeJoins.nodeId', '=', 'nodes.id')
            .where('signedAt', 'is not', null)
            .where('servingAt', 'is', null),
        )
        .as('isJoining'),
      row
        .exists(row.selectFrom('nodeInbounds').select('inboundId').whereRef('nodeInbounds.nodeId', '=', 'nodes.id'))
        .as('hasInbounds'),
      sql<boolean>`coalesce((select p."config" #>> '{torrentBlocker,enabled}' = 'true' from "nodePlugins" p
        where p."id" = nodes."pluginId"), false)`.as('catchesTorrents'),
      sql<boolean>`coalesce((select p."config" #>> '{connectionDrop,enabled}' = 'true' from "nodePlugins" p
        where p."id" = nodes."pluginId"), false)`.as('dropsConnections'),
      // By the database's clock, which is the one that tasks are queued by.
      sql<number | null>`(select ceil(extract(epoch from min(${DUE_AT}) - now()) * 1000)::float8
        from "deliveries" d where d."nodeId" = nodes."id")`.as('deliveryDueInMs'),
    ])
    .where('nodes.id', '=', nodeId),
)
export type NodeTask = NonNullable<Awaited<ReturnType<typeof findNodeTask>>>

/** Of this server's nodes, those of which something is asked now. */
export async function listNodesWithWork(db: Db, owner: string): Promise<number[]> {
  const { rows } = await sql<{ nodeId: number }>`
    select s."nodeId" from "nodeStates" s
    join "nodeLeases" l on l."nodeId" = s."nodeId" and l."owner" = ${owner}
    join "nodes" n on n."id" = s."nodeId"
    where s."startRequestedAt" is not null or s."compareRequestedAt" is not null or s."stopRequestedAt" is not null or s."partWanted" is not null or (s."filtersRequestedAt" is not null and s."isConnected")
      or (n."isDisabled" and (s."isConnected" or s."isConnecting" or s."isNodeOnline"))
      or exists (select from "deliveries" d where d."nodeId" = s."nodeId" and ${DUE_AT} <= now())
  `.execute(db)
  return rows.map((row) => row.nodeId)
}

/** The configuration of the node's profile, or the one that it has before the others (docs/decisions/032), with its snippets. */
export async function findNodeConfig(db: Db, nodeId: number): Promise<unknown> {
  const { rows } = await sql<{ config: unknown }>`
    select coalesce(ahead."config", profile."config") as "config" from "nodes" node
    join "configProfiles" profile on profile."id" = node."activeConfigProfileId"
    left join "nodesAhead" ahead on ahead."nodeId" = node."id" where node."id" = ${nodeId}
  `.execute(db)
  return configOfNode(db, nodeId, rows[0]?.config)
}

export async function listActiveInbounds(db: Db, nodeId: number): Promise<ActiveInbound[]> {
  const { rows } = await sql<ActiveInbound>`
    select "tag", "type", "rawInbound" from "runInbounds" where "nodeId" = ${nodeId}
  `.execute(db)
  return rows
}

/** All wanted users of a node, page by page. */
export async function* pageWantedUsers(db: Db, nodeId: number): AsyncGenerator<WantedUser[]> {
  for (let after = 0; ;) {
    const page = await listWanted(db, nodeId, sql`u."id" > ${after}`, USERS_PAGE)
    if (page.length > 0) yield page
    const last = page.at(-1)
    if (!last || page.length < USERS_PAGE) return
    after = last.userId
  }
}

/** The wanted users of a node among these names. */
export function listWantedByName(db: Db, nodeId: number, usernames: string[]): Promise<WantedUser[]> {
  return listWanted(
    db,
    nodeId,
    sql`u."username" = any(${usernames}::text[])
    and lower(u."username") = any(${usernames.map((name) => name.toLowerCase())}::text[])`,
    usernames.length,
  )
}

async function listWanted(db: Db, nodeId: number, which: ReturnType<typeof sql>, limit: number): Promise<WantedUser[]> {
  const { rows } = await sql<WantedUser>`
    select u."id" as "userId", u."username", u."vlessUuid", u."trojanPassword", u."ssPassword", array_agg(distinct i."tag") as "tags"
    from "nodes" n
    join "runInbounds" i on i."nodeId" = n."id"
    join "internalSquadInbounds" si on si."inboundId" = i."inboundId"
    join "internalSquadMembers" m on m."squadId" = si."squadId"
    join "users" u on u."id" = m."userId"
    where n."id" = ${nodeId} and not n."isDisabled" and u."status" = 'ACTIVE' and ${which}
    group by u."id" order by u."id" limit ${limit}
  `.execute(db)
  return rows
}

/** Acknowledged state of a node by username; of these names or of all. */
export async function listAcknowledged(db: Db, nodeId: number, usernames?: string[]): Promise<Map<string, AcknowledgedUser>> {
  let query = db.selectFrom('acknowledgedUsers').select(['username', 'userId', 'vlessUuid', 'tags']).where('nodeId', '=', nodeId)
  if (usernames) query = query.where(sql<boolean>`"username" = any(${usernames}::text[])`)
  return new Map((await query.execute()).map((row) => [row.username, row]))
}

/** A task as it was seen, so that one queued again meanwhile is told apart. */
export interface SeenDelivery {
  username: string
  ticket: number
  attempts: number
}

/** The oldest tasks of a node that are due, as many as one call takes. */
export function listDueDeliveries(db: Db, nodeId: number): Promise<SeenDelivery[]> {
  return db
    .selectFrom('deliveries as d')
    .select(['username', 'ticket', 'attempts'])
    .where('nodeId', '=', nodeId)
    .where(DUE_AT, '<=', sql<Date>`now()`)
    .orderBy('queuedAt')
    .limit(DELIVERY_BATCH)
    .execute()
}

export function listAllDeliveries(db: Db, nodeId: number): Promise<SeenDelivery[]> {
  return db.selectFrom('deliveries').select(['username', 'ticket', 'attempts']).where('nodeId', '=', nodeId).execute()
}

/** Forgets tasks that are done, save those queued again since they were seen. */
export async function deleteDeliveries(tx: Tx, nodeId: number, seen: readonly SeenDelivery[]): Promise<void> {
  if (seen.length === 0) return
  await sql`
    delete from "deliveries" d using unnest(${seen.map((one) => one.username)}::text[], ${seen.map((one) => one.ticket)}::bigint[])
      as seen("username", "ticket")
    where d."nodeId" = ${nodeId} and d."username" = seen."username" and d."ticket" = seen."ticket"
  `.execute(tx)
}

/** The tasks failed and are due again after a pause. */
export async function postponeDeliveries(
  tx: Tx,
  nodeId: number,
  failed: readonly (SeenDelivery & { error: string; pauseMs: number })[],
): Promise<void> {
  if (failed.length === 0) return
  await sql`
    update "deliveries" d set "attempts" = d."attempts" + 1, "lastError" = failed."error",
      "nextAttemptAt" = now() + failed."pauseMs" * interval '1 millisecond'
    from unnest(${failed.map((one) => one.username)}::text[], ${failed.map((one) => one.ticket)}::bigint[],
      ${failed.map((one) => one.error)}::text[], ${failed.map((one) => one.pauseMs)}::int[]) as failed("username", "ticket", "error", "pauseMs")
    where d."nodeId" = ${nodeId} and d."username" = failed."username" and d."ticket" = failed."ticket"
  `.execute(tx)
}

/** Remembers what the node acknowledged of these names. */
export async function putAcknowledged(tx: Tx, nodeId: number, users: readonly AcknowledgedUser[]): Promise<void> {
  if (users.length === 0) return
  await sql`
    insert into "acknowledgedUsers" ("nodeId", "username", "userId", "vlessUuid", "tags")
    select ${nodeId}::bigint, g."username", g."userId", g."vlessUuid", string_to_array(nullif(g."tags", ''), ',')
    from unnest(${users.map((user) => user.username)}::text[], ${users.map((user) => user.userId)}::bigint[],
      ${users.map((user) => user.vlessUuid)}::uuid[], ${users.map((user) => user.tags.toSorted().join(','))}::text[])
      as g("username", "userId", "vlessUuid", "tags") where g."tags" <> ''
    on conflict ("nodeId", "username") do update
      set "userId" = excluded."userId", "vlessUuid" = excluded."vlessUuid", "tags" = excluded."tags"
      where ("acknowledgedUsers"."userId", "acknowledgedUsers"."vlessUuid", "acknowledgedUsers"."tags")
        is distinct from (excluded."userId", excluded."vlessUuid", excluded."tags")
  `.execute(tx)
}

/** The node has nothing of these names any more. The rows stay, as open connections may still count for their users. */
export async function emptyAcknowledged(tx: Tx, nodeId: number, usernames: readonly string[]): Promise<void> {
  if (usernames.length === 0) return
  await sql`update "acknowledgedUsers" set "tags" = '{}' where "nodeId" = ${nodeId} and "username" = any(${usernames}::text[])`.execute(
    tx,
  )
}

/** The node has exactly these users. */
export async function replaceAcknowledged(tx: Tx, nodeId: number, users: readonly AcknowledgedUser[]): Promise<void> {
  await putAcknowledged(tx, nodeId, users)
  await sql`
    update "acknowledgedUsers" a set "tags" = '{}' where a."nodeId" = ${nodeId} and a."tags" <> '{}'
      and not exists (select from unnest(${users.map((user) => user.username)}::text[]) as kept("username") where kept."username" = a."username")
  `.execute(tx)
}

/** From now on the traffic of these names is charged to other users; what was counted before is booked. */
export async function handOver(tx: Tx, nodeId: number, users: readonly { username: string; userId: number }[]): Promise<void> {
  await sql`
    update "acknowledgedUsers" a set "userId" = given."userId"
    from unnest(${users.map((user) => user.username)}::text[], ${users.map((user) => user.userId)}::bigint[]) as given("username", "userId")
    where a."nodeId" = ${nodeId} and a."username" = given."username"
  `.execute(tx)
}

interface StatePatch {
  isConnected?: boolean
  isConnecting?: boolean
  isNodeOnline?: boolean
  isXrayRunning?: boolean
  lastStatusMessage?: string | null
  lastStatusChange?: Date
  xrayVersion?: string | null
  nodeVersion?: string | null
  xrayUptime?: string
  usersOnline?: number
  cpuCount?: number
  cpuModel?: string
  totalRam?: string
  runningConfigHash?: string | null
  closedPorts?: number[]
  warning?: string | null
  compareRequestedAt?: Date
  certificateExpiresAt?: Date
  testsConfig?: boolean
  isUpdatable?: boolean
  geoVersion?: string | null
  isSettling?: boolean
}

export async function patchState(tx: Tx, nodeId: number, patch: StatePatch): Promise<void> {
  await updateState(tx, patch, nodeId)
}

const updateState = builtOncePerShape((tx, patch: StatePatch, nodeId: number) =>
  tx.updateTable('nodeStates').set(patch).where('nodeId', '=', nodeId),
)

/** Notes what came of a part that was asked for, unless something else has been asked for since it was read. */
export async function notePart(
  tx: Tx,
  { id, partWanted, isPartReturned }: Pick<NodeTask, 'id' | 'partWanted' | 'isPartReturned'>,
  outcome: { partDigest: string | null; partError: string | null },
): Promise<void> {
  await tx
    .updateTable('nodeStates')
    .set({ partWanted: null, ...outcome })
    .where('nodeId', '=', id)
    .where('partWanted', '=', partWanted)
    .where('isPartReturned', '=', isPartReturned)
    .execute()
}

/** Notes what an agent was told to filter, unless something else has been asked for since. */
export async function noteFilters(
  tx: Tx,
  { id, filtersRequestedAt }: Pick<NodeTask, 'id' | 'filtersRequestedAt'>,
  outcome: { filtersAt: Date | null; filterProblem: string | null },
): Promise<void> {
  await tx
    .updateTable('nodeStates')
    .set({
      ...outcome,
      filtersRequestedAt: sql`case when "filtersRequestedAt" is not distinct from ${filtersRequestedAt} then null else "filtersRequestedAt" end`,
    })
    .where('nodeId', '=', id)
    .execute()
}

/** Clears what was asked for, unless something has been asked for since it was read. */
export async function clearRequests(
  tx: Tx,
  node: Pick<NodeTask, 'id' | 'requestTicket'>,
  what: 'compare' | 'start' | 'stop',
): Promise<void> {
  const cleared = {
    compare: { compareRequestedAt: null },
    start: { startRequestedAt: null, isRestartForced: false, compareRequestedAt: null },
    stop: { stopRequestedAt: null },
  }[what]
  await tx
    .updateTable('nodeStates')
    .set(cleared)
    .where('nodeId', '=', node.id)
    .where('requestTicket', '=', node.requestTicket)
    .execute()
}
