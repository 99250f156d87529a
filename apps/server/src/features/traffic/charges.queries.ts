import { sql } from 'kysely'
import { bigints } from '../../db/driver/bigints.ts'
import type { Tx } from '../../db/driver/connect.ts'
import { openWays, PLANNED_ANEW } from '../../db/driver/planner.ts'
import { pipelined } from '../../db/driver/pipeline.ts'
import { lateSums } from './sums.queries.ts'

export interface UserCharge {
  userId: number
  uplink: number
  downlink: number
  /** Their bytes times the node's multiplier. */
  charged: number
}

interface ChargeDays {
  at: Date
  day: string
  today: string
}

/** From so many users on rows are read in the order of their index; for fewer, each is looked up. */
const MANY = 2000

/**
 * Gives those users that have now used up their limit. Users that exist no more are passed over. What was asked before
 * midnight may be booked after it, when `day` is over. Users are updated in the order of their ids, so that bookings of two
 * nodes cannot lock each other out.
 */
export async function chargeUsers(
  tx: Tx,
  nodeId: number,
  charges: readonly UserCharge[],
  days: ChargeDays,
  many = MANY,
): Promise<number[]> {
  if (charges.length === 0) return []
  const given = inOrder(charges)
  return given.users < many ? chargeFew(tx, nodeId, given, days) : chargeMany(tx, nodeId, given, days)
}

/** Columns of what is charged, one row per user. */
interface Given {
  users: number
  ids: Buffer
  uplinks: Buffer
  downlinks: Buffer
  charged: Buffer
}

/** Two names of one user are charged as one. */
function inOrder(charges: readonly UserCharge[]): Given {
  const rows: UserCharge[] = []
  for (const charge of charges.toSorted((one, other) => one.userId - other.userId)) {
    const last = rows.at(-1)
    if (last?.userId !== charge.userId) rows.push(charge)
    else
      rows[rows.length - 1] = {
        userId: last.userId,
        uplink: last.uplink + charge.uplink,
        downlink: last.downlink + charge.downlink,
        charged: last.charged + charge.charged,
      }
  }
  const column = (of: keyof UserCharge) => bigints(rows.map((row) => row[of]))
  return {
    users: rows.length,
    ids: column('userId'),
    uplinks: column('uplink'),
    downlinks: column('downlink'),
    charged: column('charged'),
  }
}

async function chargeFew(whole: Tx, nodeId: number, given: Given, days: ChargeDays): Promise<number[]> {
  const tx = await pipelined(whole)
  const [, { rows }] = await Promise.all([
    openWays(tx, { enable_hashjoin: false, enable_mergejoin: false }),
    sql<{ userId: number }>`
      with charged as (
        ${updateUsage(nodeId, given, days)}
        returning usage."userId", usage."usedTrafficBytes", given."uplink", given."downlink"
      ), kept as (
        insert into "userNodeUsage" ("day", "nodeId", "userId", "uploadBytes", "downloadBytes")
        select ${days.day}::date, ${nodeId}::bigint, "userId", "uplink", "downlink" from charged
        on conflict ("day", "nodeId", "userId") do update set ${ADDED}
      )
      ${EXCEEDED}
    `.execute(tx),
    openWays(tx, { enable_hashjoin: true, enable_mergejoin: true }),
  ])
  return rows.map((row) => row.userId)
}

/**
 * The days of most users exist already. One update costs half of an upsert, which looks up and locks each row first.
 * Only this node's bookings add such rows, one after the other, so their order is free.
 */
async function chargeMany(whole: Tx, nodeId: number, given: Given, days: ChargeDays): Promise<number[]> {
  const tx = await pipelined(whole)
  const [, { rows }, , { numAffectedRows }] = await Promise.all([
    openWays(tx, { enable_hashjoin: false, enable_seqscan: false }),
    sql<{ userId: number }>`${PLANNED_ANEW}
      with charged as (${updateUsage(nodeId, given, days)} returning usage."userId", usage."usedTrafficBytes") ${EXCEEDED}
    `.execute(tx),
    // Statistics of a day that has just begun say that it is empty; a plan by them would scan all users for each row.
    openWays(tx, { enable_nestloop: false }),
    sql`${PLANNED_ANEW}
      update "userNodeUsage" set
        "uploadBytes" = "userNodeUsage"."uploadBytes" + given."uplink",
        "downloadBytes" = "userNodeUsage"."downloadBytes" + given."downlink"
      from ${bytesOf(given)} where "day" = ${days.day}::date and "nodeId" = ${nodeId} and "userNodeUsage"."userId" = given."userId"
    `.execute(tx),
    openWays(tx, { enable_hashjoin: true, enable_seqscan: true }),
  ])
  await Promise.all([
    Number(numAffectedRows) < given.users ? beginDays(tx, nodeId, given, days.day) : undefined,
    openWays(tx, { enable_nestloop: true }),
  ])
  return rows.map((row) => row.userId)
}

/** Users with their first traffic of this day get their row. */
async function beginDays(tx: Tx, nodeId: number, given: Given, day: string): Promise<void> {
  await sql`${PLANNED_ANEW}
    insert into "userNodeUsage" ("day", "nodeId", "userId", "uploadBytes", "downloadBytes")
    select ${day}::date, ${nodeId}::bigint, "userId", "uplink", "downlink" from ${bytesOf(given)} join "userUsage" using ("userId")
    where not exists (select from "userNodeUsage" kept
      where kept."day" = ${day}::date and kept."nodeId" = ${nodeId} and kept."userId" = given."userId")
    on conflict ("day", "nodeId", "userId") do update set ${ADDED}
  `.execute(tx)
}

/** Given values are unpacked in the select list, not in `from`, where the database would materialise them. */
function updateUsage(nodeId: number, given: Given, { at, day, today }: ChargeDays) {
  const bytes = sql`(given."uplink" + given."downlink")`
  return sql`
    update "userUsage" usage set
      "usedTrafficBytes" = usage."usedTrafficBytes" + given."charged",
      "lifetimeUsedTrafficBytes" = usage."lifetimeUsedTrafficBytes" + given."charged",
      "onlineAt" = greatest(usage."onlineAt", ${at}::timestamptz),
      "firstConnectedAt" = coalesce(usage."firstConnectedAt", ${at}::timestamptz),
      "lastConnectedNodeId" = ${nodeId},
      "dayBytes" = case when usage."trafficDay" > ${day}::date then usage."dayBytes"
        when usage."trafficDay" = ${day}::date then usage."dayBytes" + ${bytes} else ${bytes} end,
      "trafficDay" = greatest(usage."trafficDay", ${day}::date)
      ${day < today ? lateSums(day, today, bytes) : sql``}
    from (select unnest(${given.ids}::bigint[]) as "userId", unnest(${given.uplinks}::bigint[]) as "uplink",
      unnest(${given.downlinks}::bigint[]) as "downlink", unnest(${given.charged}::bigint[]) as "charged") as given
    where usage."userId" = given."userId"`
}

function bytesOf(given: Given) {
  return sql`(select unnest(${given.ids}::bigint[]) as "userId", unnest(${given.uplinks}::bigint[]) as "uplink",
    unnest(${given.downlinks}::bigint[]) as "downlink") as given`
}

const ADDED = sql`
  "uploadBytes" = "userNodeUsage"."uploadBytes" + excluded."uploadBytes",
  "downloadBytes" = "userNodeUsage"."downloadBytes" + excluded."downloadBytes"`

const EXCEEDED = sql`
  select charged."userId" from charged join "users" u on u."id" = charged."userId"
  where u."status" = 'ACTIVE' and u."trafficLimitBytes" > 0 and charged."usedTrafficBytes" >= u."trafficLimitBytes"`
