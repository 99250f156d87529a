import * as api from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { browserId, clearPageCookie, knownBrowserId, signedInCookie, startSessionCookies } from '../../http/cookies.ts'
import { on, onRaw, type Raw, type Route } from '../../http/mount.ts'
import { authStatus, loginWithPassword, registerAdmin } from './auth.actions.ts'
import { finishOAuth2, startOAuth2 } from './oauth2.actions.ts'
import { closeSession, recognizeBrowser, type Access } from './sessions.actions.ts'
import { loginWithTelegram } from './telegram.actions.ts'

export function authRoutes(ctx: Ctx, access: Access): Route[] {
  const callerOf = ({ caller, request }: Raw) => recognizeBrowser(ctx, caller, signedInCookie(request))
  return [
    on(api.getAuthStatus, () => authStatus(ctx)),
    onRaw(api.register, async (input, raw) => startSessionCookies(raw, await registerAdmin(ctx, await callerOf(raw), input))),
    onRaw(api.login, async (input, raw) => startSessionCookies(raw, await loginWithPassword(ctx, await callerOf(raw), input))),
    onRaw(api.telegramCallback, async (input, raw) =>
      startSessionCookies(raw, await loginWithTelegram(ctx, await callerOf(raw), input)),
    ),
    onRaw(api.oauth2Authorize, async ({ provider }, raw) => ({
      authorizationUrl: await startOAuth2(ctx, await callerOf(raw), provider, browserId(raw.request, raw.reply)),
    })),
    onRaw(api.oauth2Callback, async (input, raw) =>
      startSessionCookies(raw, await finishOAuth2(ctx, await callerOf(raw), input, knownBrowserId(raw.request))),
    ),
    onRaw(api.logout, async (_, { caller, reply }) => {
      await closeSession(ctx, caller)
      await access.settled()
      clearPageCookie(reply)
      return { isLoggedOut: true }
    }),
  ]
}
