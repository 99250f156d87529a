import { errors } from '@causeway/contract'
import * as api from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { fail, refuseField } from '../../http/errors.ts'
import { on, type Route } from '../../http/mount.ts'
import { findUser } from '../users/users.queries.ts'
import { createDevice, devicesOf, removeAllDevices, removeDevice } from './hwid.actions.ts'
import { countAllDevices, findDevices, listDevices, listTopUsers, type DeviceColumn } from './hwid.queries.ts'
import { readSettings } from '../subscription-settings/subscription-settings.queries.ts'
import { hwidSettingsInForce } from '../../ground/hwid-settings.rules.ts'
import { toTableView, type ColumnKind } from '../search/table-view.rules.ts'

const DEFAULT_SIZE = 25
const DEVICE_COLUMNS = {
  hwid: 'text',
  userUuid: 'uuid',
  platform: 'text',
  osVersion: 'text',
  deviceModel: 'text',
  userAgent: 'text',
  createdAt: 'instant',
  updatedAt: 'instant',
} as const satisfies Record<DeviceColumn, ColumnKind>

export function hwidRoutes(ctx: Ctx): Route[] {
  return [
    on(api.createHwidDevice, (device, caller) => createDevice(ctx, caller, device)),
    on(api.deleteHwidDevice, (device, caller) => removeDevice(ctx, caller, device)),
    on(api.deleteAllHwidDevices, ({ userUuid }, caller) => removeAllDevices(ctx, caller, userUuid)),
    on(api.listHwidDevices, (query) => {
      const view = toTableView(query, DEVICE_COLUMNS)
      return 'refusal' in view ? refuseField(view.refusal.path, view.refusal.message) : listDevices(ctx.db, view)
    }),
    on(api.findHwidDevices, ({ start = 0, size = DEFAULT_SIZE, search = '' }) =>
      findDevices(ctx.db, { start: Number(start), size: Number(size), search: search.trim() }),
    ),
    on(api.listTopHwidUsers, ({ start = 0, size = 5 }) => listTopUsers(ctx.db, Number(start), Number(size))),
    on(api.getHwidStats, () => countAllDevices(ctx.db)),
    on(api.getHwidSettings, async () => {
      const { enabled, fallbackDeviceLimit } = hwidSettingsInForce(ctx.config, (await readSettings(ctx.db)).hwidSettings)
      return { isDeviceLimitEnabled: enabled, fallbackDeviceLimit }
    }),
    on(api.listUserHwidDevices, async ({ userUuid }) => {
      if (!(await findUser(ctx.db, userUuid))) fail(errors.userNotFound)
      return devicesOf(ctx.db, userUuid)
    }),
  ]
}
