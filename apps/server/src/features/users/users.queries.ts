import { userFields, type TrafficPeriod, type UserStatus } from '@causeway/contract'
import { sql, type Compilable, type Insertable, type RawBuilder, type Updateable } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { everyone, type Scope } from '../../lib/scope.ts'
import type { Row } from '../../db/audited-rows.ts'
import { builtOnce, builtOnceFor, builtOncePerShape, written } from '../../db/driver/built-once.ts'
import type { Db, Tx } from '../../db/driver/connect.ts'
import type { Tables } from '../../db/tables.ts'
import { recording, recordingChange, type Author, type OwnRecord } from '../audit/recording.queries.ts'
import { isVisible } from '../../ground/scope/scope.queries.ts'
import { queueing } from '../../ground/delivery.queries.ts'
import { hasTrafficOrder, listTopInOrder, type OrderedUsage } from '../traffic/order.queries.ts'
import { listTopIds } from '../traffic/sums.queries.ts'

/** Editable columns, named as in the contract. */
const EDITED = userFields.keyof().options.map((name) => `user.${name}` as const)

/** Users as stored, with all that the wire tells of them, except links. */
function users(db: Db) {
  return db
    .selectFrom('users as user')
    .innerJoin('userUsage as usage', 'usage.userId', 'user.id')
    .leftJoin('userAccesses as access', 'access.userId', 'user.id')
    .leftJoin('nodes as node', 'node.id', 'usage.lastConnectedNodeId')
    .select([
      'user.id',
      'user.uuid',
      'user.shortUuid',
      'user.username',
      'user.status',
      'user.extraTrafficBytes',
      'user.trojanPassword',
      'user.vlessUuid',
      'user.ssPassword',
      'user.subRevokedAt',
      'user.createdAt',
      'user.updatedAt',
      'usage.usedTrafficBytes',
      'usage.lifetimeUsedTrafficBytes',
      'usage.onlineAt',
      'usage.firstConnectedAt',
      'usage.lastTrafficResetAt',
      'usage.lastTriggeredThreshold',
      'usage.trafficDay',
      'usage.dayBytes',
      'usage.weekBytes',
      'usage.thirtyDaysBytes',
      'usage.monthBytes',
      'access.subLastOpenedAt',
      'access.subLastUserAgent',
      'node.name as nodeName',
      'node.countryCode as nodeCountryCode',
      'node.uuid as lastConnectedNodeUuid',
    ])
    .select(EDITED)
    .select((from) =>
      jsonArrayFrom(
        from
          .selectFrom('internalSquadMembers as member')
          .innerJoin('internalSquads as squad', 'squad.id', 'member.squadId')
          .whereRef('member.userId', '=', 'user.id')
          .select(['squad.uuid', 'squad.name'])
          .orderBy('squad.createdAt')
          .orderBy('squad.id'),
      ).as('activeInternalSquads'),
    )
}

/** A user as stored, with all that the wire tells of it, except links. */
export type StoredUser = Awaited<ReturnType<typeof listUsersById>>[number]

const byIds = builtOnce((db, ids: number[]) => users(db).where('user.id', '=', sql<number>`any(${ids}::bigint[])`))
const byUuid = builtOnce((db, uuid: string) => users(db).where('user.uuid', '=', uuid))

/** These users in the order of the ids given. */
export async function listUsersById(db: Db, ids: number[]) {
  const rows = ids.length === 0 ? [] : await byIds(db, ids)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** Users as snapshots of their rows hold them, each under the number given. Table names stand for what the snapshots hold. */
export async function listUsersOfSnapshots(db: Db, snapshots: { id: number; snapshot: unknown }[]): Promise<StoredUser[]> {
  const { rows } = await sql<StoredUser>`
    with "kept" as (select * from jsonb_to_recordset(${JSON.stringify(snapshots)}) as "kept"("id" bigint, "snapshot" jsonb)),
    "users" as (
      select "row".* from "kept", jsonb_populate_record(null::"users", "snapshot"->'users' || jsonb_build_object('id', "kept"."id")) as "row"
    ),
    "userUsage" as (
      select "row".* from "kept",
        jsonb_populate_record(null::"userUsage", "snapshot"->'userUsage' || jsonb_build_object('userId', "kept"."id")) as "row"
    ),
    "userAccesses" as (
      select "row".* from "kept",
        jsonb_populate_record(null::"userAccesses", nullif("snapshot"->'userAccesses', 'null') || jsonb_build_object('userId', "kept"."id")) as "row"
      where "snapshot"->'userAccesses' <> 'null'
    ),
    "internalSquadMembers" as (
      select "kept"."id" as "userId", "member"."squadId"
      from "kept", jsonb_to_recordset("snapshot"->'internalSquadMembers') as "member"("squadId" bigint)
    )
    ${users(db)}
  `.execute(db)
  return rows
}

export interface UsageOrder {
  column: OrderedUsage
  isDescending: boolean
}

/**
 * A query for the users of an array of ids, in its order or first in that of usage, with a total. An array is looked up one by
 * one in every table, however large those are.
 */
export function usersInOrder(
  db: Db,
  ids: RawBuilder<number[]>,
  { total = sql`null`, usage }: { total?: RawBuilder<number | null>; usage?: UsageOrder | undefined } = {},
): Compilable {
  const page = sql<{ id: number; place: number }>`unnest(${ids}) with ordinality`.as<'page'>(sql`"page"("id", "place")`)
  const place = sql`"page"."place"`
  const used = usage && sql`${sql.ref(`usage.${usage.column}`)} ${usage.isDescending ? sql`desc` : sql`asc`}`
  return users(db)
    .innerJoin(page, 'page.id', 'user.id')
    .select(total.as('total'))
    .orderBy(used ? sql`${used}, ${place}` : place)
}

/** Users of a scope by traffic in a period that ends with this day, in falling order. */
export async function listTopUsers(
  db: Db,
  scope: Scope,
  period: TrafficPeriod,
  { today, now }: { today: string; now: Date },
  limit: number,
) {
  const isKept = scope === everyone && (await hasTrafficOrder(db, today, now))
  const top = isKept ? await listTopInOrder(db, period, today, limit) : await listTopIds(db, scope, period, today, limit)
  const users = await db
    .selectFrom('users')
    .select(['id', 'uuid', 'username', 'status'])
    .where('id', '=', sql<number>`any(${top.map(({ id }) => id)}::bigint[])`)
    .execute()
  return top.flatMap(({ id, bytes }) => {
    const user = users.find((one) => one.id === id)
    return user ? [{ uuid: user.uuid, username: user.username, status: user.status, bytes }] : []
  })
}

export async function findUser(db: Db, uuid: string): Promise<StoredUser | undefined> {
  return (await byUuid(db, uuid))[0]
}

export function findUserByShortUuid(db: Db, shortUuid: string) {
  return users(db).where('user.shortUuid', '=', shortUuid).executeTakeFirst()
}

/** Usernames are unique without regard to case, but are looked up as they are written. */
export async function findUuidByName(db: Db, username: string): Promise<string | undefined> {
  const named = db
    .selectFrom('users')
    .select('uuid')
    .where(sql<string>`lower("username")`, '=', sql<string>`lower(${username})`)
    .where('username', '=', username)
  return (await named.executeTakeFirst())?.uuid
}

export function findUserByUsername(db: Db, username: string) {
  return users(db)
    .where(sql<string>`lower("user"."username")`, '=', sql<string>`lower(${username})`)
    .where('user.username', '=', username)
    .executeTakeFirst()
}

/** Those whose names are among these in any case, as no two may differ by it alone. */
export function listUsersByNames(db: Db, names: string[]) {
  return users(db)
    .where(sql<string>`lower("user"."username")`, '=', sql<string>`any(${names.map((name) => name.toLowerCase())}::text[])`)
    .execute()
}

export function listUsersBy(db: Db, scope: Scope, column: 'telegramId' | 'email' | 'tag', value: string | number) {
  const found = users(db).where(`user.${column}`, '=', value)
  const seen = scope === everyone ? found : found.where(isVisible(scope, sql`"user"."id"`))
  return seen.orderBy('user.createdAt').orderBy('user.id').execute()
}

/** Every tag in use, by hopping from one to the next in the index, which is quick however many users carry them. */
export async function listUserTags(db: Db, scope: Scope): Promise<string[]> {
  if (scope !== everyone) {
    const found = db.selectFrom('users').select('tag').distinct().where('tag', 'is not', null)
    const own = await found
      .where(isVisible(scope, sql`"users"."id"`))
      .orderBy('tag')
      .execute()
    return own.flatMap(({ tag }) => tag ?? [])
  }
  const { rows } = await sql<{ tag: string }>`
    with recursive "tags"("tag") as (
      (select "tag" from "users" where "tag" is not null order by "tag" limit 1)
      union all
      select (select "tag" from "users" where "users"."tag" > "tags"."tag" order by "tag" limit 1) from "tags" where "tags"."tag" is not null
    )
    select "tag" from "tags" where "tag" is not null
  `.execute(db)
  return rows.map((row) => row.tag)
}

/**
 * The user, held against other writers until the transaction ends. The row of its usage is locked first where that is
 * going to change too, as the traffic ledger takes the two in this order.
 */
export async function lockUser(tx: Tx, uuid: string, { withUsage = false } = {}) {
  if (withUsage) await lockUsageOf(tx, uuid)
  return (await lockByUuid(tx, uuid))[0]
}

/** The row of the user as it is recorded. */
const asRecorded = sql<Row>`to_json("user")`

const lockByUuid = builtOnce((tx, uuid: string) =>
  tx
    .selectFrom('users as user')
    .innerJoin('userUsage as usage', 'usage.userId', 'user.id')
    .select([
      'user.id',
      'user.username',
      'user.status',
      'user.trafficLimitBytes',
      'user.expireAt',
      'user.hwidDeviceLimit',
      'user.extraTrafficBytes',
      'user.trafficLimitStrategy',
    ])
    .select('usage.usedTrafficBytes')
    .select(asRecorded.as('row'))
    .where('user.uuid', '=', uuid)
    .forUpdate('user'),
)

// Creates or updates a user and reads it in one statement. Behind `with`, table names stand for the rows just
// written, for the query of users too, and the audit row comes along.

type NewUser = Insertable<Tables['users']>
type UserColumns = Parameters<typeof insertAlone>[1]

/**
 * Inserts a user with usage and memberships, queues it for nodes if it is active, and records it. Returns and inserts
 * nothing where one of its squads does not exist.
 */
export function insertUser(db: Db, user: UserColumns, resetAt: Date | null, squadUuids: string[], record: OwnRecord) {
  return squadUuids.length === 0
    ? insertAlone(db, user, resetAt, ...record)
    : insertWithSquads(db, user, squadUuids, squadUuids.length, squadUuids, resetAt, ...record)
}

const insertAlone = builtOncePerShape((db, user: NewUser, resetAt: Date | null, ...record: OwnRecord) =>
  written(
    db,
    sql<StoredUser>`
      with "users" as (${db.insertInto('users').values(user).returningAll()}),
      ${withUsage(resetAt)},
      "recorded" as (${recording(record, 'createUser', 'users', ['userUsage'])})
      ${users(db)}
    `,
  ),
)

/** Squads are held, so that none is deleted meanwhile; no user is made where there are fewer than wanted. */
const insertWithSquads = builtOncePerShape(
  (db, user: NewUser, held: string[], wanted: number, squads: string[], resetAt: Date | null, ...record: OwnRecord) => {
    const [columns, values] = [Object.keys(user), Object.values(user)]
    const holding = sql`select "id" from "internalSquads" where "uuid" = any(${held}::uuid[]) order by "id" for key share`
    return written(
      db,
      sql<StoredUser>`
        with "users" as (
          insert into "users" (${sql.join(columns.map((name) => sql.ref(name)))}) select ${sql.join(values)}
          where (select count(*) from (${holding}) as held) = ${wanted}::integer returning *
        ),
        "internalSquadMembers" as (
          insert into "internalSquadMembers" ("squadId", "userId") select squad."id", "users"."id" from "users"
          join "internalSquads" as squad on squad."uuid" = any(${squads}::uuid[]) returning *
        ),
        ${withUsage(resetAt)},
        "recorded" as (${recording(record, 'createUser', 'users', ['userUsage', 'internalSquadMembers'])})
        ${users(db)}
      `,
    )
  },
)

function withUsage(resetAt: Date | null): RawBuilder<unknown> {
  return sql`
    "userUsage" as (
      insert into "userUsage" ("userId", "lastTrafficResetAt") select "id", ${resetAt}::timestamptz from "users" returning *
    ),
    "queued" as (${queueing(sql`select "username" from "users" where "status" = 'ACTIVE'`)})
  `
}

const editing = builtOnceFor()

type EditedAlone = StoredUser & { entryId: number }

/**
 * Updates columns without consequences where the user has one of these statuses, and records it; returns the user, or
 * undefined.
 */
export async function editUserAlone(
  db: Db,
  uuid: string,
  statuses: UserStatus[],
  edit: Updateable<Tables['users']>,
  author: Author,
) {
  const given = Object.entries(edit).filter(([, value]) => value !== undefined)
  const columns = given.map(([name]) => name)
  const values = [uuid, statuses, ...given.map(([, value]) => value), ...author]
  const rows = await editing<EditedAlone>(db, columns.join(), values, () => {
    const assignments = given.map(([name, value]) => sql`${sql.ref(name)} = ${value}`)
    return written(
      db,
      sql<EditedAlone>`
        with "held" as (select * from "users" where "uuid" = ${uuid} and "status" = any(${statuses}::text[]) for update),
        "users" as (
          update "users" set ${sql.join(assignments)} from "held" where "users"."id" = "held"."id" returning "users".*
        ),
        "recorded" as (${recordingChange(author, 'updateUser', 'users', columns)} returning "id")
        ${users(db).select(sql<number>`(select "id" from "recorded")`.as('entryId'))}
      `,
    )
  })
  return rows[0]
}

/** Changes columns of a user; gives the user as it is now. */
export const updateUserRow = builtOncePerShape((tx, fields: Updateable<Tables['users']>, id: number) =>
  written(
    tx,
    sql<StoredUser & { row: Row }>`
      with "users" as (${tx.updateTable('users').set(fields).where('id', '=', id).returningAll()})
      ${users(tx).select(asRecorded.as('row'))}
    `,
  ),
)

async function lockUsageOf(tx: Tx, uuid: string): Promise<void> {
  await sql`select 1 from "userUsage" where "userId" = (select "id" from "users" where "uuid" = ${uuid}) for update`.execute(tx)
}

/** Per node that the user can reach through its squads: the tags of its inbounds there, by squad. */
export async function listUserAccessibleNodes(db: Db, uuid: string) {
  const { rows } = await sql<{
    uuid: string
    nodeName: string
    countryCode: string
    configProfileUuid: string
    configProfileName: string
    activeSquads: { squadName: string; activeInbounds: string[] }[]
  }>`
    select node."uuid", node."name" as "nodeName", node."countryCode", profile."uuid" as "configProfileUuid",
      profile."name" as "configProfileName",
      json_agg(json_build_object('squadName', access."squadName", 'activeInbounds', access."tags") order by access."squadName") as "activeSquads"
    from (
      select active."nodeId", squad."name" as "squadName", json_agg(inbound."tag" order by inbound."tag") as "tags"
      from "users" u
      join "internalSquadMembers" member on member."userId" = u."id"
      join "internalSquads" squad on squad."id" = member."squadId"
      join "internalSquadInbounds" link on link."squadId" = squad."id"
      join "nodeInbounds" active on active."inboundId" = link."inboundId"
      join "configProfileInbounds" inbound on inbound."id" = link."inboundId"
      where u."uuid" = ${uuid}
      group by active."nodeId", squad."id"
    ) as access
    join "nodes" node on node."id" = access."nodeId"
    join "configProfiles" profile on profile."id" = node."activeConfigProfileId"
    group by node."id", profile."id"
    order by node."viewPosition", node."id"
  `.execute(db)
  return rows
}

/** Bytes per node and day from one day to another, both included. */
export function listUserUsage(db: Db, uuid: string, days: { start: string; end: string }) {
  return db
    .selectFrom('userNodeUsage as usage')
    .innerJoin('users as user', 'user.id', 'usage.userId')
    .innerJoin('nodes as node', 'node.id', 'usage.nodeId')
    .select(['user.uuid as userUuid', 'node.uuid as nodeUuid', 'node.name as nodeName', 'node.countryCode'])
    .select([sql<number>`usage."uploadBytes" + usage."downloadBytes"`.as('total'), 'usage.day'])
    .where('user.uuid', '=', uuid)
    .where('usage.day', '>=', days.start)
    .where('usage.day', '<=', days.end)
    .orderBy('usage.day')
    .orderBy('node.viewPosition')
    .execute()
}
