import * as api from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { on, type Route } from '../../http/mount.ts'
import { editSettings } from './subscription-settings.actions.ts'
import { readSettings } from './subscription-settings.queries.ts'

export function subscriptionSettingsRoutes(ctx: Ctx): Route[] {
  return [
    on(api.getSubscriptionSettings, () => readSettings(ctx.db)),
    on(api.updateSubscriptionSettings, (edit, caller) => editSettings(ctx, caller, edit)),
  ]
}
