import { sql } from 'kysely'
import { builtOnce } from '../../db/driver/built-once.ts'
import type { Db, Tx } from '../../db/driver/connect.ts'
import type { Reads } from '../../db/driver/hosts/replicas.ts'
import type { SignedLink } from '../../lib/signed-link.ts'

/** Users with what rendering needs of them, and the squads they are in. */
function subscribers(db: Db) {
  return db
    .selectFrom('users as user')
    .innerJoin('userUsage as usage', 'usage.userId', 'user.id')
    .select([
      'user.id',
      'user.shortUuid',
      'user.username',
      'user.status',
      'user.trafficLimitBytes',
      'user.trafficLimitStrategy',
      'user.expireAt',
      'user.tag',
      'user.email',
      'user.telegramId',
      'user.description',
      'user.createdAt',
      'user.hwidDeviceLimit',
      'user.vlessUuid',
      'user.trojanPassword',
      'user.ssPassword',
      'user.externalSquadUuid',
      'usage.usedTrafficBytes',
      'usage.lifetimeUsedTrafficBytes',
      'usage.lastTrafficResetAt',
    ])
    .select(
      // The driver reads arrays of bigint as texts; ids are exact as doubles, as everywhere in the tables.
      sql<number[]>`array(select member."squadId"::float8 from "internalSquadMembers" member where member."userId" = "user"."id"
        order by member."squadId")`.as('squadIds'),
    )
}

// Made an array first, so that one plan, prepared once, is good for any number of them.
const byShortUuids = builtOnce((db, shortUuids: string[]) =>
  subscribers(db).where('user.shortUuid', '=', sql<string>`any(array(select unnest(${shortUuids}::text[])))`),
)

export type StoredSubscriber = Awaited<ReturnType<typeof byShortUuids>>[number]

/** Those behind these links, in any order. */
export function findSubscribers(db: Db, shortUuids: string[]): Promise<StoredSubscriber[]> {
  return byShortUuids(db, shortUuids)
}

/** The leader knows a link that was made a moment ago. */
export async function findSubscribersByReads({ old, newest }: Pick<Reads, 'old' | 'newest'>, shortUuids: string[]) {
  const found = await findSubscribers(old, shortUuids)
  if (old === newest || found.length === shortUuids.length) return found
  const missing = shortUuids.filter((each) => !found.some(({ shortUuid }) => shortUuid === each))
  return [...found, ...(await findSubscribers(newest, missing))]
}

export function findSubscriberByUuid(db: Db, uuid: string) {
  return subscribers(db).where('user.uuid', '=', uuid).executeTakeFirst()
}

export function findSubscriberByUsername(db: Db, username: string) {
  return subscribers(db)
    .where(sql<string>`lower("user"."username")`, '=', sql<string>`lower(${username})`)
    .where('user.username', '=', username)
    .executeTakeFirst()
}

/** Finds the short uuid behind a signed link. The user must be older than the link, and not have revoked it since. */
export function findSignedLink(db: Db, { user, madeAt }: SignedLink) {
  const made = db
    .selectFrom('users')
    .select('shortUuid')
    .where('createdAt', '<=', madeAt)
    .where((eb) => eb.or([eb('subRevokedAt', 'is', null), eb('subRevokedAt', '<=', madeAt)]))
  const named =
    'id' in user
      ? made.where('id', '=', user.id)
      : made
          .where(sql<string>`lower("username")`, '=', sql<string>`lower(${user.username})`)
          .where('username', '=', user.username)
  return named.executeTakeFirst()
}

/** These users in the order of the ids given. */
export async function listSubscribersById(db: Db, ids: number[]) {
  const rows =
    ids.length === 0
      ? []
      : await subscribers(db)
          .where('user.id', '=', sql<number>`any(${ids}::bigint[])`)
          .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** Every host, in the administrator's order; those whose inbound is gone lead nowhere. */
export function listHostRows(db: Db) {
  return db.selectFrom('hosts').selectAll().orderBy('viewPosition').orderBy('id').execute()
}

export async function listInboundsById(db: Db, ids: number[]) {
  if (ids.length === 0) return []
  return inbounds(db)
    .where('inbound.id', '=', sql<number>`any(${ids}::bigint[])`)
    .execute()
}

/** Those of the inbounds that there are. */
export async function listInboundsByUuid(db: Db, uuids: string[]) {
  if (uuids.length === 0) return []
  return inbounds(db)
    .where('inbound.uuid', '=', sql<string>`any(${uuids}::uuid[])`)
    .execute()
}

function inbounds(db: Db) {
  return db
    .selectFrom('configProfileInbounds as inbound')
    .innerJoin('configProfiles as profile', 'profile.id', 'inbound.profileId')
    .select(['inbound.id', 'inbound.uuid', 'inbound.tag', 'inbound.type', 'inbound.rawInbound', 'profile.uuid as profileUuid'])
}

export async function listSquadIds(db: Db): Promise<number[]> {
  return (await db.selectFrom('internalSquads').select('id').orderBy('id').execute()).map(({ id }) => id)
}

export function listInboundsOfAllSquads(db: Db) {
  return db
    .selectFrom('internalSquadInbounds as link')
    .innerJoin('internalSquads as squad', 'squad.id', 'link.squadId')
    .select(['link.squadId', 'link.inboundId', 'squad.uuid as squadUuid'])
    .execute()
}

/** Links that apps have opened, the latest first. */
export async function listOpenedLinks(db: Db, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('userAccesses')
    .innerJoin('users', 'users.id', 'userAccesses.userId')
    .select('users.shortUuid')
    .where('userAccesses.subLastOpenedAt', 'is not', null)
    .orderBy('userAccesses.subLastOpenedAt', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ shortUuid }) => shortUuid)
}

interface Opening {
  userId: number
  at: Date
  address: string | null
  userAgent: string
}

/** Notes when and by what subscriptions were opened. Users that are gone meanwhile are passed over. */
export async function saveOpenings(db: Db, openings: Opening[]): Promise<void> {
  await sql`
    insert into "userAccesses" ("userId", "subLastOpenedAt", "subLastUserAgent")
    select u."id", opening."at", opening."userAgent"
    from unnest(
      ${openings.map((opening) => opening.userId)}::bigint[],
      ${openings.map((opening) => opening.at.toISOString())}::timestamptz[],
      ${openings.map((opening) => opening.userAgent)}::text[]
    ) as opening("userId", "at", "userAgent")
    join "users" u on u."id" = opening."userId"
    order by u."id"
    on conflict ("userId") do update set "subLastOpenedAt" = excluded."subLastOpenedAt", "subLastUserAgent" = excluded."subLastUserAgent"
    where "userAccesses"."subLastOpenedAt" is null or "userAccesses"."subLastOpenedAt" <= excluded."subLastOpenedAt"
  `.execute(db)
}

export interface SeenDevice {
  userId: number
  hwid: string
  platform: string | null
  osVersion: string | null
  deviceModel: string | null
  userAgent: string
  at: Date
}

/** Brings known devices up to date; those an administrator has deleted meanwhile stay deleted. */
export async function refreshDevices(db: Db, devices: SeenDevice[]): Promise<void> {
  await sql`
    update "hwidDevices" as known set ${keptUnlessSaid('seen', 'known')}, "updatedAt" = seen."at"
    from ${unnested(devices)} where known."userId" = seen."userId" and known."hwid" = seen."hwid"
  `.execute(db)
}

/** Adds devices of users without a limit, up to a number that keeps a careless client from filling the table. */
export async function recordDevices(db: Db, devices: SeenDevice[], maxPerUser: number): Promise<void> {
  await sql`
    insert into "hwidDevices" ("userId", "hwid", "platform", "osVersion", "deviceModel", "userAgent", "createdAt", "updatedAt")
    select u."id", numbered."hwid", numbered."platform", numbered."osVersion", numbered."deviceModel", numbered."userAgent",
      numbered."at", numbered."at"
    from (select seen.*, row_number() over (partition by seen."userId") as "place" from ${unnested(devices)}) as numbered
    join "users" u on u."id" = numbered."userId"
    where (select count(*) from "hwidDevices" known where known."userId" = u."id") + numbered."place" <= ${maxPerUser}
    order by u."id", numbered."hwid"
    on conflict ("userId", "hwid") do update set ${keptUnlessSaid('excluded', 'hwidDevices')}, "updatedAt" = excluded."updatedAt"
  `.execute(db)
}

export async function listHwids(db: Db, userId: number): Promise<string[]> {
  const rows = await db.selectFrom('hwidDevices').select('hwid').where('userId', '=', userId).execute()
  return rows.map((row) => row.hwid)
}

/** Holds the user, so that two new devices at once cannot pass a limit of one. */
export async function holdUser(tx: Tx, userId: number): Promise<void> {
  await tx.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute()
}

/** Some programs of a device send its id alone: what another one said of it stays. */
function keptUnlessSaid(said: string, known: string) {
  const kept = ['platform', 'osVersion', 'deviceModel', 'userAgent'].map(
    (column) =>
      sql`${sql.id(column)} = coalesce(nullif(${sql.id(said)}.${sql.id(column)}, ''), ${sql.id(known)}.${sql.id(column)})`,
  )
  return sql.join(kept)
}

function unnested(devices: SeenDevice[]) {
  return sql`unnest(
    ${devices.map((device) => device.userId)}::bigint[], ${devices.map((device) => device.hwid)}::text[],
    ${devices.map((device) => device.platform)}::text[], ${devices.map((device) => device.osVersion)}::text[],
    ${devices.map((device) => device.deviceModel)}::text[], ${devices.map((device) => device.userAgent)}::text[],
    ${devices.map((device) => device.at.toISOString())}::timestamptz[]
  ) as seen("userId", "hwid", "platform", "osVersion", "deviceModel", "userAgent", "at")`
}

/** The facts of a user that old links tell beside the subscription. */
export function findOldLinkFacts(db: Db, id: number) {
  return db
    .selectFrom('users as user')
    .innerJoin('userUsage as usage', 'usage.userId', 'user.id')
    .leftJoin('userAccesses as access', 'access.userId', 'user.id')
    .select(['user.createdAt', 'usage.onlineAt', 'access.subLastOpenedAt', 'access.subLastUserAgent'])
    .where('user.id', '=', id)
    .executeTakeFirst()
}

/** Bytes of a user by node from one day to another, both included. */
export function listUsageOfUser(db: Db, userId: number, { from, to }: { from: string; to: string }) {
  return db
    .selectFrom('userNodeUsage as usage')
    .innerJoin('nodes as node', 'node.id', 'usage.nodeId')
    .select(['node.id as node_id', 'node.name as node_name'])
    .select(sql<number>`sum(usage."uploadBytes" + usage."downloadBytes")::bigint`.as('used_traffic'))
    .where('usage.userId', '=', userId)
    .where('usage.day', '>=', from)
    .where('usage.day', '<=', to)
    .groupBy(['node.id', 'node.name'])
    .orderBy('node.id')
    .execute()
}
