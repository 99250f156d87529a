import { sql } from 'kysely'
import type { Db, Tx } from '../../db/driver/connect.ts'
import { Baselines, type MovedPart } from './baselines.rules.ts'
import { deltasOf, type Delta, type Ledger } from './ledger.rules.ts'

/** Ids of runs are kept this long after their last reading was booked, in case it comes again. */
const BOOKED_CORE_DAYS = 30
/** And no more of them than the newest: a core that is restarted every minute takes half a day for so many. */
export const MOST_BOOKED_CORES = 1000
/** No real configuration has more inbounds and outbounds. Bytes of a node that names more count all the same. */
const MOST_TAGS = 1000
const LONGEST_TAG = 1000

/** The ledger of a node. `forUpdate` locks the row, so that bookings of one node follow each other. */
export async function readLedger(db: Db, nodeId: number): Promise<Ledger | undefined> {
  const state = await readLedgerPosition(db, nodeId)
  if (!state) return undefined
  const parts = await db
    .selectFrom('counterBaselines')
    .select(['chunk', 'names', 'counted'])
    .where('nodeId', '=', nodeId)
    .execute()
  const cores = await db.selectFrom('bookedCores').select('coreId').where('nodeId', '=', nodeId).execute()
  return {
    sequence: state.sampleSequence,
    coreId: state.coreEpoch,
    baselines: Baselines.read(parts),
    bookedCores: new Set(cores.map((core) => core.coreId)),
  }
}

function readLedgerPosition(db: Db, nodeId: number) {
  return db.selectFrom('nodeStates').select(['sampleSequence', 'coreEpoch']).where('nodeId', '=', nodeId).executeTakeFirst()
}

export function lockLedgerPosition(tx: Tx, nodeId: number) {
  return tx
    .selectFrom('nodeStates')
    .select(['sampleSequence', 'coreEpoch', 'accountedThroughAt'])
    .where('nodeId', '=', nodeId)
    .forUpdate()
    .executeTakeFirst()
}

/** Keeps what the next reading is compared with: the parts that moved, or everything anew with another run of the core. */
export async function writeBaselines(tx: Tx, nodeId: number, parts: readonly MovedPart[], isNewRun: boolean): Promise<void> {
  const sent: Promise<unknown>[] = []
  if (isNewRun) {
    sent.push(tx.deleteFrom('counterBaselines').where('nodeId', '=', nodeId).execute())
    // Names that this node has nothing of any more mattered only while connections of the old run could still count.
    const isEmpty = sql<boolean>`"tags" = '{}'::text[]`
    sent.push(tx.deleteFrom('acknowledgedUsers').where('nodeId', '=', nodeId).where(isEmpty).execute())
  }
  const anew = parts.flatMap(({ chunk, names, counted }) => (names === undefined ? [] : { nodeId, chunk, names, counted }))
  const moved = parts.filter(({ names }) => names === undefined)
  if (anew.length > 0)
    sent.push(
      tx
        .insertInto('counterBaselines')
        .values(anew)
        .onConflict((conflict) =>
          conflict.columns(['nodeId', 'chunk']).doUpdateSet({ names: sql`excluded."names"`, counted: sql`excluded."counted"` }),
        )
        .execute(),
    )
  if (moved.length > 0) sent.push(moveBaselines(tx, nodeId, moved))
  await Promise.all(sent)
}

async function moveBaselines(tx: Tx, nodeId: number, parts: readonly MovedPart[]): Promise<void> {
  const rows = parts.map(({ chunk, counted }) => sql`(${chunk}::smallint, ${counted}::bytea)`)
  const { numAffectedRows } = await sql`
    update "counterBaselines" kept set "counted" = given."counted" from (values ${sql.join(rows)}) as given("chunk", "counted")
    where kept."nodeId" = ${nodeId} and kept."chunk" = given."chunk" and length(kept."counted") = length(given."counted")
  `.execute(tx)
  if (Number(numAffectedRows) !== parts.length) throw new Error(`The ledger of node ${nodeId} is not as it was left.`)
}

/**
 * The users behind names on a node: those that the node last acknowledged. A name never acknowledged, as when a
 * server died before it could record it, belongs to its present user (`isCertain` false). That user's squads must
 * lead to the node, or a delivery must be pending: a compromised node can charge no other user.
 */
export async function listOwners(db: Db, nodeId: number, names: readonly string[]) {
  if (names.length === 0) return []
  const { rows } = await sql<{ name: string; userId: number; isCertain: boolean }>`
    select g."name", coalesce(a."userId", u."id") as "userId", a."userId" is not null as "isCertain"
    from unnest(${names}::text[]) as g("name")
    left join "acknowledgedUsers" a on a."nodeId" = ${nodeId} and a."username" = g."name"
    left join "users" u on a."username" is null and lower(u."username") = lower(g."name") and u."username" = g."name" and (
      exists (select from "internalSquadMembers" m join "internalSquadInbounds" si on si."squadId" = m."squadId"
        join "runInbounds" i on i."inboundId" = si."inboundId" where m."userId" = u."id" and i."nodeId" = ${nodeId})
      or exists (select from "deliveries" d where d."nodeId" = ${nodeId} and d."username" = u."username"))
    where coalesce(a."userId", u."id") is not null
  `.execute(db)
  return rows
}

/** Books what the node itself transferred: the sum over its outbounds counts, tags are kept for the metrics. */
export async function chargeNode(
  tx: Tx,
  nodeId: number,
  deltas: readonly Delta[],
  { at, most }: { at: Date; most: number },
): Promise<void> {
  const sent: Promise<unknown>[] = []
  const outbounds = deltasOf(deltas, 'outbound')
  const upload = Math.min(
    outbounds.reduce((sum, { uplink }) => sum + uplink, 0),
    most,
  )
  const download = Math.min(
    outbounds.reduce((sum, { downlink }) => sum + downlink, 0),
    most,
  )
  if (upload + download > 0) {
    const quarter = sql`
      insert into "nodeUsageQuarters" ("nodeId", "quarter", "uploadBytes", "downloadBytes", "updatedAt")
      values (${nodeId}, date_bin('15 minutes', ${at}::timestamptz, 'epoch'), ${upload}, ${download}, ${at})
      on conflict ("nodeId", "quarter") do update set
        "uploadBytes" = "nodeUsageQuarters"."uploadBytes" + excluded."uploadBytes",
        "downloadBytes" = "nodeUsageQuarters"."downloadBytes" + excluded."downloadBytes", "updatedAt" = excluded."updatedAt"
    `
    const used = sql<number>`"trafficUsedBytes" + ${upload + download}`
    sent.push(quarter.execute(tx))
    sent.push(tx.updateTable('nodeStates').set({ trafficUsedBytes: used }).where('nodeId', '=', nodeId).execute())
  }
  const inbounds = deltasOf(deltas, 'inbound').map((tag) => ({ direction: 'inbound', ...tag }))
  const tags = [...inbounds, ...outbounds.map((tag) => ({ direction: 'outbound', ...tag }))]
    .filter(({ name }) => name.length <= LONGEST_TAG)
    .slice(0, MOST_TAGS)
  const metrics = sql`
    insert into "nodeTagUsage" ("nodeId", "direction", "tag", "uploadBytes", "downloadBytes")
    select ${nodeId}::bigint, given.* from unnest(${tags.map((tag) => tag.direction)}::text[], ${tags.map((tag) => tag.name)}::text[],
      ${tags.map((tag) => tag.uplink)}::bigint[], ${tags.map((tag) => tag.downlink)}::bigint[]) as given("direction", "tag")
    where (select count(*) from "nodeTagUsage" where "nodeId" = ${nodeId}) < ${MOST_TAGS}
      or exists (select from "nodeTagUsage" known
        where known."nodeId" = ${nodeId} and known."direction" = given."direction" and known."tag" = given."tag")
    on conflict ("nodeId", "direction", "tag") do update set
      "uploadBytes" = "nodeTagUsage"."uploadBytes" + excluded."uploadBytes",
      "downloadBytes" = "nodeTagUsage"."downloadBytes" + excluded."downloadBytes"
  `
  if (tags.length > 0) sent.push(metrics.execute(tx))
  await Promise.all(sent)
}

/** Remembers runs of the core whose last counters are booked, so that a repeated last reading adds nothing. */
export async function closeCores(tx: Tx, nodeId: number, coreIds: string[]): Promise<void> {
  if (coreIds.length === 0) return
  const rows = coreIds.map((coreId) => ({ nodeId, coreId }))
  const forgotten = sql`
    delete from "bookedCores" where "nodeId" = ${nodeId} and ("bookedAt" < now() - ${BOOKED_CORE_DAYS} * interval '1 day'
      or "bookedAt" < (select "bookedAt" from "bookedCores" where "nodeId" = ${nodeId} order by "bookedAt" desc
        offset ${MOST_BOOKED_CORES} limit 1))
  `
  await Promise.all([
    tx
      .insertInto('bookedCores')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
    forgotten.execute(tx),
  ])
}

export interface LedgerPosition {
  sampleSequence: number
  coreEpoch: string | null
  coreStartedAt: Date | null
  accountedThroughAt: Date
  usersOnline: number
  warning?: string
}

/** How long the most users online at a time are remembered, at least; a restart of the core hides them for a while. */
const PEAK_MINUTES = 5

export async function writeLedgerPosition(tx: Tx, nodeId: number, position: LedgerPosition): Promise<void> {
  const { accountedThroughAt: at, usersOnline } = position
  const isWithin = (minutes: number) =>
    sql`"usersPeakSince" between ${at}::timestamptz - ${minutes} * interval '1 minute' and ${at}::timestamptz`
  const peaks = {
    usersPeakSince: sql<Date>`case when ${isWithin(PEAK_MINUTES)} then "usersPeakSince" else ${at}::timestamptz end`,
    usersPeak: sql<number>`case when ${isWithin(PEAK_MINUTES)} then greatest("usersPeak", ${usersOnline}::integer)
      else ${usersOnline}::integer end`,
    usersPeakBefore: sql<number>`case when ${isWithin(PEAK_MINUTES)} then "usersPeakBefore"
      when ${isWithin(2 * PEAK_MINUTES)} then "usersPeak" else 0 end`,
  }
  await tx
    .updateTable('nodeStates')
    .set({ ...position, ...peaks })
    .where('nodeId', '=', nodeId)
    .execute()
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
