import * as api from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { signedInCookie, startSessionCookies } from '../../http/cookies.ts'
import { on, onRaw, type Route } from '../../http/mount.ts'
import { recognizeBrowser, type Access } from '../auth/sessions.actions.ts'
import {
  addPasskey,
  authenticationOptions,
  loginWithPasskey,
  ownPasskeys,
  registrationOptions,
  removeOwnPasskey,
  renameOwnPasskey,
} from './passkeys.actions.ts'

export function passkeysRoutes(ctx: Ctx, access: Access): Route[] {
  return [
    on(api.listPasskeys, (_, caller) => ownPasskeys(ctx, caller)),
    on(api.getPasskeyRegistrationOptions, (_, caller) => registrationOptions(ctx, caller)),
    on(api.verifyPasskeyRegistration, async (input, caller) => {
      const endedSessions = await addPasskey(ctx, caller, input)
      await access.settled()
      return { verified: true, endedSessions }
    }),
    on(api.renamePasskey, (input, caller) => renameOwnPasskey(ctx, caller, input)),
    on(api.deletePasskey, async (input, caller) => {
      const left = await removeOwnPasskey(ctx, caller, input)
      await access.settled()
      return left
    }),
    on(api.getPasskeySignInOptions, (_, caller) => authenticationOptions(ctx, caller, 'signIn', null)),
    onRaw(api.verifyPasskeySignIn, async (input, raw) => {
      const caller = await recognizeBrowser(ctx, raw.caller, signedInCookie(raw.request))
      return startSessionCookies(raw, await loginWithPasskey(ctx, caller, input))
    }),
  ]
}
