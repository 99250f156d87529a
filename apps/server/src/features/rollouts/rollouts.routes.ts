import * as api from '@causeway/contract'
import { errors } from '@causeway/contract'
import { prepareSnippetRollout, startSnippetRollout } from './snippet-rollouts.actions.ts'
import type { Ctx } from '../../ctx.ts'
import { fail } from '../../http/errors.ts'
import { on, type Route } from '../../http/mount.ts'
import { pauseRollout, prepareRollout, startRollout, takeBackRollout, waiveRolloutProof } from './rollouts.actions.ts'
import { closeLocalNetworks, listOpenProfiles } from './local-networks.actions.ts'
import { findRolloutConfig, listLastRollouts } from './rollouts.queries.ts'

export function rolloutsRoutes(ctx: Ctx): Route[] {
  return [
    on(api.listRollouts, async () => ({ rollouts: await listLastRollouts(ctx.db) })),
    on(api.getRolloutConfig, async ({ uuid }) => (await findRolloutConfig(ctx.db, uuid)) ?? fail(errors.rolloutNotFound)),
    on(api.listOpenProfiles, () => listOpenProfiles(ctx)),
    on(api.closeLocalNetworks, ({ uuid }, caller) => closeLocalNetworks(ctx, caller, uuid)),
    on(api.prepareRollout, ({ uuid }) => prepareRollout(ctx, uuid)),
    on(api.prepareSnippetRollout, ({ uuid }) => prepareSnippetRollout(ctx, uuid)),
    on(api.startSnippetRollout, (rollout, caller) => startSnippetRollout(ctx, caller, rollout)),
    on(api.startRollout, (rollout, caller) => startRollout(ctx, caller, rollout)),
    on(api.pauseRollout, ({ uuid }, caller) => pauseRollout(ctx, caller, uuid, true)),
    on(api.continueRollout, ({ uuid }, caller) => pauseRollout(ctx, caller, uuid, false)),
    on(api.waiveRolloutProof, ({ uuid }, caller) => waiveRolloutProof(ctx, caller, uuid)),
    on(api.takeBackRollout, ({ uuid }, caller) => takeBackRollout(ctx, caller, uuid)),
  ]
}
