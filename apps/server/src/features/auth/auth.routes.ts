import * as api from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { clearPageCookie, signedInCookie, startSessionCookies } from '../../http/cookies.ts'
import { on, onRaw, type Raw, type Route } from '../../http/mount.ts'
import { authStatus, loginWithPassword, registerAdmin } from './auth.actions.ts'
import { closeSession, recognizeBrowser, type Access } from './sessions.actions.ts'

export function authRoutes(ctx: Ctx, access: Access): Route[] {
  const callerOf = ({ caller, request }: Raw) => recognizeBrowser(ctx, caller, signedInCookie(request))
  return [
    on(api.getAuthStatus, () => authStatus(ctx)),
    onRaw(api.register, async (input, raw) => startSessionCookies(raw, await registerAdmin(ctx, await callerOf(raw), input))),
    onRaw(api.login, async (input, raw) => startSessionCookies(raw, await loginWithPassword(ctx, await callerOf(raw), input))),
    onRaw(api.logout, async (_, { caller, reply }) => {
      await closeSession(ctx, caller)
      await access.settled()
      clearPageCookie(reply)
      return { isLoggedOut: true }
    }),
  ]
}
