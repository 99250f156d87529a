import * as api from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { on, type Route } from '../../http/mount.ts'
import { loginAdmin, registerAdmin } from './auth.actions.ts'
import { findAdmin } from './auth.queries.ts'

export function authRoutes(ctx: Ctx): Route[] {
  return [
    on(api.getAuthStatus, async () => {
      const isRegistered = (await findAdmin(ctx.db)) !== undefined
      return {
        isLoginAllowed: isRegistered,
        isRegisterAllowed: !isRegistered,
        tgAuth: null,
        oauth2: { providers: { github: false, pocketid: false, yandex: false } },
      }
    }),
    on(api.register, (credentials, caller) => registerAdmin(ctx, caller, credentials)),
    on(api.login, (credentials, caller) => loginAdmin(ctx, caller, credentials)),
  ]
}
