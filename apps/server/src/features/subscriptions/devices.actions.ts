import type { SquadHwidSettings } from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { countDevices, findDevice, insertDevice } from '../hwid/hwid.queries.ts'
import { hwidSettingsInForce } from '../../ground/hwid-settings.rules.ts'
import { deviceLimit } from '../hwid/hwid.rules.ts'
import type { Accesses } from './accesses.actions.ts'
import type { SubscriptionRequest } from './request.rules.ts'
import { holdUser, listHwids, type SeenDevice } from './subscriptions.queries.ts'

interface Limited {
  hwidDeviceLimit: number | null
  /** Those of the user's external squad, else of the panel. */
  hwidSettings: SquadHwidSettings | null
}

/**
 * Whether this device may have the subscription (docs/wire.md 18). A known device costs one look-up and no write
 * before the answer; a new one is stored first. If the database fails here the subscription is served: an outage of
 * ours must not cut off paying users. Ids that would make storing fail, too long or not storable, are refused before.
 */
export async function admitDevice(
  ctx: Ctx,
  accesses: Accesses,
  user: Limited & { id: number },
  request: SubscriptionRequest,
): Promise<boolean> {
  const { hwid, platform, osVersion, deviceModel, userAgent } = request
  const limit = limitOf(ctx, user)
  if (!hwid) return limit === undefined
  const device: SeenDevice = { userId: user.id, hwid, platform, osVersion, deviceModel, userAgent, at: ctx.now() }
  if (limit === undefined) {
    accesses.seen(device)
    return true
  }
  try {
    const standing = standingOf(hwid, await listHwids(ctx.reads.old, user.id), limit)
    if (standing === 'known') accesses.seenAgain(device)
    return standing === 'known' || (standing === 'new' && (await addDevice(ctx, device, limit)))
  } catch (error) {
    ctx.log.error({ err: error, userId: user.id }, 'failed to check a device; subscription served anyway')
    return true
  }
}

/** How a device would stand if it asked now. Nothing is stored. */
export async function judgeDevice(
  ctx: Ctx,
  user: Limited & { id: number },
  hwid: string,
): Promise<'unlimited' | 'unnamed' | ReturnType<typeof standingOf>> {
  const limit = limitOf(ctx, user)
  if (limit === undefined) return 'unlimited'
  if (!hwid) return 'unnamed'
  return standingOf(hwid, await listHwids(ctx.db, user.id), limit)
}

function standingOf(hwid: string, known: readonly string[], limit: number): 'known' | 'new' | 'tooMany' {
  if (known.includes(hwid)) return 'known'
  return known.length < limit ? 'new' : 'tooMany'
}

function limitOf({ config }: Ctx, { hwidDeviceLimit, hwidSettings }: Limited): number | undefined {
  const { enabled, fallbackDeviceLimit } = hwidSettingsInForce(config, hwidSettings)
  return enabled ? deviceLimit(hwidDeviceLimit, fallbackDeviceLimit) : undefined
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
