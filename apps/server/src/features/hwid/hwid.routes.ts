import { errors } from '@causeway/contract'
import * as api from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { fail } from '../../http/errors.ts'
import { on, type Route } from '../../http/mount.ts'
import { findUser } from '../users/users.queries.ts'
import { createDevice, devicesOf, removeDevice } from './hwid.actions.ts'

export function hwidRoutes(ctx: Ctx): Route[] {
  return [
    on(api.createHwidDevice, (device, caller) => createDevice(ctx, caller, device)),
    on(api.deleteHwidDevice, (device, caller) => removeDevice(ctx, caller, device)),
    on(api.getHwidSettings, async () => ({
      isDeviceLimitEnabled: ctx.config.HWID_DEVICE_LIMIT_ENABLED,
      fallbackDeviceLimit: ctx.config.HWID_FALLBACK_DEVICE_LIMIT,
    })),
    on(api.listUserHwidDevices, async ({ userUuid }) => {
      if (!(await findUser(ctx.db, userUuid))) fail(errors.userNotFound)
      return devicesOf(ctx.db, userUuid)
    }),
  ]
}
