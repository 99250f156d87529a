import { deriveInbounds, isObject } from '@causeway/xray'
import type { Ctx } from '../../ctx.ts'
import type { Tx } from '../../db/driver/connect.ts'
import { requestPart, requestStarts } from '../../ground/delivery.queries.ts'
import type { Batch } from '../../jobs/kinds.ts'
import { recordForJob } from '../audit/audit.actions.ts'
import { watchRows } from '../audit/rows.queries.ts'
import { replaceConfig } from '../config-profiles/config-profiles.actions.ts'
import { checkSnippetContent, replaceSnippet } from '../snippets/snippets.actions.ts'
import { lockSnippetBy } from '../snippets/snippets.queries.ts'
import { lockProfileById } from '../config-profiles/config-profiles.queries.ts'
import {
  endRollout,
  isProfileAhead,
  listForeignTags,
  listTurns,
  lockOpenRollout,
  updateTurn,
  type OpenRollout,
} from './rollouts.queries.ts'
import { nextStep, whyFailed } from './rollouts.rules.ts'

/** Between two looks at the nodes that are watched. */
const LONGEST_PAUSE_MS = 2000
const LOOKS_PER_WATCH = 20
/** Until the time that an update begins at. */
const EARLY_PAUSE_MS = 10_000

interface Progress {
  rolloutId: number
  /** The time of the last look. Nodes that no server has watched since then are not judged. */
  lastLookMs?: number | undefined
}

/** Looks at the nodes once, and begins the next wave, ends well or puts back, as they ask for. */
export async function stepOn(ctx: Ctx, tx: Tx, { rolloutId, lastLookMs }: Progress, done: number): Promise<Batch> {
  const rollout = await lockOpenRollout(tx, { id: rolloutId })
  if (!rollout) return { cursor: 0, count: 0, isLast: true }
  const watchMs = ctx.config.ROLLOUT_WATCH_SECONDS * 1000
  const now = ctx.now()
  const turns = await listTurns(tx, rolloutId, now)
  const lastLookAt = lastLookMs === undefined ? null : new Date(lastLookMs)
  const { part, isProofWaived } = rollout
  const isEarly = rollout.beginsAt !== null && now < rollout.beginsAt
  const isPaused = rollout.isPaused || isEarly || (part !== null && (await isProfileAhead(tx, rolloutId)))
  const step = nextStep(turns, { now, lastLookAt, watchMs, isPaused, isProofWaived })
  for (const [index, node] of step.nodes.entries()) if (node !== turns[index]?.node) await updateTurn(tx, rolloutId, node)
  const good = step.nodes.filter(({ state }) => state === 'good' || state === 'unproven').length
  const batch = { cursor: good, count: good - done, remember: { lastLookMs: now.getTime() } }
  if (step.kind === 'wait') {
    if (step.begun.length > 0)
      await (part === null
        ? requestStarts(tx, { nodeIds: step.begun })
        : requestPart(tx, step.begun, part, { isReturned: false }))
    const pauseMs = isEarly ? EARLY_PAUSE_MS : Math.min(LONGEST_PAUSE_MS, watchMs / LOOKS_PER_WATCH)
    return { ...batch, isLast: false, pauseMs }
  }
  const failure = step.kind === 'fail' ? whyFailed(step.nodes) : await finish(ctx, tx, rollout)
  if (failure === undefined) return { ...batch, isLast: true }
  ctx.log.warn({ rollout: rollout.uuid, failure }, 'roll-out failed; restoring its nodes')
  await putBack(ctx, tx, rollout, { state: 'failed', error: failure })
  return { ...batch, isLast: true, failure }
}

/** The profile takes what its nodes run by now. Gives why it cannot. */
async function finish(ctx: Ctx, tx: Tx, rollout: OpenRollout): Promise<string | undefined> {
  const { config, profileId, renamed, followingHosts, reason, actorKind, actorName } = rollout
  if (rollout.snippetId !== null) return finishSnippet(ctx, tx, rollout, rollout.snippetId)
  if (profileId === null) {
    await endRollout(tx, rollout.id, { state: 'done', error: null, endedAt: ctx.now() })
    await recordForJob(ctx, tx, { action: 'finishNodeUpdate', target: rollout.uuid })
    return undefined
  }
  const profile = await lockProfileById(tx, profileId)
  if (!profile || !isObject(config)) return 'The profile is gone.'
  const tags = deriveInbounds(config).map(({ tag }) => tag)
  const [taken] = await listForeignTags(tx, profileId, tags)
  if (taken !== undefined) return `Inbound "${taken}" exists in another profile by now. Choose another tag.`
  const rows = await watchRows(tx, 'profile', [profileId])
  const at = ctx.now()
  await endRollout(tx, rollout.id, { state: 'done', error: null, endedAt: at })
  const caller = { kind: actorKind, name: actorName }
  await replaceConfig(tx, profile, { config, renamed, followingHosts, reason: reason ?? undefined, caller, at })
  await recordForJob(ctx, tx, { action: 'finishRollout', target: profile.uuid, rows })
  return undefined
}

/** The snippet takes what nodes run by now. Gives why it cannot. */
async function finishSnippet(ctx: Ctx, tx: Tx, rollout: OpenRollout, snippetId: number): Promise<string | undefined> {
  const stored = await lockSnippetBy(tx, { id: snippetId })
  const content: unknown = rollout.snippet
  if (!stored || !Array.isArray(content) || !content.every(isObject)) return 'The snippet is gone.'
  // Profiles may have come to name it since.
  const [problem] = await checkSnippetContent({ db: tx, config: ctx.config }, { name: stored.name, snippet: content })
  if (problem) return problem.message
  const rows = await watchRows(tx, 'snippet', [snippetId])
  await endRollout(tx, rollout.id, { state: 'done', error: null, endedAt: ctx.now() })
  const caller = { kind: rollout.actorKind, name: rollout.actorName }
  await replaceSnippet(ctx, tx, stored, { snippet: content, caller, reason: rollout.reason ?? undefined })
  await recordForJob(ctx, tx, { action: 'finishRollout', target: stored.uuid, rows })
  return undefined
}

/** Ends it, and has every node that was ahead start what it ran before. */
export async function putBack(
  ctx: Ctx,
  tx: Tx,
  rollout: Pick<OpenRollout, 'id' | 'part'>,
  ending: { state: 'failed' | 'takenBack'; error: string | null },
): Promise<void> {
  const endedAt = ctx.now()
  const turns = await listTurns(tx, rollout.id, endedAt)
  await endRollout(tx, rollout.id, { ...ending, endedAt })
  const touched = turns.filter(({ node, seen }) => node.state !== 'waiting' && node.state !== 'skipped' && seen.isOfProfile)
  const nodeIds = touched.map(({ node }) => node.nodeId)
  if (nodeIds.length === 0) return
  await (rollout.part === null ? requestStarts(tx, { nodeIds }) : requestPart(tx, nodeIds, rollout.part, { isReturned: true }))
}
