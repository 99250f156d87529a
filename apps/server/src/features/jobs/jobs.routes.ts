import { errors } from '@causeway/contract'
import * as api from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { fail } from '../../http/errors.ts'
import { on, type Route } from '../../http/mount.ts'
import { findJob } from './jobs.queries.ts'
import { changeSquadMembers } from './squad-members.actions.ts'

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

export function jobsRoutes(ctx: Ctx): Route[] {
  return [
    on(api.getJob, async ({ id }) => {
      const job = UUID.test(id) ? await findJob(ctx.db, id) : undefined
      return job ?? fail(errors.jobNotFound)
    }),
    on(api.addUsersToInternalSquad, ({ uuid }, caller) => changeSquadMembers(ctx, caller, uuid, 'addEveryone')),
    on(api.removeUsersFromInternalSquad, ({ uuid }, caller) => changeSquadMembers(ctx, caller, uuid, 'removeEveryone')),
  ]
}
