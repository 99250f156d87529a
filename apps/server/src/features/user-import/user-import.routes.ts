import * as api from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { on, type Route } from '../../http/mount.ts'
import { planOfImport, startImport } from './user-import.actions.ts'

export function userImportRoutes(ctx: Ctx): Route[] {
  return [
    on(api.planUserImport, ({ csv }, caller) => planOfImport(ctx.db, caller, csv)),
    on(api.importUsers, (input, caller) => startImport(ctx, caller, input)),
  ]
}
