import * as api from '@causeway/contract'
import type { Input } from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { refuseField } from '../../http/errors.ts'
import { on, type Route } from '../../http/mount.ts'
import { toUsersView } from '../users/list.rules.ts'
import {
  deleteByStatus,
  deleteSelected,
  resetEveryone,
  resetSelected,
  revokeSelected,
  setSquadsOfSelected,
  updateEveryone,
  updateSelected,
} from './bulk-users.actions.ts'
import { startExtension } from './extend.actions.ts'
import { previewExpiry, type Which } from './extend.queries.ts'
import { measureImpact } from './impact.queries.ts'

export function bulkUsersRoutes(ctx: Ctx): Route[] {
  return [
    on(api.bulkDeleteUsersByStatus, ({ status }, caller) => deleteByStatus(ctx, caller, status)),
    on(api.bulkDeleteUsers, ({ uuids }, caller) => deleteSelected(ctx, caller, uuids)),
    on(api.bulkResetUsersTraffic, ({ uuids }, caller) => resetSelected(ctx, caller, uuids)),
    on(api.bulkRevokeUsersSubscription, ({ uuids }, caller) => revokeSelected(ctx, caller, uuids)),
    on(api.bulkUpdateUsers, ({ uuids, fields }, caller) => updateSelected(ctx, caller, uuids, fields)),
    on(api.bulkUpdateUsersSquads, ({ uuids, activeInternalSquads }, caller) =>
      setSquadsOfSelected(ctx, caller, uuids, activeInternalSquads),
    ),
    on(api.bulkUpdateAllUsers, (fields, caller) => updateEveryone(ctx, caller, fields)),
    on(api.bulkResetAllUsersTraffic, (_, caller) => resetEveryone(ctx, caller)),
    on(api.getUsersImpact, async ({ uuids, status, all }) => {
      if (uuids) return measureImpact(ctx.db, { uuids }, ctx.now())
      if (status) return measureImpact(ctx.db, { status }, ctx.now())
      if (all) return measureImpact(ctx.db, 'all', ctx.now())
      return refuseField('uuids', 'say which users: uuids, a status, or all')
    }),
    on(api.extendUsers, ({ months = 0, days = 0, ...which }, caller) => {
      if (months === 0 && days === 0) return refuseField('months', 'say by how much: months, days, or both')
      return startExtension(ctx, caller, toWhich(which, ctx.now()), { months, days })
    }),
    on(api.previewExpiry, ({ expireAt, ...which }) => {
      const at = expireAt === undefined ? undefined : new Date(expireAt)
      return previewExpiry(ctx.db, toWhich(which, ctx.now()), ctx.now(), at)
    }),
  ]
}

/** The target of a body, in one of its three forms. */
function toWhich({ uuids, filters, filterModes = {}, all }: Omit<Input<typeof api.previewExpiry>, 'expireAt'>, now: Date): Which {
  if (uuids) return { uuids }
  if (filters) {
    const view = toUsersView({ filters, filterModes }, now)
    return 'refusal' in view ? refuseField(view.refusal.path, view.refusal.message) : { filters: view.filters }
  }
  return all ? 'all' : refuseField('uuids', 'say which users: uuids, filters, or all')
}
