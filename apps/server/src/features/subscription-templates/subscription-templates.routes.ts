import * as api from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { on, type Route } from '../../http/mount.ts'
import {
  allTemplates,
  createTemplate,
  editTemplate,
  findTemplate,
  makeDefault,
  removeTemplate,
  reorderTemplates,
} from './subscription-templates.actions.ts'

export function subscriptionTemplatesRoutes(ctx: Ctx): Route[] {
  return [
    on(api.getSubscriptionTemplate, ({ templateType: which }) => findTemplate(ctx.db, which)),
    on(api.listSubscriptionTemplates, async () => listed(await allTemplates(ctx.db))),
    on(api.patchSubscriptionTemplate, ({ uuid, ...edit }, caller) => editTemplate(ctx, caller, uuid, edit)),
    on(api.createSubscriptionTemplate, (template, caller) => createTemplate(ctx, caller, template)),
    on(api.makeTemplateDefault, ({ uuid }, caller) => makeDefault(ctx, caller, uuid)),
    on(api.deleteSubscriptionTemplate, ({ uuid }, caller) => removeTemplate(ctx, caller, uuid)),
    on(api.reorderSubscriptionTemplates, async ({ items }, caller) => listed(await reorderTemplates(ctx, caller, items))),
    on(api.updateSubscriptionTemplate, ({ templateType, ...edit }, caller) => editTemplate(ctx, caller, templateType, edit)),
  ]
}

function listed<T>(templates: T[]): { total: number; templates: T[] } {
  return { total: templates.length, templates }
}
