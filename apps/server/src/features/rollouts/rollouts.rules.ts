import type { RolloutFailure } from '@causeway/contract'
import { assess, assessAnew, isBusy, type RolloutNode, type NodeSight } from './watch.rules.ts'

// How a new revision goes from node to node: which comes first, and which comes next.

interface Candidate {
  usersRecently: number
}

/**
 * Fewest users first, since a mistake hurts fewest there; but nodes without any come last, since they prove nothing. Of equals
 * the one that stands first in the list.
 */
export function inTurn<T extends Candidate>(nodes: readonly T[]): T[] {
  const rank = ({ usersRecently }: T) => (usersRecently === 0 ? Number.MAX_SAFE_INTEGER : usersRecently)
  return nodes.toSorted((one, other) => rank(one) - rank(other))
}

/** Which wave the node of this turn (from 0) belongs to: one node, then two, four, eight and so on. */
export function waveOf(turn: number): number {
  return Math.floor(Math.log2(turn + 1)) + 1
}

/** Observations are seconds apart. After such a pause, no server was there to observe. */
const UNWATCHED_MS = 30_000

interface Step {
  kind: 'wait' | 'fail' | 'finish'
  nodes: RolloutNode[]
  /** To be started with the new revision now. */
  begun: number[]
}

interface Moment {
  now: Date
  /** The previous observation; null before the first. */
  lastLookAt: Date | null
  watchMs: number
  isPaused: boolean
  /** An administrator has it go on although no user has proved the revision. */
  isProofWaived: boolean
}

/** Decides the next step. The first failure ends it all. While it is paused, nothing is begun, and what was begun is watched. */
export function nextStep(
  nodes: readonly { node: RolloutNode; seen: NodeSight }[],
  { now, lastLookAt, watchMs, isPaused, isProofWaived }: Moment,
): Step {
  // A clock that was set, ahead or back, tells as little of the time in between as a pause.
  const wasWatched = lastLookAt === null || Math.abs(now.getTime() - lastLookAt.getTime()) <= UNWATCHED_MS
  const assessed = nodes.map(({ node, seen }) => ({
    node: assess(wasWatched ? node : assessAnew(node, seen, now), seen, now, watchMs),
    seen,
  }))
  const all = assessed.map(({ node }) => node)
  const has = (state: RolloutNode['state']) => all.some((node) => node.state === state)
  if (has('failed')) return { kind: 'fail', nodes: all, begun: [] }
  if (all.some(isBusy) || isPaused) return { kind: 'wait', nodes: all, begun: [] }
  const wave = Math.min(...all.filter(({ state }) => state === 'waiting').map((node) => node.wave))
  // The first node was disabled, moved or deleted meanwhile, which may well have been because of what it runs.
  if (wave > 1 && !has('good') && !has('unproven')) return { kind: 'fail', nodes: all, begun: [] }
  // One proof is enough for all: they run the same configuration, and each core is watched.
  if (has('unproven') && !has('good') && !isProofWaived) return { kind: 'wait', nodes: all, begun: [] }
  if (wave === Infinity) return { kind: 'finish', nodes: all, begun: [] }
  const next = assessed.map(({ node, seen }) => (node.state === 'waiting' && node.wave === wave ? begin(node, seen, now) : node))
  const begun = next.filter(({ state, wave: own }) => state === 'starting' && own === wave).map(({ nodeId }) => nodeId)
  return { kind: 'wait', nodes: next, begun }
}

function begin(node: RolloutNode, seen: NodeSight, now: Date): RolloutNode {
  if (!seen.isOfProfile || !seen.isConnected) return { ...node, state: 'skipped', since: now }
  return { ...node, state: 'starting', since: now, usersBefore: seen.usersRecently, startsAsked: seen.startsAsked }
}

/** Why a roll-out failed, for API clients; the dashboard has its own words. */
export function whyFailed(nodes: readonly RolloutNode[]): string {
  const failed = nodes.filter(({ state }) => state === 'failed').map(sentenceOf)
  return failed.length > 0
    ? failed.join(' ')
    : 'The first node was switched off, moved, deleted or away before it had been watched to the end. No other node was touched.'
}

function sentenceOf({ name, failure, said, usersBefore, usersBack }: RolloutNode): string {
  const why: Record<RolloutFailure, string> = {
    core: `the core did not run with it. ${said ?? ''}`,
    away: `the node did not answer any more. ${said ?? ''}`,
    restarted: 'its core ended by itself while it was watched, and was started again.',
    users: `of ${usersBefore} users online before, ${usersBack} came back.`,
    bytes: 'users came, but nothing was received through it.',
    update: `the node keeps what it had before. ${said ?? ''}`,
  }
  return failure === null ? name : `${name}: ${why[failure]}`.trim()
}
