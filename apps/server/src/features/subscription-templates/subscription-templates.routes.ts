import * as api from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { on, type Route } from '../../http/mount.ts'
import { editTemplate, findTemplate } from './subscription-templates.actions.ts'

export function subscriptionTemplatesRoutes(ctx: Ctx): Route[] {
  return [
    on(api.getSubscriptionTemplate, ({ templateType }) => findTemplate(ctx.db, templateType)),
    on(api.updateSubscriptionTemplate, (edit, caller) => editTemplate(ctx, caller, edit)),
  ]
}
