import { errors } from '@causeway/contract'
import * as api from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { fail } from '../../http/errors.ts'
import { on, onRaw, type Route } from '../../http/mount.ts'
import { createInternalSquad, editInternalSquad, removeInternalSquad, reorderInternalSquads } from './internal-squads.actions.ts'
import {
  findInternalSquad,
  findInternalSquadId,
  listInternalSquads,
  listSquadAccessibleNodes,
} from './internal-squads.queries.ts'
import { changeSquadMembers, chosenUsers } from './members.actions.ts'

export function internalSquadsRoutes(ctx: Ctx): Route[] {
  return [
    on(api.listInternalSquads, async (_, { scope }) => {
      const internalSquads = await listInternalSquads(ctx.db, scope)
      return { total: internalSquads.length, internalSquads }
    }),
    on(
      api.getInternalSquad,
      async ({ uuid }, { scope }) => (await findInternalSquad(ctx.db, scope, uuid)) ?? fail(errors.internalSquadNotFound),
    ),
    on(api.getInternalSquadAccessibleNodes, async ({ uuid }) => {
      const squad = (await findInternalSquadId(ctx.db, uuid)) ?? fail(errors.internalSquadNotFound)
      return { squadUuid: squad.uuid, accessibleNodes: await listSquadAccessibleNodes(ctx.db, squad.id) }
    }),
    on(api.createInternalSquad, (squad, caller) => createInternalSquad(ctx, caller, squad)),
    on(api.updateInternalSquad, (edit, caller) => editInternalSquad(ctx, caller, edit)),
    on(api.deleteInternalSquad, ({ uuid }, caller) => removeInternalSquad(ctx, caller, uuid)),
    on(api.reorderInternalSquads, async ({ items }, caller) => {
      const internalSquads = await reorderInternalSquads(ctx, caller, items)
      return { total: internalSquads.length, internalSquads }
    }),
    on(api.addManyUsersToInternalSquad, ({ uuid, userUuids }, caller) =>
      changeSquadMembers(ctx, caller, { uuid, userUuids, isAdding: true }),
    ),
    on(api.removeManyUsersFromInternalSquad, ({ uuid, userUuids }, caller) =>
      changeSquadMembers(ctx, caller, { uuid, userUuids, isAdding: false }),
    ),
    onRaw(api.addUsersToInternalSquad, ({ uuid, ...chosen }, { caller, request }) =>
      changeSquadMembers(ctx, caller, { uuid, userUuids: chosenUsers(chosen, request.body), isAdding: true }),
    ),
    onRaw(api.removeUsersFromInternalSquad, ({ uuid, ...chosen }, { caller, request }) =>
      changeSquadMembers(ctx, caller, { uuid, userUuids: chosenUsers(chosen, request.body), isAdding: false }),
    ),
  ]
}
