import * as api from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { readInstallation } from '../../ground/installation.queries.ts'
import { on, type Route } from '../../http/mount.ts'
import { editInstallation } from './installation.actions.ts'

export function installationRoutes(ctx: Ctx): Route[] {
  return [
    on(api.getInstallation, () => readInstallation(ctx.db)),
    on(api.updateInstallation, (edit, caller) => editInstallation(ctx, caller, edit)),
  ]
}
