import * as api from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { on, type Route } from '../../http/mount.ts'
import { allTemplates, editTemplate, findTemplate, reorderTemplates } from './subscription-templates.actions.ts'

export function subscriptionTemplatesRoutes(ctx: Ctx): Route[] {
  return [
    on(api.getSubscriptionTemplate, ({ templateType: which }) => findTemplate(ctx.db, which)),
    on(api.listSubscriptionTemplates, async () => listed(await allTemplates(ctx.db))),
    on(api.patchSubscriptionTemplate, async ({ uuid, templateJson, encodedTemplateYaml }, caller) => {
      const { templateType } = await findTemplate(ctx.db, uuid)
      return editTemplate(ctx, caller, { templateType, templateJson, encodedTemplateYaml })
    }),
    on(api.reorderSubscriptionTemplates, async ({ items }, caller) => listed(await reorderTemplates(ctx, caller, items))),
    on(api.updateSubscriptionTemplate, (edit, caller) => editTemplate(ctx, caller, edit)),
  ]
}

function listed<T>(templates: T[]): { total: number; templates: T[] } {
  return { total: templates.length, templates }
}
