import * as api from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { emptyRemarks } from '@causeway/subscription'
import { laterOfSettings } from '../../ground/later-members.rules.ts'
import { on, type Route } from '../../http/mount.ts'
import { hwidSettingsInForce } from '../../ground/hwid-settings.rules.ts'
import { editSettings } from './subscription-settings.actions.ts'
import { readSettings, type StoredSettings } from './subscription-settings.queries.ts'

export function subscriptionSettingsRoutes(ctx: Ctx): Route[] {
  const own = { emptyHosts: emptyRemarks(true), emptySquads: emptyRemarks(false) }
  const sent = (settings: StoredSettings) => ({
    ...settings,
    ...laterOfSettings(settings, own, hwidSettingsInForce(ctx.config, settings.hwidSettings)),
  })
  return [
    on(api.getSubscriptionSettings, async () => sent(await readSettings(ctx.db))),
    on(api.updateSubscriptionSettings, async (edit, caller) => sent(await editSettings(ctx, caller, edit))),
  ]
}
