import { sql } from 'kysely'
import type { Db, Tx } from '../../db/connect.ts'

export interface Device {
  hwid: string
  platform?: string | null | undefined
  osVersion?: string | null | undefined
  deviceModel?: string | null | undefined
  userAgent?: string | null | undefined
}

/** Devices of a user, oldest first. */
export function listDevices(db: Db, userUuid: string) {
  return db
    .selectFrom('hwidDevices as device')
    .innerJoin('users as user', 'user.id', 'device.userId')
    .select(['device.hwid', 'user.uuid as userUuid', 'device.platform', 'device.osVersion', 'device.deviceModel'])
    .select(['device.userAgent', 'device.createdAt', 'device.updatedAt'])
    .where('user.uuid', '=', userUuid)
    .orderBy('device.createdAt')
    .orderBy('device.hwid')
    .execute()
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
