import { errors } from '@causeway/contract'
import { canonicalJson, isObject, type XrayObject } from '@causeway/xray'
import type { Caller, Ctx } from '../../ctx.ts'
import type { Db } from '../../db/driver/connect.ts'
import { countOnline, withOnline } from '../../ground/online.queries.ts'
import { fail } from '../../http/errors.ts'
import { refuseUnstorable } from '../../http/unstorable.ts'
import { failingAs } from '../../http/violations.ts'
import { startJob } from '../../jobs/jobs.queries.ts'
import { write } from '../audit/audit.actions.ts'
import { madeRows } from '../audit/rows.queries.ts'
import { readSnippets } from '../config-profiles/computed.queries.ts'
import { refuseEmpty, refuseMistakes, refuseRollouts } from '../snippets/snippets.actions.ts'
import {
  listProfilesNaming,
  listRolloutsNaming,
  listSnippets,
  lockProfiles,
  lockSnippetBy,
} from '../snippets/snippets.queries.ts'
import { hasEngine, tryConfig } from '../validator/try-config.actions.ts'
import { rollOutProfile } from './rollouts.jobs.ts'
import { computeProfile } from '@causeway/xray'
import {
  findRollout,
  insertSnippetRollout,
  insertTurns,
  isUpdateAt,
  listSnippetCandidates,
  setRolloutJob,
} from './rollouts.queries.ts'
import { inTurn, waveOf } from './rollouts.rules.ts'

interface NewRollout {
  uuid: string
  snippet: XrayObject[]
  reason?: string | undefined
  firstNodeUuid?: string | undefined
}

/**
 * The next content of a snippet goes to one node first, whatever profile that runs.
 * @throws snippetNotFound, snippetUnusable, rolloutChangesNothing, rolloutUnderWay, rolloutWithoutNode, rolloutNodeUnusable
 */
export async function startSnippetRollout(ctx: Ctx, caller: Caller, given: NewRollout) {
  refuseEmpty(given.snippet)
  refuseUnstorable({ ...given })
  await tryForOthers(ctx, given)
  return write(ctx, caller, async (tx, record) => {
    const stored = (await lockSnippetBy(tx, { uuid: given.uuid })) ?? fail(errors.snippetNotFound)
    const { id, uuid, name } = stored
    if (canonicalJson({ of: stored.snippet }) === canonicalJson({ of: given.snippet })) fail(errors.snippetChangesNothing)
    const profileIds = (await listProfilesNaming(tx, name)).map((profile) => profile.id)
    refuseRollouts([...(await lockProfiles(tx, profileIds)), ...(await listRolloutsNaming(tx, name))])
    await refuseMistakes(ctx, tx, { name, snippet: given.snippet })
    const at = ctx.now()
    const candidates = inTurn(await listSnippetCandidates(tx, profileIds, at))
    const ids = candidates.map((node) => node.id)
    if (await isUpdateAt(tx, ids)) fail(errors.nodeUpdateUnderWay)
    const { firstNodeUuid, reason } = given
    const first = firstNodeUuid === undefined ? candidates[0] : candidates.find((node) => node.uuid === firstNodeUuid)
    if (!first) fail(firstNodeUuid === undefined ? errors.rolloutWithoutNode : errors.rolloutNodeUnusable)
    const row = { snippetId: id, snippet: JSON.stringify(given.snippet), reason: reason ?? null, startedAt: at }
    const insert = insertSnippetRollout(tx, { ...row, actorKind: caller.kind, actorName: caller.name })
    const made = await failingAs({ configProfileRollouts_openSnippet_key: errors.snippetRolloutUnderWay }, insert)
    const nodes = [first, ...candidates.filter((node) => node !== first)]
    await insertTurns(
      tx,
      made.id,
      nodes.map((node, turn) => ({ nodeId: node.id, wave: waveOf(turn) })),
      at,
    )
    const kind = { ...rollOutProfile, group: `roll-out of ${uuid}` }
    const jobId = await startJob(tx, kind, { payload: { rolloutId: made.id }, total: nodes.length }, at)
    if (jobId !== undefined) await setRolloutJob(tx, made.id, jobId)
    record({ action: 'startRollout', target: uuid, rows: madeRows('rollout', [made.id]), details: { jobId } })
    return (await findRollout(tx, made.uuid)) ?? fail(errors.rolloutNotFound)
  })
}

/** As for profiles: agents of the 2.1 generation cannot try a configuration before they end the core that runs. */
async function tryForOthers({ db, now, config: { engineDir } }: Ctx, { uuid, snippet }: NewRollout): Promise<void> {
  const { name, profiles } = await findSnippet(db, uuid)
  const candidates = await listSnippetCandidates(
    db,
    profiles.map(({ id }) => id),
    now(),
  )
  const others = new Set(candidates.filter(({ testsConfig }) => !testsConfig).map((node) => node.activeConfigProfileId))
  if (others.size === 0) return
  const next = new Map([...(await readSnippets(db)), [name, snippet]])
  for (const { id, config, name: profile } of profiles) {
    if (!others.has(id) || !isObject(config)) continue
    const problem = await tryConfig(engineDir, JSON.stringify(computeProfile(config, next)))
    if (typeof problem === 'string')
      fail(errors.snippetUnusable, { message: `Xray refuses the profile "${profile}" with it: ${problem}` })
  }
}

/** Candidates for the first node. @throws snippetNotFound */
export async function prepareSnippetRollout({ db, now, config }: Ctx, uuid: string) {
  const { profiles } = await findSnippet(db, uuid)
  const nodes = await listSnippetCandidates(
    db,
    profiles.map(({ id }) => id),
    now(),
  )
  const online = await countOnline(db, now())
  return {
    watchSeconds: config.ROLLOUT_WATCH_SECONDS,
    hasEngine: await hasEngine(config.engineDir),
    first: inTurn(nodes)[0]?.uuid ?? null,
    nodes: nodes.map((node) => withOnline(node, online)),
  }
}

async function findSnippet(db: Db, uuid: string) {
  const snippet = (await listSnippets(db)).find((each) => each.uuid === uuid.toLowerCase()) ?? fail(errors.snippetNotFound)
  return { name: snippet.name, profiles: await listProfilesNaming(db, snippet.name) }
}
