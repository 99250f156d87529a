import * as api from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { signedInCookie, startSessionCookies } from '../../http/cookies.ts'
import { on, onRaw, type Raw, type Route } from '../../http/mount.ts'
import { recognizeBrowser, type Access } from '../auth/sessions.actions.ts'
import { proofOptions, proveAgain } from './proof.actions.ts'
import {
  confirmAuthenticator,
  ownSecondFactor,
  remakeRecoveryCodes,
  removeAuthenticator,
  startAuthenticator,
} from './second-factor.actions.ts'
import { finishWithCode, finishWithPasskey, startSecondStep } from './second-step.actions.ts'

export function secondFactorRoutes(ctx: Ctx, access: Access): Route[] {
  const callerOf = ({ caller, request }: Raw) => recognizeBrowser(ctx, caller, signedInCookie(request))
  return [
    on(api.getSecondFactor, (_, caller) => ownSecondFactor(ctx, caller)),
    on(api.startAuthenticator, (_, caller) => startAuthenticator(ctx, caller)),
    on(api.confirmAuthenticator, async (input, caller) => {
      const made = await confirmAuthenticator(ctx, caller, input)
      await access.settled()
      return made
    }),
    on(api.removeAuthenticator, async (_, caller) => {
      const endedSessions = await removeAuthenticator(ctx, caller)
      await access.settled()
      return { endedSessions }
    }),
    on(api.makeRecoveryCodes, async (_, caller) => ({ recoveryCodes: await remakeRecoveryCodes(ctx, caller) })),
    on(api.getProofOptions, (_, caller) => proofOptions(ctx, caller)),
    on(api.proveIdentity, async (input, caller) => {
      const proven = await proveAgain(ctx, caller, input)
      await access.settled()
      return proven
    }),
    onRaw(api.startSecondStep, async (input, raw) => startSecondStep(ctx, await callerOf(raw), input)),
    onRaw(api.finishWithCode, async (input, raw) =>
      startSessionCookies(raw, await finishWithCode(ctx, await callerOf(raw), input)),
    ),
    onRaw(api.finishWithPasskey, async (input, raw) =>
      startSessionCookies(raw, await finishWithPasskey(ctx, await callerOf(raw), input)),
    ),
  ]
}
