import { sql } from 'kysely'
import type { Db, Tx } from '../../db/connect.ts'
import { deltasOf, type Booking, type Ledger } from './ledger.rules.ts'

/** Ids of runs are kept this long after their last reading was booked, in case it comes again. */
const BOOKED_CORE_DAYS = 30

/** What is booked of a node. `forUpdate` holds the row, so that bookings of one node follow each other. */
export async function readLedger(db: Db, nodeId: number): Promise<Ledger | undefined> {
  const state = await readLedgerPosition(db, nodeId)
  if (!state) return undefined
  const rows = await db
    .selectFrom('counterBaselines')
    .select(['counter', 'uplinkBytes', 'downlinkBytes'])
    .where('nodeId', '=', nodeId)
    .execute()
  const cores = await db.selectFrom('bookedCores').select('coreId').where('nodeId', '=', nodeId).execute()
  return {
    sequence: state.sampleSequence,
    coreId: state.coreEpoch,
    baselines: new Map(rows.map((row) => [row.counter, { uplink: row.uplinkBytes, downlink: row.downlinkBytes }])),
    bookedCores: new Set(cores.map((core) => core.coreId)),
  }
}

export function readLedgerPosition(db: Db, nodeId: number) {
  return db.selectFrom('nodeStates').select(['sampleSequence', 'coreEpoch']).where('nodeId', '=', nodeId).executeTakeFirst()
}

export function lockLedgerPosition(tx: Tx, nodeId: number) {
  return tx
    .selectFrom('nodeStates')
    .select(['sampleSequence', 'coreEpoch'])
    .where('nodeId', '=', nodeId)
    .forUpdate()
    .executeTakeFirst()
}

export async function writeBaselines(tx: Tx, nodeId: number, booking: Booking): Promise<void> {
  const { changed, removed, isNewRun } = booking
  if (isNewRun) {
    await tx.deleteFrom('counterBaselines').where('nodeId', '=', nodeId).execute()
    // Names that this node has nothing of any more mattered only while connections of the old run could still count.
    await tx
      .deleteFrom('acknowledgedUsers')
      .where('nodeId', '=', nodeId)
      .where('tags', '=', sql<string[]>`'{}'::text[]`)
      .execute()
  }
  if (removed.length > 0) {
    await sql`delete from "counterBaselines" where "nodeId" = ${nodeId} and "counter" = any(${removed}::text[])`.execute(tx)
  }
  if (changed.size === 0) return
  const values = [...changed.values()]
  await sql`
    insert into "counterBaselines" ("nodeId", "counter", "uplinkBytes", "downlinkBytes")
    select ${nodeId}::bigint, * from unnest(${[...changed.keys()]}::text[], ${values.map((value) => value.uplink)}::bigint[],
      ${values.map((value) => value.downlink)}::bigint[])
    on conflict ("nodeId", "counter") do update set "uplinkBytes" = excluded."uplinkBytes", "downlinkBytes" = excluded."downlinkBytes"
  `.execute(tx)
}

/** Ids of users that were charged. `charged` are their bytes times the node's multiplier. */
export async function chargeUsers(
  tx: Tx,
  nodeId: number,
  traffic: { name: string; uplink: number; downlink: number; charged: number }[],
  at: Date,
): Promise<number[]> {
  if (traffic.length === 0) return []
  // Whom a name belongs to is what the node last acknowledged; a name that it never acknowledged is the user's who has it.
  // Users are locked in one order, so that bookings of two nodes cannot lock each other out.
  const { rows } = await sql<{ userId: number }>`
    with given as (
      select * from unnest(${traffic.map((one) => one.name)}::text[], ${traffic.map((one) => one.uplink)}::bigint[],
        ${traffic.map((one) => one.downlink)}::bigint[], ${traffic.map((one) => one.charged)}::bigint[])
        as g("name", "uplink", "downlink", "charged")
    ), owned as (
      select coalesce(a."userId", (
          select u."id" from "users" u where lower(u."username") = lower(g."name") and u."username" = g."name")) as "userId",
        sum(g."uplink")::bigint as "uplink", sum(g."downlink")::bigint as "downlink", sum(g."charged")::bigint as "charged"
      from given g left join "acknowledgedUsers" a on a."nodeId" = ${nodeId} and a."username" = g."name"
      group by 1
    ), held as materialized (
      select usage."userId", owned."uplink", owned."downlink", owned."charged"
      from owned join "userUsage" usage on usage."userId" = owned."userId"
      order by usage."userId" for no key update of usage
    ), charged as (
      update "userUsage" usage set
        "usedTrafficBytes" = usage."usedTrafficBytes" + held."charged",
        "lifetimeUsedTrafficBytes" = usage."lifetimeUsedTrafficBytes" + held."charged",
        "onlineAt" = greatest(usage."onlineAt", ${at}::timestamptz),
        "firstConnectedAt" = coalesce(usage."firstConnectedAt", ${at}::timestamptz),
        "lastConnectedNodeId" = ${nodeId}
      from held where usage."userId" = held."userId"
      returning usage."userId", held."uplink", held."downlink"
    )
    insert into "userNodeUsage" ("day", "nodeId", "userId", "uploadBytes", "downloadBytes")
    select ${at.toISOString().slice(0, 10)}::date, ${nodeId}::bigint, "userId", "uplink", "downlink" from charged
    on conflict ("day", "nodeId", "userId") do update set
      "uploadBytes" = "userNodeUsage"."uploadBytes" + excluded."uploadBytes",
      "downloadBytes" = "userNodeUsage"."downloadBytes" + excluded."downloadBytes"
    returning "userId"
  `.execute(tx)
  return rows.map((row) => row.userId)
}

/** Books what the node itself transferred: the sum over its outbounds counts, tags are kept for the metrics. */
export async function chargeNode(tx: Tx, nodeId: number, booking: Booking, at: Date): Promise<void> {
  const outbounds = deltasOf(booking.deltas, 'outbound')
  const upload = outbounds.reduce((sum, { uplink }) => sum + uplink, 0)
  const download = outbounds.reduce((sum, { downlink }) => sum + downlink, 0)
  if (upload + download > 0) {
    await sql`
      insert into "nodeUsageHours" ("nodeId", "hour", "uploadBytes", "downloadBytes", "updatedAt")
      values (${nodeId}, date_trunc('hour', ${at}::timestamptz), ${upload}, ${download}, ${at})
      on conflict ("nodeId", "hour") do update set
        "uploadBytes" = "nodeUsageHours"."uploadBytes" + excluded."uploadBytes",
        "downloadBytes" = "nodeUsageHours"."downloadBytes" + excluded."downloadBytes", "updatedAt" = excluded."updatedAt"
    `.execute(tx)
    await tx
      .updateTable('nodeStates')
      .set({ trafficUsedBytes: sql<number>`"trafficUsedBytes" + ${upload + download}` })
      .where('nodeId', '=', nodeId)
      .execute()
  }
  const inbounds = deltasOf(booking.deltas, 'inbound').map((tag) => ({ direction: 'inbound', ...tag }))
  const tags = [...inbounds, ...outbounds.map((tag) => ({ direction: 'outbound', ...tag }))]
  if (tags.length === 0) return
  await sql`
    insert into "nodeTagUsage" ("nodeId", "direction", "tag", "uploadBytes", "downloadBytes")
    select ${nodeId}::bigint, * from unnest(${tags.map((tag) => tag.direction)}::text[], ${tags.map((tag) => tag.name)}::text[],
      ${tags.map((tag) => tag.uplink)}::bigint[], ${tags.map((tag) => tag.downlink)}::bigint[])
    on conflict ("nodeId", "direction", "tag") do update set
      "uploadBytes" = "nodeTagUsage"."uploadBytes" + excluded."uploadBytes",
      "downloadBytes" = "nodeTagUsage"."downloadBytes" + excluded."downloadBytes"
  `.execute(tx)
}

export async function closeCores(tx: Tx, nodeId: number, coreIds: string[]): Promise<void> {
  if (coreIds.length === 0) return
  await tx
    .insertInto('bookedCores')
    .values(coreIds.map((coreId) => ({ nodeId, coreId })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await sql`
    delete from "bookedCores" where "nodeId" = ${nodeId} and "bookedAt" < now() - ${BOOKED_CORE_DAYS} * interval '1 day'
  `.execute(tx)
}

export interface LedgerPosition {
  sampleSequence: number
  coreEpoch: string | null
  coreStartedAt: Date | null
  accountedThroughAt: Date
  usersOnline: number
  warning?: string
}

export async function writeLedgerPosition(tx: Tx, nodeId: number, position: LedgerPosition): Promise<void> {
  await tx.updateTable('nodeStates').set(position).where('nodeId', '=', nodeId).execute()
}

/** Of these users, the ACTIVE ones that have used up their limit become LIMITED. Gives their names. */
export async function limitExceeded(tx: Tx, userIds: number[], at: Date): Promise<string[]> {
  if (userIds.length === 0) return []
  const { rows } = await sql<{ username: string }>`
    with exceeded as materialized (
      select u."id" from "users" u join "userUsage" usage on usage."userId" = u."id"
      where u."id" = any(${userIds}::bigint[]) and u."status" = 'ACTIVE' and u."trafficLimitBytes" > 0
        and usage."usedTrafficBytes" >= u."trafficLimitBytes"
      order by u."id" for no key update of u
    )
    update "users" u set "status" = 'LIMITED', "updatedAt" = ${at} from exceeded where u."id" = exceeded."id" returning u."username"
  `.execute(tx)
  return rows.map((row) => row.username)
}
