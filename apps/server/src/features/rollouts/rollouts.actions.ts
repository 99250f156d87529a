import { errors, type RenamedTag } from '@causeway/contract'
import { canonicalJson, deriveInbounds, orderSections, planInboundSync, type XrayObject } from '@causeway/xray'
import type { Caller, Ctx } from '../../ctx.ts'
import type { Tx } from '../../db/driver/connect.ts'
import { countOnline, withOnline } from '../../ground/online.queries.ts'
import { fail } from '../../http/errors.ts'
import { failingAs } from '../../http/violations.ts'
import { lockJob, startJob } from '../../jobs/jobs.queries.ts'
import { endJob } from '../../jobs/run.ts'
import { write } from '../audit/audit.actions.ts'
import { madeRows, watchRows } from '../audit/rows.queries.ts'
import { refuseUnusable } from '../config-profiles/config-profiles.actions.ts'
import { computedConfig, holdSnippets } from '../config-profiles/computed.queries.ts'
import {
  findConfigProfile,
  hasOpenRollout,
  listStoredInbounds,
  lockConfigProfile,
} from '../config-profiles/config-profiles.queries.ts'
import { hasEngine, tryConfig } from '../validator/try-config.actions.ts'
import { rollOutProfile } from './rollouts.jobs.ts'
import {
  findRollout,
  findRolloutJob,
  insertNextInbounds,
  insertRollout,
  insertTurns,
  isUpdateAt,
  listForeignTags,
  listRolloutCandidates,
  lockOpenRollout,
  setPaused,
  setRolloutJob,
  waiveProof,
} from './rollouts.queries.ts'
import { inTurn, waveOf } from './rollouts.rules.ts'

interface NewRollout {
  uuid: string
  config: XrayObject
  renamed?: readonly RenamedTag[] | undefined
  followingHosts?: readonly string[] | undefined
  reason?: string | undefined
  firstNodeUuid?: string | undefined
}

/** @throws configUnusable (with every reason), rolloutUnderWay, rolloutWithoutNode, rolloutNodeUnusable, rolloutChangesNothing */
export async function startRollout(ctx: Ctx, caller: Caller, rollout: NewRollout) {
  await refuseUnusable(ctx, ctx.db, rollout.config, errors.configUnusable)
  await tryForOthers(ctx, rollout)
  return insertPlanned(ctx, caller, rollout)
}

/** Agents of the 2.1 generation end the core that runs before the next one is tried: it is tried here, where that can be done. */
async function tryForOthers({ db, now, config: { engineDir } }: Ctx, { uuid, config }: NewRollout): Promise<void> {
  const candidates = await listRolloutCandidates(db, uuid, now())
  if (candidates.every(({ testsConfig }) => testsConfig)) return
  const problem = await tryConfig(engineDir, JSON.stringify(await computedConfig(db, config)))
  if (typeof problem === 'string') fail(errors.configUnusable, { message: `Xray refuses this configuration: ${problem}` })
}

function insertPlanned(ctx: Ctx, caller: Caller, rollout: NewRollout) {
  const { uuid, config, renamed = [], followingHosts = [], reason, firstNodeUuid } = rollout
  return write(ctx, caller, async (tx, record) => {
    await holdSnippets(tx, config)
    await refuseUnusable(ctx, tx, config, errors.configUnusable)
    const profile = (await lockConfigProfile(tx, uuid)) ?? fail(errors.configProfileNotFound)
    if (canonicalJson(profile.config) === canonicalJson(config)) fail(errors.rolloutChangesNothing)
    if (await hasOpenRollout(tx, [profile.id])) fail(errors.rolloutUnderWay)
    const inbounds = deriveInbounds(config)
    await refuseTaken(
      tx,
      profile.id,
      inbounds.map(({ tag }) => tag),
    )
    const at = ctx.now()
    const candidates = inTurn(await listRolloutCandidates(tx, uuid, at))
    if (
      await isUpdateAt(
        tx,
        candidates.map(({ id }) => id),
      )
    )
      fail(errors.nodeUpdateUnderWay)
    const first = firstNodeUuid === undefined ? candidates[0] : candidates.find((node) => node.uuid === firstNodeUuid)
    if (!first) fail(firstNodeUuid === undefined ? errors.rolloutWithoutNode : errors.rolloutNodeUnusable)
    const insert = insertRollout(tx, {
      profileId: profile.id,
      config: JSON.stringify(orderSections(config)),
      renamed,
      followingHosts,
      reason: reason ?? null,
      actorKind: caller.kind,
      actorName: caller.name,
      startedAt: at,
    })
    const made = await failingAs({ configProfileRollouts_open_key: errors.rolloutUnderWay }, insert)
    const nodes = [first, ...candidates.filter((node) => node !== first)]
    const turns = nodes.map(({ id }, turn) => ({ nodeId: id, wave: waveOf(turn) }))
    await insertTurns(tx, made.id, turns, at)
    await insertNextInbounds(tx, made.id, planInboundSync(await listStoredInbounds(tx, profile.id), inbounds, renamed).update)
    const kind = { ...rollOutProfile, group: `roll-out of ${uuid}` }
    const jobId = await startJob(tx, kind, { payload: { rolloutId: made.id }, total: nodes.length }, at)
    if (jobId !== undefined) await setRolloutJob(tx, made.id, jobId)
    record({ action: 'startRollout', target: uuid, rows: madeRows('rollout', [made.id]), details: { jobId } })
    return (await findRollout(tx, made.uuid)) ?? fail(errors.rolloutNotFound)
  })
}

async function refuseTaken(tx: Tx, profileId: number, tags: string[]): Promise<void> {
  const taken = await listForeignTags(tx, profileId, tags)
  if (taken.length > 0) fail(errors.inboundsWithSameTagAlreadyExists)
}

/** @throws rolloutNotFound, rolloutOver */
export function pauseRollout(ctx: Ctx, caller: Caller, uuid: string, isPaused: boolean) {
  return write(ctx, caller, async (tx, record) => {
    const rollout = (await lockOpenRollout(tx, { uuid })) ?? (await failClosed(tx, uuid))
    const rows = await watchRows(tx, 'rollout', [rollout.id])
    await setPaused(tx, rollout.id, isPaused)
    record({ action: isPaused ? 'pauseRollout' : 'continueRollout', target: uuid, rows })
    return (await findRollout(tx, uuid)) ?? fail(errors.rolloutNotFound)
  })
}

/** It goes on although no user has shown that the revision works. @throws rolloutNotFound, rolloutOver */
export function waiveRolloutProof(ctx: Ctx, caller: Caller, uuid: string) {
  return write(ctx, caller, async (tx, record) => {
    const rollout = (await lockOpenRollout(tx, { uuid })) ?? (await failClosed(tx, uuid))
    const rows = await watchRows(tx, 'rollout', [rollout.id])
    await waiveProof(tx, rollout.id)
    record({ action: 'waiveRolloutProof', target: uuid, rows })
    return (await findRollout(tx, uuid)) ?? fail(errors.rolloutNotFound)
  })
}

/** Ends it now; its nodes go back to what they ran before. @throws rolloutNotFound, rolloutOver */
export function takeBackRollout(ctx: Ctx, caller: Caller, uuid: string) {
  return write(ctx, caller, async (tx, record) => {
    // Locks the job first, in the order of its runner; everything is put back with it. It is open for as long as the
    // roll-out is.
    const { jobId } = (await findRolloutJob(tx, uuid)) ?? fail(errors.rolloutNotFound)
    const job = (jobId === null ? undefined : await lockJob(tx, jobId)) ?? fail(errors.rolloutOver)
    await endJob(ctx, tx, rollOutProfile, job, { status: 'cancelled', error: null })
    record({ action: 'takeBackRollout', target: uuid, details: { jobId: job.id } })
    return (await findRollout(tx, uuid)) ?? fail(errors.rolloutNotFound)
  })
}

async function failClosed(tx: Tx, uuid: string): Promise<never> {
  return fail((await findRollout(tx, uuid)) ? errors.rolloutOver : errors.rolloutNotFound)
}

/**
 * Candidates for the first node.
 * @throws configProfileNotFound
 */
export async function prepareRollout(ctx: Ctx, uuid: string) {
  if (!(await findConfigProfile(ctx.db, uuid))) fail(errors.configProfileNotFound)
  const nodes = await listRolloutCandidates(ctx.db, uuid, ctx.now())
  // Users online are counted as everywhere; the last readings of agents choose the first node.
  const online = await countOnline(ctx.db, ctx.now())
  const { ROLLOUT_WATCH_SECONDS, engineDir } = ctx.config
  return {
    watchSeconds: ROLLOUT_WATCH_SECONDS,
    hasEngine: await hasEngine(engineDir),
    first: inTurn(nodes)[0]?.uuid ?? null,
    nodes: nodes.map((node) => withOnline(node, online)),
  }
}
