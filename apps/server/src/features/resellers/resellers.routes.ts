import * as api from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { on, type Route } from '../../http/mount.ts'
import type { Access } from '../auth/sessions.actions.ts'
import { addReseller, editReseller, removeReseller } from './resellers.actions.ts'
import { listResellers } from './resellers.queries.ts'

export function resellersRoutes(ctx: Ctx, access: Access): Route[] {
  return [
    on(api.listResellers, async () => ({ resellers: await listResellers(ctx.db, ctx.now()) })),
    on(api.createReseller, (reseller, caller) => addReseller(ctx, caller, reseller)),
    on(api.updateReseller, async (edit, caller) => {
      const changed = await editReseller(ctx, caller, edit)
      await access.settled() // no server process may go by a scope that has been taken
      return changed
    }),
    on(api.deleteReseller, async ({ uuid }, caller) => {
      await removeReseller(ctx, caller, uuid)
      return { isDeleted: true }
    }),
  ]
}
