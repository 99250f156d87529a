import { sql } from 'kysely'
import { KEPT_REQUESTS } from '@causeway/contract'
import type { Db } from '../../db/driver/connect.ts'
import { tableCondition, tableOrder } from '../search/table-view.queries.ts'
import type { TableView } from '../search/table-view.rules.ts'

export interface SubscriptionRequestNote {
  userId: number
  at: Date
  address: string | null
  userAgent: string
  ruleName: string | null
  responseType: string
}

/** Notes requests and forgets the oldest of those users beyond what is kept. Users that are gone meanwhile are passed over. */
export async function saveRequests(db: Db, requests: SubscriptionRequestNote[]): Promise<void> {
  const userIds = [...new Set(requests.map((request) => request.userId))]
  await sql`
    insert into "subscriptionRequests" ("userId", "requestIp", "userAgent", "requestAt", "ruleName", "responseType")
    select u."id", request."address", request."userAgent", request."at", request."ruleName", request."responseType"
    from unnest(
      ${requests.map((request) => request.userId)}::bigint[], ${requests.map((request) => request.address)}::text[],
      ${requests.map((request) => request.userAgent)}::text[], ${requests.map((request) => request.at.toISOString())}::timestamptz[],
      ${requests.map((request) => request.ruleName)}::text[], ${requests.map((request) => request.responseType)}::text[]
    ) with ordinality as request("userId", "address", "userAgent", "at", "ruleName", "responseType", "place")
    join "users" u on u."id" = request."userId"
    order by request."place"
  `.execute(db)
  // Rows that another server is deleting at the same time are left to it: both would wait for each other.
  await sql`
    with "old" as (
      select "id" from "subscriptionRequests" where "id" in (
        select old."id" from unnest(${userIds}::bigint[]) as wanted("userId")
        cross join lateral (
          select "id" from "subscriptionRequests" r where r."userId" = wanted."userId" order by "id" desc offset ${KEPT_REQUESTS}
        ) as old
      ) for update skip locked
    )
    delete from "subscriptionRequests" request using "old" where request."id" = "old"."id"
  `.execute(db)
}

function requests(db: Db) {
  return db
    .selectFrom('subscriptionRequests as request')
    .innerJoin('users as user', 'user.id', 'request.userId')
    .select(['request.id', 'user.uuid as userUuid', 'request.requestIp', 'request.userAgent', 'request.requestAt'])
    .select(['request.userId', 'request.ruleName as srrRuleName', 'request.responseType as srrResponseType'])
}

export type RequestColumn = 'id' | 'userUuid' | 'requestIp' | 'userAgent' | 'requestAt' | 'srrRuleName' | 'srrResponseType'

const COLUMNS: Record<RequestColumn, string> = {
  id: 'request.id',
  userUuid: 'user.uuid',
  requestIp: 'request.requestIp',
  userAgent: 'request.userAgent',
  requestAt: 'request.requestAt',
  srrRuleName: 'request.ruleName',
  srrResponseType: 'request.responseType',
}

/** Newest first where no order is asked for. */
export async function listRequests(db: Db, { start, size, filters, sorting }: TableView<RequestColumn>) {
  const condition = tableCondition(filters, COLUMNS)
  const records = await requests(db)
    .where(condition)
    .orderBy(tableOrder(sorting, COLUMNS, sql`request."id" desc`))
    .offset(start)
    .limit(size)
    .execute()
  const { total } = await db
    .selectFrom('subscriptionRequests as request')
    .innerJoin('users as user', 'user.id', 'request.userId')
    .where(condition)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { total, records }
}

/** The kept requests of a user, newest first. */
export async function listRequestsOfUser(db: Db, userUuid: string) {
  const records = await requests(db).where('user.uuid', '=', userUuid).orderBy('request.id', 'desc').execute()
  return { total: records.length, records }
}

export async function countRequestsByApp(db: Db) {
  const { rows } = await sql<{ app: string; count: number }>`
    select split_part(coalesce("userAgent", ''), '/', 1) as "app", count(*) as "count" from "subscriptionRequests"
    group by 1 order by 2 desc, 1 limit 100
  `.execute(db)
  return rows.map(({ app, count }) => ({ app: app || 'Unknown', count }))
}

/** Requests of each hour since `since`; hours without any are left out. */
export async function countRequestsByHour(db: Db, since: Date) {
  const { rows } = await sql<{ dateTime: Date; requestCount: number }>`
    select date_trunc('hour', "requestAt") as "dateTime", count(*) as "requestCount" from "subscriptionRequests"
    where "requestAt" >= ${since} group by 1 order by 1
  `.execute(db)
  return rows
}

export interface RequestedApp {
  userAgent: string
  users: number
}

/** User agents of the kept requests, those of most users first. */
export async function listRequestedApps(db: Db, limit: number): Promise<RequestedApp[]> {
  const { rows } = await sql<RequestedApp>`
    select "userAgent", count(distinct "userId") as "users" from "subscriptionRequests"
    where "userAgent" is not null and "userAgent" <> '' group by 1 order by 2 desc, 1 limit ${limit}
  `.execute(db)
  return rows
}

/** How many users have fetched their subscription by one of these apps, by the kept requests. */
export async function countUsersOfApps(db: Db, userAgents: string[]): Promise<number> {
  if (userAgents.length === 0) return 0
  const { rows } = await sql<{ users: number }>`
    select count(distinct "userId") as "users" from "subscriptionRequests" where "userAgent" = any(${userAgents}::text[])
  `.execute(db)
  return rows[0]?.users ?? 0
}
