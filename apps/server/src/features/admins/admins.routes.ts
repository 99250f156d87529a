import * as api from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { signedInCookie, startSessionCookies } from '../../http/cookies.ts'
import { on, onRaw, type Route } from '../../http/mount.ts'
import { recognizeBrowser, type Access } from '../auth/sessions.actions.ts'
import { addRole, allAdmins, allRoles, changeRole, changeRightsOf, removeColleague, removeRole } from './admins.actions.ts'
import { accept, invite, invitedPasskeyOptions, openInvitation, recall } from './invitations.actions.ts'

export function adminsRoutes(ctx: Ctx, access: Access): Route[] {
  /** No server process may go by rights that have been taken. */
  const settled = async <Result>(change: Promise<Result>): Promise<Result> => {
    const result = await change
    await access.settled()
    return result
  }
  return [
    on(api.listAdmins, () => allAdmins(ctx)),
    onRaw(api.inviteAdmin, (input, raw) => invite(ctx, raw, input)),
    on(api.recallInvitation, async (input, caller) => ({ isRecalled: await recall(ctx, caller, input) })),
    onRaw(api.updateAdmin, (input, raw) => settled(changeRightsOf(ctx, raw, input))),
    onRaw(api.removeAdmin, (input, raw) => settled(removeColleague(ctx, raw, input))),
    on(api.listRoles, () => allRoles(ctx)),
    onRaw(api.createRole, (input, raw) => addRole(ctx, raw, input)),
    onRaw(api.updateRole, (input, raw) => settled(changeRole(ctx, raw, input))),
    onRaw(api.deleteRole, async (input, raw) => {
      await removeRole(ctx, raw, input)
      return { isDeleted: true }
    }),
    on(api.getInvitation, ({ token }, caller) => openInvitation(ctx, caller, token)),
    on(api.getInvitationPasskeyOptions, (input, caller) => invitedPasskeyOptions(ctx, caller, input)),
    onRaw(api.acceptInvitation, async (input, raw) => {
      const caller = await recognizeBrowser(ctx, raw.caller, signedInCookie(raw.request))
      return startSessionCookies(raw, await accept(ctx, caller, input))
    }),
  ]
}
