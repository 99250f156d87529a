import * as api from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { browserId, knownBrowserId, signedInCookie, startSessionCookies } from '../../http/cookies.ts'
import { on, onRaw, type Raw, type Route } from '../../http/mount.ts'
import { recognizeBrowser, type Access } from '../auth/sessions.actions.ts'
import { beginLink, link, ownIdentities, unlink } from './linking.actions.ts'
import { finishOAuth2, startOAuth2 } from './oauth2.actions.ts'
import { loginWithTelegram } from './telegram.actions.ts'

export function identitiesRoutes(ctx: Ctx, access: Access): Route[] {
  /** The sessions that a change has ended count nowhere any more. */
  const settled = async <Result>(change: Promise<Result>): Promise<Result> => {
    const result = await change
    await access.settled()
    return result
  }
  const callerOf = ({ caller, request }: Raw) => recognizeBrowser(ctx, caller, signedInCookie(request))
  return [
    on(api.listIdentities, (_, caller) => ownIdentities(ctx, caller)),
    on(api.startIdentityLink, ({ provider }, caller) => beginLink(ctx, caller, provider)),
    on(api.linkIdentity, (answer, caller) => settled(link(ctx, caller, answer))),
    on(api.unlinkIdentity, ({ uuid }, caller) => settled(unlink(ctx, caller, uuid))),
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
