import * as api from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { on, onRaw, type Route } from '../../http/mount.ts'
import { chosenUsers } from '../internal-squads/members.actions.ts'
import { changeExternalMembers } from './external-members.actions.ts'
import { createSquad, editSquad, removeSquad, reorderSquads, showSquad, showSquads } from './external-squads.actions.ts'

export function externalSquadsRoutes(ctx: Ctx): Route[] {
  return [
    on(api.listExternalSquads, () => showSquads(ctx.db)),
    on(api.getExternalSquad, ({ uuid }) => showSquad(ctx.db, uuid)),
    on(api.createExternalSquad, (squad, caller) => createSquad(ctx, caller, squad)),
    on(api.updateExternalSquad, (edit, caller) => editSquad(ctx, caller, edit)),
    on(api.deleteExternalSquad, ({ uuid }, caller) => removeSquad(ctx, caller, uuid)),
    on(api.reorderExternalSquads, ({ items }, caller) => reorderSquads(ctx, caller, items)),
    onRaw(api.addUsersToExternalSquad, ({ uuid, ...chosen }, { caller, request }) =>
      changeExternalMembers(ctx, caller, { uuid, userUuids: chosenUsers(chosen, request.body), isAdding: true }),
    ),
    onRaw(api.removeUsersFromExternalSquad, ({ uuid, ...chosen }, { caller, request }) =>
      changeExternalMembers(ctx, caller, { uuid, userUuids: chosenUsers(chosen, request.body), isAdding: false }),
    ),
  ]
}
