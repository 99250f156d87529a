import * as api from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { on, type Route } from '../../http/mount.ts'
import { changeView, removeView, saveView } from './views.actions.ts'
import { listViews } from './views.queries.ts'

export function viewsRoutes(ctx: Ctx): Route[] {
  return [
    on(api.listViews, async ({ page }) => ({ views: await listViews(ctx.db, page) })),
    on(api.createView, (view, caller) => saveView(ctx, caller, view)),
    on(api.updateView, (edit, caller) => changeView(ctx, caller, edit)),
    on(api.deleteView, ({ uuid }, caller) => removeView(ctx, caller, uuid)),
  ]
}
