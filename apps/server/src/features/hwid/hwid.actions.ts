import { errors } from '@causeway/contract'
import type { Caller, Ctx } from '../../ctx.ts'
import type { Db } from '../../db/driver/connect.ts'
import { fail } from '../../http/errors.ts'
import { refuseUnstorable } from '../../http/unstorable.ts'
import { write } from '../audit/audit.actions.ts'
import { watchRows } from '../audit/rows.queries.ts'
import { lockUser } from '../users/users.queries.ts'
import {
  countDevices,
  deleteDevice,
  deleteDevicesOfUser,
  findDevice,
  insertDevice,
  listDevicesOfUser,
  type Device,
} from './hwid.queries.ts'
import { readSettings } from '../subscription-settings/subscription-settings.queries.ts'
import { hwidSettingsInForce } from '../../ground/hwid-settings.rules.ts'
import { deviceLimit } from './hwid.rules.ts'

/** Gives a user a device. The user's row is held meanwhile, so that two devices at once cannot pass a limit of one. */
export function createDevice(ctx: Ctx, caller: Caller, { userUuid, ...device }: Device & { userUuid: string }) {
  refuseUnstorable({ ...device })
  return write(ctx, caller, async (tx, record) => {
    const user = (await lockUser(tx, userUuid)) ?? fail(errors.userNotFound)
    if (await findDevice(tx, user.id, device.hwid)) fail(errors.userHwidDeviceAlreadyExists)
    const { enabled, fallbackDeviceLimit } = hwidSettingsInForce(ctx.config, (await readSettings(tx)).hwidSettings)
    if (enabled) {
      const limit = deviceLimit(user.hwidDeviceLimit, fallbackDeviceLimit)
      if (limit !== undefined && (await countDevices(tx, user.id)) >= limit) fail(errors.userHwidDeviceLimitReached)
    }
    const rows = await watchRows(tx, 'devices', [user.id])
    await insertDevice(tx, user.id, device, ctx.now())
    record({ action: 'createHwidDevice', target: userUuid, name: user.username, rows })
    return devicesOf(tx, userUuid)
  })
}

/** @throws userNotFound, hwidDeviceNotFound */
export function removeDevice(ctx: Ctx, caller: Caller, { userUuid, hwid }: { userUuid: string; hwid: string }) {
  refuseUnstorable({ hwid })
  return write(ctx, caller, async (tx, record) => {
    const user = (await lockUser(tx, userUuid)) ?? fail(errors.userNotFound)
    if (!(await findDevice(tx, user.id, hwid))) fail(errors.hwidDeviceNotFound)
    const rows = await watchRows(tx, 'devices', [user.id])
    await deleteDevice(tx, user.id, hwid)
    record({ action: 'deleteHwidDevice', target: userUuid, name: user.username, rows })
    return devicesOf(tx, userUuid)
  })
}

/** @throws userNotFound */
export function removeAllDevices(ctx: Ctx, caller: Caller, userUuid: string) {
  return write(ctx, caller, async (tx, record) => {
    const user = (await lockUser(tx, userUuid)) ?? fail(errors.userNotFound)
    const rows = await watchRows(tx, 'devices', [user.id])
    await deleteDevicesOfUser(tx, user.id)
    record({ action: 'deleteAllHwidDevices', target: userUuid, name: user.username, rows })
    return { total: 0, devices: [] }
  })
}

export async function devicesOf(db: Db, userUuid: string) {
  const devices = await listDevicesOfUser(db, userUuid)
  return { total: devices.length, devices }
}
