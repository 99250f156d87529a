import type { Caller, Ctx } from '../../ctx.ts'
import type { Db } from '../../db/connect.ts'
import { fail } from '../../http/errors.ts'
import { write } from '../audit/audit.actions.ts'
import { refuseUnstorable } from '../users/users.actions.ts'
import { lockUser } from '../users/users.queries.ts'
import { countDevices, deleteDevice, findDevice, insertDevice, listDevices, type Device } from './hwid.queries.ts'
import { deviceLimit } from './hwid.rules.ts'

/** Gives a user a device. The user's row is held meanwhile, so that two devices at once cannot pass a limit of one. */
export function createDevice(ctx: Ctx, caller: Caller, { userUuid, ...device }: Device & { userUuid: string }) {
  refuseUnstorable({ ...device })
  return write(ctx, caller, async (tx, record) => {
    const user = (await lockUser(tx, userUuid)) ?? fail('A025')
    if (await findDevice(tx, user.id, device.hwid)) fail('A098')
    if (ctx.config.HWID_DEVICE_LIMIT_ENABLED) {
      const limit = deviceLimit(user.hwidDeviceLimit, ctx.config.HWID_FALLBACK_DEVICE_LIMIT)
      if (limit !== undefined && (await countDevices(tx, user.id)) >= limit) fail('A099')
    }
    await insertDevice(tx, user.id, device, ctx.now())
    record({ action: 'createHwidDevice', target: userUuid, after: device })
    return devicesOf(tx, userUuid)
  })
}

/** @throws A025, A101 (the device is unknown) */
export function removeDevice(ctx: Ctx, caller: Caller, { userUuid, hwid }: { userUuid: string; hwid: string }) {
  refuseUnstorable({ hwid })
  return write(ctx, caller, async (tx, record) => {
    const user = (await lockUser(tx, userUuid)) ?? fail('A025')
    const device = await findDevice(tx, user.id, hwid)
    if (!device) fail('A101', { status: 404, message: 'This user has no such device.' })
    await deleteDevice(tx, user.id, hwid)
    record({ action: 'deleteHwidDevice', target: userUuid, before: device })
    return devicesOf(tx, userUuid)
  })
}

export async function devicesOf(db: Db, userUuid: string) {
  const devices = await listDevices(db, userUuid)
  return { total: devices.length, devices }
}
