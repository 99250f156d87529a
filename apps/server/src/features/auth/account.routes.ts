import * as api from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { on, onRaw, type Route } from '../../http/mount.ts'
import { changeOwnPassword, endOneSession, endSessionsBut, findAccount, sessionsOf } from './account.actions.ts'
import type { Access } from './sessions.actions.ts'

export function accountRoutes(ctx: Ctx, access: Access): Route[] {
  /** No server process may go by a session that has ended. */
  const settled = async (endedSessions: number) => {
    await access.settled()
    return { endedSessions }
  }
  return [
    onRaw(api.getAccount, (_, raw) => findAccount(ctx, raw)),
    on(api.changePassword, async (input, caller) => settled(await changeOwnPassword(ctx, caller, input))),
    on(api.listSessions, (_, caller) => sessionsOf(ctx, caller)),
    on(api.endSession, async ({ uuid }, caller) => settled(await endOneSession(ctx, caller, uuid))),
    on(api.endOtherSessions, async (_, caller) => settled(await endSessionsBut(ctx, caller))),
  ]
}
