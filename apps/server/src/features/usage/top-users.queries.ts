import { sql } from 'kysely'
import type { Db, Tx } from '../../db/driver/connect.ts'

// Top users of a node (docs/decisions/026). Finished days are computed once a day; later traffic is added at each
// read.

export interface Span {
  nodeId: number
  /** Days of UTC, YYYY-MM-DD, both included. */
  from: string
  to: string
}

/** Nodes whose users are not yet counted through this day. */
export async function listUncountedNodes(db: Db, through: string): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select "id" from "nodes" where not exists (
      select from "nodeUserCounts" counted where counted."nodeId" = "nodes"."id" and counted."countedThrough" >= ${through}::date
    ) order by "id"
  `.execute(db)
  return rows.map((row) => row.id)
}

/** Each user's traffic on the node in each of the periods that end with `to`, for later statements of the transaction. */
export async function gatherUserSums(tx: Tx, { nodeId, from, to }: Span, periods: readonly { days: number; from: string }[]) {
  const sums = periods.map(
    (period) =>
      sql`coalesce(sum("bytes") filter (where "day" >= ${period.from}::date), 0)::bigint as ${sql.ref(columnOf(period.days))}`,
  )
  await sql`
    create temporary table "userSums" on commit drop as
    select "userId", ${sql.join(sums)} from ${usageOf({ nodeId, from, to })} as usage group by "userId"
  `.execute(tx)
}

/** Stores the number of users with traffic in a period, and the top ones. */
export async function keepTopUsers(tx: Tx, nodeId: number, days: number, through: string, most: number): Promise<void> {
  const bytes = sql.ref(columnOf(days))
  await sql`delete from "nodeTopUsers" where "nodeId" = ${nodeId} and "days" = ${days}`.execute(tx)
  await sql`
    insert into "nodeTopUsers" ("nodeId", "days", "userId", "bytes")
    select ${nodeId}::bigint, ${days}::bigint, "userId", ${bytes} from "userSums" where ${bytes} > 0
    order by ${bytes} desc, "userId" limit ${most}
  `.execute(tx)
  await sql`
    insert into "nodeUserCounts" ("nodeId", "days", "countedThrough", "users")
    select ${nodeId}::bigint, ${days}::bigint, ${through}::date, count(*) from "userSums" where ${bytes} > 0
    on conflict ("nodeId", "days") do update set "countedThrough" = excluded."countedThrough", "users" = excluded."users"
  `.execute(tx)
}

/** Keeps what all users moved on each day, and how many they were; a day counted before is counted anew. */
export async function keepUserDays(tx: Tx, span: Span): Promise<void> {
  await sql`
    insert into "nodeUserDays" ("nodeId", "day", "users", "bytes")
    select ${span.nodeId}::bigint, "day", count(*), sum("bytes") from ${usageOf(span)} as usage where "bytes" > 0 group by "day"
    on conflict ("nodeId", "day") do update set "users" = excluded."users", "bytes" = excluded."bytes"
  `.execute(tx)
}

export async function findLastUserDay(db: Db, nodeId: number): Promise<string | undefined> {
  const { rows } = await sql<{ day: string | null }>`
    select max("countedThrough") as "day" from "nodeUserCounts" where "nodeId" = ${nodeId}
  `.execute(db)
  return rows[0]?.day ?? undefined
}

export async function deleteUserDaysBefore(db: Db, day: string): Promise<void> {
  await sql`delete from "nodeUserDays" where "day" < ${day}::date`.execute(db)
}

export function findUserCount(db: Db, nodeId: number, days: number) {
  return db
    .selectFrom('nodeUserCounts')
    .select(['countedThrough', 'users'])
    .where('nodeId', '=', nodeId)
    .where('days', '=', days)
    .executeTakeFirst()
}

/** The users kept for a period, the largest first. */
export async function listKeptTopUsers(db: Db, nodeId: number, days: number, most: number): Promise<number[]> {
  const rows = await db
    .selectFrom('nodeTopUsers')
    .select('userId')
    .where('nodeId', '=', nodeId)
    .where('days', '=', days)
    .orderBy('bytes', 'desc')
    .orderBy('userId')
    .limit(most)
    .execute()
  return rows.map((row) => row.userId)
}

interface AddedUp {
  /** Top users, the largest first. */
  top: number[]
  users: number
  days: { day: string; users: number; bytes: number }[]
}

/** Of days not computed yet: top users, number of users, and both by day. */
export function addUpUsers(db: Db, span: Span, most: number): Promise<AddedUp> {
  return span.from === span.to ? addUpDay(db, span, most) : addUpDays(db, span, most)
}

/** A hundred thousand rows while a reader waits: a user has one in a day, so that nothing needs to be grouped. */
async function addUpDay(db: Db, { nodeId, from: day }: Span, most: number): Promise<AddedUp> {
  const moved = sql`"userNodeUsage" where "day" = ${day}::date and "nodeId" = ${nodeId} and "uploadBytes" + "downloadBytes" > 0`
  const { rows } = await sql<{ top: number[]; users: number; bytes: number }>`
    select count(*) as "users", coalesce(sum(("uploadBytes" + "downloadBytes")::float8), 0) as "bytes",
      (select coalesce(json_agg("userId"), '[]') from (
        select "userId" from ${moved} order by "uploadBytes" + "downloadBytes" desc, "userId" limit ${most}
      ) largest) as "top"
    from ${moved}
  `.execute(db)
  const [found] = rows
  if (!found || found.users === 0) return { top: [], users: 0, days: [] }
  return { top: found.top, users: found.users, days: [{ day, users: found.users, bytes: found.bytes }] }
}

async function addUpDays(db: Db, span: Span, most: number): Promise<AddedUp> {
  const { rows } = await sql<AddedUp>`
    with "moved" as materialized (select * from ${usageOf(span)} as usage where "bytes" > 0),
    "sums" as (select "userId", sum("bytes") as "bytes" from "moved" group by "userId"),
    "top" as (select "userId", "bytes" from "sums" order by "bytes" desc, "userId" limit ${most}),
    "byDay" as (select "day", count(*) as "users", sum("bytes")::bigint as "bytes" from "moved" group by "day")
    select (select coalesce(json_agg("userId"), '[]') from "top") as "top", (select count(*) from "sums") as "users",
      (select coalesce(json_agg(json_build_object('day', "day", 'users', "users", 'bytes', "bytes")), '[]') from "byDay") as "days"
  `.execute(db)
  return rows[0] ?? { top: [], users: 0, days: [] }
}

export function listUserDays(db: Db, { nodeId, from, to }: Span) {
  return db
    .selectFrom('nodeUserDays')
    .select(['day', 'users', 'bytes'])
    .where('nodeId', '=', nodeId)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .execute()
}

/** Traffic of these users on the node, as bytes by day; deleted users are left out. */
export async function listUsersByDay(db: Db, { nodeId, from, to }: Span, userIds: readonly number[]) {
  if (userIds.length === 0) return []
  const { rows } = await sql<{ uuid: string; username: string; days: Record<string, number> }>`
    select u."uuid", u."username", moved."days" from unnest(${userIds}::bigint[]) as chosen("id")
    join "users" u on u."id" = chosen."id"
    cross join lateral (
      select json_object_agg(to_char(usage."day", 'YYYY-MM-DD'), usage."uploadBytes" + usage."downloadBytes") as "days"
      from "userNodeUsage" usage where usage."userId" = u."id" and usage."day" between ${from}::date and ${to}::date
        and usage."nodeId" = ${nodeId}
    ) moved where moved."days" is not null
  `.execute(db)
  return rows
}

/** Rows of one node, day by day: the key begins with the day. */
function usageOf({ nodeId, from, to }: Span) {
  return sql`(
    select usage."day", usage."userId", usage."uploadBytes" + usage."downloadBytes" as "bytes"
    from generate_series(${from}::date, ${to}::date, interval '1 day') as each("day")
    cross join lateral (
      select * from "userNodeUsage" one where one."day" = each."day"::date and one."nodeId" = ${nodeId}
    ) usage
  )`
}

function columnOf(days: number): string {
  return `over${days}`
}
