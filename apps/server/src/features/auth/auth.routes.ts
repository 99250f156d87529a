import * as api from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { browserId, clearPageCookie, knownBrowserId, setPageCookie } from '../../http/cookies.ts'
import { on, onRaw, type Raw, type Route } from '../../http/mount.ts'
import { authStatus, loginWithPassword, registerAdmin } from './auth.actions.ts'
import { finishOAuth2, startOAuth2 } from './oauth2.actions.ts'
import { closeSession, type Access, type SignedIn } from './sessions.actions.ts'
import { loginWithTelegram } from './telegram.actions.ts'

export function authRoutes(ctx: Ctx, access: Access): Route[] {
  return [
    on(api.getAuthStatus, () => authStatus(ctx)),
    onRaw(api.register, async (input, raw) => welcome(raw, await registerAdmin(ctx, raw.caller, input))),
    onRaw(api.login, async (input, raw) => welcome(raw, await loginWithPassword(ctx, raw.caller, input))),
    onRaw(api.telegramCallback, async (input, raw) => welcome(raw, await loginWithTelegram(ctx, raw.caller, input))),
    onRaw(api.oauth2Authorize, async ({ provider }, { caller, request, reply }) => ({
      authorizationUrl: await startOAuth2(ctx, caller, provider, browserId(request, reply)),
    })),
    onRaw(api.oauth2Callback, async (input, raw) =>
      welcome(raw, await finishOAuth2(ctx, raw.caller, input, knownBrowserId(raw.request))),
    ),
    onRaw(api.logout, async (_, { caller, reply }) => {
      await closeSession(ctx, caller)
      await access.settled()
      clearPageCookie(reply)
      return { isLoggedOut: true }
    }),
  ]
}

function welcome({ request, reply }: Raw, { accessToken, pageToken, expiresAt }: SignedIn): { accessToken: string } {
  setPageCookie(request, reply, pageToken, expiresAt)
  return { accessToken }
}
