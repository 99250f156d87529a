import * as api from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { on, type Route } from '../../http/mount.ts'
import { rememberRules } from '../../ground/response-rules/response-rules.rules.ts'
import { rulingFor } from '../response-rules/preview.rules.ts'
import { readSettings } from '../subscription-settings/subscription-settings.queries.ts'
import { findSubpage } from './configs.queries.ts'
import { createConfig, editConfig, listConfigs, removeConfig, reorderConfigs, showConfig } from './configs.actions.ts'
import { loadPage, previewPage, publishPage, readPage } from './page.actions.ts'

export function subscriptionPageRoutes(ctx: Ctx): Route[] {
  const rulesOf = rememberRules()
  /** Whether the stored rules show this browser the page. */
  const allowsPage = async (shortUuid: string, headers: Record<string, string>): Promise<boolean> => {
    const { responseRules, serveJsonAtBaseSubscription } = await readSettings(ctx.db)
    const rules = rulesOf(responseRules)
    if (!rules) return true
    const request = { ...headers, [api.SHORT_UUID_HEADER]: shortUuid }
    return rulingFor({ rules, serveJsonAtBaseSubscription }, request).kind === 'page'
  }
  return [
    on(api.getSubscriptionPage, () => readPage(ctx)),
    on(api.listPageConfigs, async (_, caller) => listed(await listConfigs(ctx, ctx.db, caller))),
    on(api.getPageConfig, ({ uuid }, caller) => showConfig(ctx, ctx.db, caller, uuid)),
    on(api.createPageConfig, ({ name }, caller) => createConfig(ctx, caller, { name })),
    on(api.clonePageConfig, ({ cloneFromUuid }, caller) => createConfig(ctx, caller, { from: cloneFromUuid })),
    on(api.updatePageConfig, (edit, caller) => editConfig(ctx, caller, edit)),
    on(api.deletePageConfig, ({ uuid }, caller) => removeConfig(ctx, caller, uuid)),
    on(api.reorderPageConfigs, async ({ items }, caller) => listed(await reorderConfigs(ctx, caller, items))),
    // Without rules of its own the panel shows every browser the page; a link that leads nowhere has none.
    on(api.getSubpageConfig, async ({ shortUuid, requestHeaders = {} }) => {
      const found = await findSubpage(ctx.db, shortUuid.replaceAll('\0', ''))
      const webpageAllowed = found !== undefined && (await allowsPage(shortUuid, requestHeaders))
      return { subpageConfigUuid: found?.subpageConfigUuid ?? null, webpageAllowed }
    }),
    on(api.publishSubscriptionPage, (page, caller) => publishPage(ctx, caller, page)),
    on(api.previewSubscriptionPage, (page) => previewPage(ctx, page)),
    on(api.fetchSubscriptionPage, ({ url }) => loadPage(ctx, url)),
  ]
}

function listed<T>(configs: T[]): { total: number; configs: T[] } {
  return { total: configs.length, configs }
}
