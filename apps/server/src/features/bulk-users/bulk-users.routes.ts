import * as api from '@causeway/contract'
import type { Input } from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import type { Scope } from '../../lib/scope.ts'
import { refuseField } from '../../http/errors.ts'
import { GuardError } from '../../http/guards.ts'
import { on, onRaw, type Route } from '../../http/mount.ts'
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
import { toUser } from '../users/links.rules.ts'
import { startUsersChange } from './change.actions.ts'
import { extendOne, startExtension } from './extend.actions.ts'
import { previewExpiry } from './extend.queries.ts'
import { measureImpact } from './impact.queries.ts'
import type { Which } from './which.queries.ts'

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
    on(api.getUsersImpact, ({ status, ...which }, { scope }) => {
      if (status && !which.uuids && !which.filters) return measureImpact(ctx.db, { status }, scope, ctx.now())
      return measureImpact(ctx.db, toWhich(which, scope, ctx.now()), scope, ctx.now())
    }),
    onRaw(api.changeUsers, async ({ change, expected, ...which }, { caller, permissions }) => {
      if (change.kind === 'delete' && caller.kind === 'admin' && !permissions.has('users.delete'))
        throw new GuardError('notOfRole', 'users.delete')
      return startUsersChange(ctx, caller, { which: toWhich(which, caller.scope, ctx.now()), expected }, change)
    }),
    on(api.extendUsers, ({ months = 0, days = 0, expected, ...which }, caller) => {
      if (months === 0 && days === 0) return refuseField('months', 'say by how much: months, days, or both')
      return startExtension(ctx, caller, { which: toWhich(which, caller.scope, ctx.now()), expected }, { months, days })
    }),
    on(api.bulkExtendUsers, ({ uuids, extendDays }, caller) =>
      startExtension(ctx, caller, { which: { uuids }, expected: undefined }, { months: 0, days: extendDays }),
    ),
    on(api.bulkExtendAllUsers, async ({ extendDays }, caller) => {
      const { jobId } = await startExtension(ctx, caller, { which: 'all', expected: undefined }, { months: 0, days: extendDays })
      return { eventSent: true, ...(jobId ? { jobId } : {}) }
    }),
    on(api.extendUser, async ({ uuid, days }, caller) =>
      toUser(ctx.config, caller.origin, await extendOne(ctx, caller, uuid, days)),
    ),
    on(api.previewExpiry, ({ expireAt, ...which }, { scope }) => {
      const at = expireAt === undefined ? undefined : new Date(expireAt)
      return previewExpiry(ctx.db, toWhich(which, scope, ctx.now()), scope, ctx.now(), at)
    }),
  ]
}

/** The target of a body, in one of its three forms. */
function toWhich(
  { uuids, filters, filterModes = {}, all }: Omit<Input<typeof api.previewExpiry>, 'expireAt'>,
  scope: Scope,
  now: Date,
): Which {
  if (uuids) return { uuids }
  if (filters) {
    const view = toUsersView({ filters, filterModes }, scope, now)
    return 'refusal' in view ? refuseField(view.refusal.path, view.refusal.message) : { filters: view.filters }
  }
  return all ? 'all' : refuseField('uuids', 'say which users: uuids, filters, or all')
}
