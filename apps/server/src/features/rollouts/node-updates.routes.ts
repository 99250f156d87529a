import * as api from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { on, type Route } from '../../http/mount.ts'
import { describeNodeUpdates, pauseNodeUpdate, startNodeUpdate, takeBackNodeUpdate } from './node-updates.actions.ts'

export function nodeUpdatesRoutes(ctx: Ctx): Route[] {
  return [
    on(api.getNodeUpdates, () => describeNodeUpdates(ctx)),
    on(api.startNodeUpdate, (wanted, caller) => startNodeUpdate(ctx, caller, wanted)),
    on(api.pauseNodeUpdate, ({ uuid }, caller) => pauseNodeUpdate(ctx, caller, uuid, true)),
    on(api.continueNodeUpdate, ({ uuid }, caller) => pauseNodeUpdate(ctx, caller, uuid, false)),
    on(api.takeBackNodeUpdate, ({ uuid }, caller) => takeBackNodeUpdate(ctx, caller, uuid)),
  ]
}
