import * as api from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { on, type Route } from '../../http/mount.ts'
import { loadPage, previewPage, publishPage, readPage } from './page.actions.ts'

export function subscriptionPageRoutes(ctx: Ctx): Route[] {
  return [
    on(api.getSubscriptionPage, () => readPage(ctx)),
    on(api.publishSubscriptionPage, (page, caller) => publishPage(ctx, caller, page)),
    on(api.previewSubscriptionPage, (page) => previewPage(ctx, page)),
    on(api.fetchSubscriptionPage, ({ url }) => loadPage(ctx, url)),
  ]
}
