import type { Ctx } from '../../ctx.ts'
import { countDevices, findDevice, insertDevice } from '../hwid/hwid.queries.ts'
import { deviceLimit } from '../hwid/hwid.rules.ts'
import type { Accesses } from './accesses.actions.ts'
import type { SubscriptionRequest } from './request.rules.ts'
import { holdUser, listHwids, type SeenDevice } from './subscriptions.queries.ts'

/**
 * Whether this device may have the subscription (docs/wire.md 18). Known devices cost one look-up and no
 * write in the way of the answer; only a device that is new to its user is stored before it is served.
 *
 * If the database fails here, the subscription is served: an outage of ours must not take the service from those who
 * paid for it, and without the database the user could not have been found either. What a client could do to make
 * storing fail, ids too long or not storable, is refused before.
 */
export async function admitDevice(
  ctx: Ctx,
  accesses: Accesses,
  user: { id: number; hwidDeviceLimit: number | null },
  request: SubscriptionRequest,
): Promise<boolean> {
  const { hwid, platform, osVersion, deviceModel, userAgent } = request
  const device: SeenDevice = { userId: user.id, hwid, platform, osVersion, deviceModel, userAgent, at: ctx.now() }
  const limit = ctx.config.HWID_DEVICE_LIMIT_ENABLED
    ? deviceLimit(user.hwidDeviceLimit, ctx.config.HWID_FALLBACK_DEVICE_LIMIT)
    : undefined
  if (limit === undefined) {
    if (hwid) accesses.seen(device)
    return true
  }
  if (!hwid) return false
  try {
    const hwids = await listHwids(ctx.db, user.id)
    if (hwids.includes(hwid)) {
      accesses.seenAgain(device)
      return true
    }
    return hwids.length < limit && (await addDevice(ctx, device, limit))
  } catch (error) {
    ctx.log.error({ err: error, userId: user.id }, 'the device of a subscription could not be checked; served anyway')
    return true
  }
}

function addDevice(ctx: Ctx, { userId, at, ...device }: SeenDevice, limit: number): Promise<boolean> {
  return ctx.db.transaction().execute(async (tx) => {
    await holdUser(tx, userId)
    if (await findDevice(tx, userId, device.hwid)) return true
    if ((await countDevices(tx, userId)) >= limit) return false
    await insertDevice(tx, userId, device, at)
    return true
  })
}
