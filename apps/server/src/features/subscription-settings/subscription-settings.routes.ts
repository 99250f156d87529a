import * as api from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { emptyRemarks } from '@causeway/subscription'
import { laterOfSettings } from '../../ground/later-members.rules.ts'
import { on, type Route } from '../../http/mount.ts'
import { editSettings } from './subscription-settings.actions.ts'
import { readSettings, type StoredSettings } from './subscription-settings.queries.ts'

export function subscriptionSettingsRoutes(ctx: Ctx): Route[] {
  const own = { emptyHosts: emptyRemarks(true), emptySquads: emptyRemarks(false) }
  const { HWID_DEVICE_LIMIT_ENABLED, HWID_FALLBACK_DEVICE_LIMIT, HWID_MAX_DEVICES_ANNOUNCE } = ctx.config
  const devices = {
    isEnabled: HWID_DEVICE_LIMIT_ENABLED,
    fallback: HWID_FALLBACK_DEVICE_LIMIT,
    announce: HWID_MAX_DEVICES_ANNOUNCE,
  }
  const sent = (settings: StoredSettings) => ({ ...settings, ...laterOfSettings(settings, own, devices) })
  return [
    on(api.getSubscriptionSettings, async () => sent(await readSettings(ctx.db))),
    on(api.updateSubscriptionSettings, async (edit, caller) => sent(await editSettings(ctx, caller, edit))),
  ]
}
