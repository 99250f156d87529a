import * as api from '@causeway/contract'
import { errors } from '@causeway/contract'
import type { Caller, Ctx } from '../../ctx.ts'
import { fail } from '../../http/errors.ts'
import { on, type Route } from '../../http/mount.ts'
import { rememberRules } from '../../ground/response-rules/response-rules.rules.ts'
import { rulingFor } from '../response-rules/preview.rules.ts'
import { readSettings } from '../subscription-settings/subscription-settings.queries.ts'
import { findUserKeys } from '../users/lookup.queries.ts'
import { laterPage } from './later-page.rules.ts'
import { loadPage, previewPage, publishPage, readPage } from './page.actions.ts'

export function subscriptionPageRoutes(ctx: Ctx): Route[] {
  /** The page that the installation has, in the form of later generations. */
  const entry = async ({ origin }: Caller) => {
    const [{ config }, { profileTitle, supportLink }] = await Promise.all([readPage(ctx), readSettings(ctx.db)])
    const panel = ctx.config.PUBLIC_URL ?? origin ?? ''
    const frame = {
      title: profileTitle,
      logoUrl: `${panel}/favicon.svg`,
      supportUrl: URL.canParse(supportLink) ? supportLink : panel,
    }
    return { uuid: api.DEFAULT_PAGE_CONFIG, viewPosition: 1, name: 'Default', config: laterPage(config, frame), tags: [] }
  }
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
    on(api.listPageConfigs, async (_, caller) => ({ total: 1, configs: [await entry(caller)] })),
    on(api.getPageConfig, async ({ uuid }, caller) =>
      uuid === api.DEFAULT_PAGE_CONFIG ? entry(caller) : fail(errors.pageConfigNotFound),
    ),
    // Without rules of its own the panel shows every browser the page; a link that leads nowhere has none.
    on(api.getSubpageConfig, async ({ shortUuid, requestHeaders = {} }) => {
      const user = await findUserKeys(ctx.db, { shortUuid: shortUuid.replaceAll('\0', '') })
      return { subpageConfigUuid: null, webpageAllowed: user !== undefined && (await allowsPage(shortUuid, requestHeaders)) }
    }),
    on(api.publishSubscriptionPage, (page, caller) => publishPage(ctx, caller, page)),
    on(api.previewSubscriptionPage, (page) => previewPage(ctx, page)),
    on(api.fetchSubscriptionPage, ({ url }) => loadPage(ctx, url)),
  ]
}
