import { errors, type OpenProfile } from '@causeway/contract'
import { closesLocalNetworks, computeProfile, isObject, withLocalNetworksClosed } from '@causeway/xray'
import type { Caller, Ctx } from '../../ctx.ts'
import { fail } from '../../http/errors.ts'
import { readSnippets } from '../config-profiles/computed.queries.ts'
import { editConfigProfile } from '../config-profiles/config-profiles.actions.ts'
import { findConfigProfile } from '../config-profiles/config-profiles.queries.ts'
import { startRollout } from './rollouts.actions.ts'
import { listIdleProfiles, listRolloutCandidates } from './rollouts.queries.ts'

/** Kept with the revision. */
const REASON = 'Local networks of the nodes closed to subscribers'

export async function listOpenProfiles({ db }: Ctx): Promise<{ profiles: OpenProfile[] }> {
  const profiles = await listIdleProfiles(db)
  const snippets = await readSnippets(db)
  const open = profiles.filter(({ config }) => isObject(config) && !closesLocalNetworks(computeProfile(config, snippets)))
  return { profiles: open.map(({ uuid, name }) => ({ uuid, name })) }
}

/** @throws configProfileNotFound, rolloutChangesNothing, rolloutUnderWay, configUnusable */
export async function closeLocalNetworks(ctx: Ctx, caller: Caller, uuid: string) {
  const profile = (await findConfigProfile(ctx.db, uuid)) ?? fail(errors.configProfileNotFound)
  if (!isObject(profile.config)) fail(errors.rolloutChangesNothing)
  const computed = computeProfile(profile.config, await readSnippets(ctx.db))
  if (closesLocalNetworks(computed)) fail(errors.rolloutChangesNothing)
  const config = withLocalNetworksClosed(profile.config, computed)
  const candidates = await listRolloutCandidates(ctx.db, uuid, ctx.now())
  if (candidates.length > 0) return { rollout: await startRollout(ctx, caller, { uuid, config, reason: REASON }) }
  await editConfigProfile(ctx, caller, { uuid, config, reason: REASON })
  return { rollout: null }
}
