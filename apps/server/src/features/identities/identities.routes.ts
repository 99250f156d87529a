import * as api from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { browserId, knownBrowserId, signedInCookie, startSessionCookies } from '../../http/cookies.ts'
import { onRaw, type Raw, type Route } from '../../http/mount.ts'
import { recognizeBrowser } from '../auth/sessions.actions.ts'
import { finishOAuth2, startOAuth2 } from './oauth2.actions.ts'
import { loginWithTelegram } from './telegram.actions.ts'

export function identitiesRoutes(ctx: Ctx): Route[] {
  const callerOf = ({ caller, request }: Raw) => recognizeBrowser(ctx, caller, signedInCookie(request))
  return [
    onRaw(api.telegramCallback, async (input, raw) =>
      startSessionCookies(raw, await loginWithTelegram(ctx, await callerOf(raw), input)),
    ),
    onRaw(api.oauth2Authorize, async ({ provider }, raw) => ({
      authorizationUrl: await startOAuth2(ctx, await callerOf(raw), provider, browserId(raw.request, raw.reply)),
    })),
    onRaw(api.oauth2Callback, async (input, raw) =>
      startSessionCookies(raw, await finishOAuth2(ctx, await callerOf(raw), input, knownBrowserId(raw.request))),
    ),
  ]
}
