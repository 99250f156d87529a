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
}

/** Notes requests and forgets the oldest of those users beyond what is kept. Users that are gone meanwhile are passed over. */
export async function saveRequests(db: Db, requests: SubscriptionRequestNote[]): Promise<void> {
  const userIds = [...new Set(requests.map((request) => request.userId))]
  await sql`
    insert into "subscriptionRequests" ("userId", "requestIp", "userAgent", "requestAt")
    select u."id", request."address", request."userAgent", request."at"
    from unnest(
      ${requests.map((request) => request.userId)}::bigint[], ${requests.map((request) => request.address)}::text[],
      ${requests.map((request) => request.userAgent)}::text[], ${requests.map((request) => request.at.toISOString())}::timestamptz[]
    ) with ordinality as request("userId", "address", "userAgent", "at", "place")
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
    .select(['request.userId', sql<null>`null`.as('srrRuleName'), sql<string>`'UNKNOWN'`.as('srrResponseType')])
}

export type RequestColumn = 'id' | 'userUuid' | 'requestIp' | 'userAgent' | 'requestAt'

const COLUMNS: Record<RequestColumn, string> = {
  id: 'request.id',
  userUuid: 'user.uuid',
  requestIp: 'request.requestIp',
  userAgent: 'request.userAgent',
  requestAt: 'request.requestAt',
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
