import { sql, type RawBuilder } from 'kysely'
import type { Db, Tx } from '../../db/driver/connect.ts'
import { isVisible } from '../../ground/scope/scope.queries.ts'
import { everyone, type Scope } from '../../lib/scope.ts'
import { likeText } from '../search/search.rules.ts'
import { tableCondition, tableOrder } from '../search/table-view.queries.ts'
import type { TableView } from '../search/table-view.rules.ts'

export interface Device {
  hwid: string
  platform?: string | null | undefined
  osVersion?: string | null | undefined
  deviceModel?: string | null | undefined
  userAgent?: string | null | undefined
}

/** Oldest first. */
function devices(db: Db) {
  return allDevices(db).orderBy('device.createdAt').orderBy('device.hwid')
}

function allDevices(db: Db) {
  return db
    .selectFrom('hwidDevices as device')
    .innerJoin('users as user', 'user.id', 'device.userId')
    .select(['device.hwid', 'user.uuid as userUuid', 'device.platform', 'device.osVersion', 'device.deviceModel'])
    .select(['device.userAgent', 'device.createdAt', 'device.updatedAt', 'device.userId', sql<null>`null`.as('requestIp')])
}

export function listDevicesOfUser(db: Db, userUuid: string) {
  return devices(db).where('user.uuid', '=', userUuid).execute()
}

export type DeviceColumn =
  | 'hwid'
  | 'userUuid'
  | 'platform'
  | 'osVersion'
  | 'deviceModel'
  | 'userAgent'
  | 'createdAt'
  | 'updatedAt'

const COLUMNS: Record<DeviceColumn, string> = {
  hwid: 'device.hwid',
  userUuid: 'user.uuid',
  platform: 'device.platform',
  osVersion: 'device.osVersion',
  deviceModel: 'device.deviceModel',
  userAgent: 'device.userAgent',
  createdAt: 'device.createdAt',
  updatedAt: 'device.updatedAt',
}

/** The condition that a device is of a user of the scope, as a whole clause. */
function whereSeen(scope: Scope): RawBuilder<unknown> {
  return scope === everyone ? sql`` : sql` where ${isVisible(scope, sql`"userId"`)}`
}

/** Devices of all users of the scope, oldest first where no order is asked for. */
export async function listDevices(db: Db, scope: Scope, { start, size, filters, sorting }: TableView<DeviceColumn>) {
  const asked = tableCondition(filters, COLUMNS)
  const condition = scope === everyone ? asked : sql<boolean>`${asked} and ${isVisible(scope, sql`device."userId"`)}`
  const page = await allDevices(db)
    .where(condition)
    .orderBy(tableOrder(sorting, COLUMNS, sql`device."createdAt", device."hwid"`))
    .offset(start)
    .limit(size)
    .execute()
  const { total } = await db
    .selectFrom('hwidDevices as device')
    .innerJoin('users as user', 'user.id', 'device.userId')
    .where(condition)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { total, devices: page }
}

/** Devices of all users of the scope with whose they are, newest first; of a text only those that have it somewhere. */
export async function findDevices(
  db: Db,
  scope: Scope,
  { start, size, search }: { start: number; size: number; search: string },
) {
  const pattern = `%${likeText(search)}%`
  const found = db
    .selectFrom('hwidDevices as device')
    .innerJoin('users as user', 'user.id', 'device.userId')
    .$if(scope !== everyone, (query) => query.where(isVisible(scope, sql`device."userId"`)))
    .$if(search !== '', (query) =>
      query.where((eb) =>
        eb.or([
          eb('device.hwid', 'ilike', pattern),
          eb('device.deviceModel', 'ilike', pattern),
          eb('user.username', 'ilike', pattern),
        ]),
      ),
    )
  const page = await found
    .select(['device.hwid', 'user.uuid as userUuid', 'user.username', 'device.platform', 'device.osVersion'])
    .select(['device.deviceModel', 'device.userAgent', 'device.createdAt', 'device.updatedAt', 'device.userId'])
    .select(sql<null>`null`.as('requestIp'))
    .orderBy('device.createdAt', 'desc')
    .orderBy('device.hwid', 'desc')
    .offset(start)
    .limit(size)
    .execute()
  const { total } = await found.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { total, devices: page }
}

/** How many devices there are by platform and by app, and how many a user with devices has on average. */
export async function countAllDevices(db: Db, scope: Scope) {
  const seen = whereSeen(scope)
  const platforms = await sql<{ platform: string; count: number; byApp: { app: string; count: number }[] }>`
    select "platform", sum("count")::bigint as "count",
      json_agg(json_build_object('app', "app", 'count', "count") order by "count" desc, "app") as "byApp"
    from (
      select coalesce(nullif("platform", ''), 'Unknown') as "platform",
        coalesce(nullif(split_part("userAgent", '/', 1), ''), 'Unknown') as "app", count(*) as "count" from "hwidDevices"${seen}
      group by 1, 2
    ) as "pairs"
    group by 1 order by 2 desc, 1 limit 100
  `.execute(db)
  const apps = await sql<{ app: string; count: number }>`
    select coalesce(nullif(split_part("userAgent", '/', 1), ''), 'Unknown') as "app", count(*) as "count" from "hwidDevices"${seen}
    group by 1 order by 2 desc, 1 limit 100
  `.execute(db)
  const sums = await sql<{ total: number; unique: number; users: number }>`
    select count(*) as "total", count(distinct "hwid") as "unique", count(distinct "userId") as "users" from "hwidDevices"${seen}
  `.execute(db)
  const { total, unique, users } = sums.rows[0] ?? { total: 0, unique: 0, users: 0 }
  return {
    byPlatform: platforms.rows,
    byApp: apps.rows,
    stats: {
      totalUniqueDevices: unique,
      totalHwidDevices: total,
      averageHwidDevicesPerUser: users === 0 ? 0 : Math.round((total / users) * 100) / 100,
    },
  }
}

export function findDevice(db: Db, userId: number, hwid: string) {
  return db.selectFrom('hwidDevices').selectAll().where('userId', '=', userId).where('hwid', '=', hwid).executeTakeFirst()
}

export async function countDevices(db: Db, userId: number): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as "total" from "hwidDevices" where "userId" = ${userId}
  `.execute(db)
  return rows[0]?.total ?? 0
}

export async function insertDevice(tx: Tx, userId: number, device: Device, now: Date): Promise<void> {
  await tx
    .insertInto('hwidDevices')
    .values({ ...device, userId, createdAt: now, updatedAt: now })
    .execute()
}

export async function deleteDevice(tx: Tx, userId: number, hwid: string): Promise<void> {
  await tx.deleteFrom('hwidDevices').where('userId', '=', userId).where('hwid', '=', hwid).execute()
}

export async function deleteDevicesOfUser(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('hwidDevices').where('userId', '=', userId).execute()
}

/** Users with devices, those with the most first. */
export async function listTopUsers(db: Db, scope: Scope, start: number, size: number) {
  const { rows } = await sql<{ id: number; userUuid: string; username: string; devicesCount: number }>`
    select u."id", u."uuid" as "userUuid", u."username", d."count" as "devicesCount"
    from (select "userId", count(*) as "count" from "hwidDevices"${whereSeen(scope)} group by 1 order by 2 desc, 1 offset ${start} limit ${size}) d
    join "users" u on u."id" = d."userId" order by d."count" desc, u."id"
  `.execute(db)
  const total = await sql<{
    total: number
  }>`select count(distinct "userId") as "total" from "hwidDevices"${whereSeen(scope)}`.execute(db)
  return { users: rows, total: total.rows[0]?.total ?? 0 }
}
