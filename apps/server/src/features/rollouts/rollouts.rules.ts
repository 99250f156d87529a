import type { RolloutFailure, RolloutNodeState } from '@causeway/contract'

// How a new revision goes from node to node: whom first, whom next, and what is thought of those that have it.

interface Candidate {
  usersOnline: number
}

/** Whom fewest would miss comes first; of equals the one that stands first in the list. */
export function inTurn<T extends Candidate>(nodes: readonly T[]): T[] {
  return nodes.toSorted((one, other) => one.usersOnline - other.usersOnline)
}

/** Which wave the node of this turn (from 0) belongs to: one node, then two, four, eight and so on. */
export function waveOf(turn: number): number {
  return Math.floor(Math.log2(turn + 1)) + 1
}

/** A node of a roll-out, as it was when it was last looked at. */
export interface RolloutNode {
  nodeId: number
  name: string
  wave: number
  state: RolloutNodeState
  /** When it came into this state. */
  since: Date
  usersBefore: number
  usersBack: number
  // Readings of the ledger, by number: only what comes after this one is of what is watched; the one that is counted from; and the
  // one that was there when the time was over, which does not tell what happened at its end.
  firstReading: number | null
  baseReading: number | null
  lastReading: number | null
  coreEpoch: string | null
  startsAsked: number
  downloadBytes: number
  failure: RolloutFailure | null
  said: string | null
}

/** What the fleet knows of the node now. */
export interface Seen {
  /** It still runs this profile and is switched on. */
  isOfProfile: boolean
  isConnected: boolean
  isConnecting: boolean
  isNodeOnline: boolean
  isStartAsked: boolean
  /** How often somebody has asked for a start, so that a core that came up by itself is told from one that was meant to. */
  startsAsked: number
  message: string | null
  usersOnline: number
  reading: number
  coreEpoch: string | null
  downloadBytes: number
}

/** A core with a million users takes minutes to try its configuration and to start. */
const START_PATIENCE_MS = 600_000
/** Counters come every fifteen seconds from most nodes, later from busy ones. */
const READING_PATIENCE_MS = 60_000

/** Looks are seconds apart. After such a pause no server was there to watch. */
const UNWATCHED_MS = 30_000

/** What is now thought of a node that has the new revision. */
export function lookAt(node: RolloutNode, seen: Seen, now: Date, watchMs: number): RolloutNode {
  if (!isAhead(node)) return node
  // Switched off or moved by somebody meanwhile: nothing can be learnt from it.
  if (!seen.isOfProfile) return { ...node, state: 'skipped', since: now }
  const failed = (failure: RolloutFailure, said: string | null = null): RolloutNode => ({
    ...node,
    state: 'failed',
    since: now,
    failure,
    said,
  })
  if (!seen.isConnected && !seen.isConnecting && seen.isNodeOnline) return failed('core', seen.message)
  const elapsedMs = now.getTime() - node.since.getTime()
  const isAskedAnew = seen.isStartAsked || (node.state !== 'starting' && seen.startsAsked !== node.startsAsked)
  if (!seen.isConnected || seen.isConnecting || isAskedAnew) {
    const later = { ...node, ...UNSEEN, firstReading: seen.reading, startsAsked: seen.startsAsked }
    if (node.state === 'good') return isAskedAnew ? { ...later, usersBack: node.usersBack } : node
    const isStarting = seen.isConnected || seen.isConnecting
    if (elapsedMs > (isStarting ? START_PATIENCE_MS + watchMs : watchMs)) return failed('away', seen.message)
    // Somebody changed something about it: what was watched until now was another core.
    return isAskedAnew && node.state === 'watched' ? { ...later, state: 'starting', since: now } : node
  }
  const { coreEpoch, startsAsked, reading, downloadBytes } = seen
  const from = { coreEpoch, startsAsked, baseReading: reading, downloadBytes }
  if (node.state === 'starting') {
    const watched = { ...node, ...UNSEEN, state: 'watched' as const, since: now }
    // The fleet reads a core before it notes that it was started as asked.
    return startsAsked === node.startsAsked ? { ...watched, firstReading: reading } : { ...watched, ...from }
  }
  if (node.coreEpoch === null) {
    if (coreEpoch !== null && reading > (node.firstReading ?? 0)) return { ...node, ...from }
  } else if (coreEpoch !== node.coreEpoch) return failed('restarted')
  return node.state === 'good' ? node : judge(node, seen, { failed, now, elapsedMs, watchMs })
}

/** Nobody saw how it went: its start is waited for anew, and it is watched from the beginning. */
function unseen(node: RolloutNode, { startsAsked, reading }: Seen, now: Date): RolloutNode {
  if (isBusy(node)) return { ...node, ...UNSEEN, startsAsked, state: 'starting', since: now }
  return node.state === 'good' ? { ...node, coreEpoch: null, startsAsked, firstReading: reading } : node
}

const UNSEEN = { firstReading: null, baseReading: null, lastReading: null, coreEpoch: null, usersBack: 0 }

interface Judging {
  failed: (failure: RolloutFailure) => RolloutNode
  now: Date
  elapsedMs: number
  watchMs: number
}

function judge(node: RolloutNode, seen: Seen, { failed, now, elapsedMs, watchMs }: Judging): RolloutNode {
  const { reading, downloadBytes } = seen
  const isTold = node.baseReading !== null && reading > node.baseReading
  const next = isTold ? { ...node, usersBack: Math.max(node.usersBack, seen.usersOnline) } : node
  if (elapsedMs < watchMs) return next
  const lastReading = node.lastReading ?? reading
  if (!isTold || reading === lastReading)
    return elapsedMs < watchMs + READING_PATIENCE_MS ? { ...next, lastReading } : failed('away')
  if (node.usersBefore > 0) {
    if (next.usersBack < usersAwaited(node.usersBefore)) return { ...failed('users'), usersBack: next.usersBack }
    if (downloadBytes === node.downloadBytes) return { ...failed('bytes'), usersBack: next.usersBack }
  }
  return { ...next, state: 'good', since: now }
}

/** Some always leave: half of them are enough. */
export function usersAwaited(usersBefore: number): number {
  return Math.ceil(usersBefore / 2)
}

function isBusy({ state }: { state: RolloutNodeState }): boolean {
  return state === 'starting' || state === 'watched'
}

function isAhead(node: { state: RolloutNodeState }): boolean {
  return isBusy(node) || node.state === 'good'
}

interface Step {
  kind: 'wait' | 'fail' | 'finish'
  nodes: RolloutNode[]
  /** To be started with the new revision now. */
  begun: number[]
}

interface Look {
  now: Date
  /** When it was last looked; null before the first time. */
  lastLookAt: Date | null
  watchMs: number
  isPaused: boolean
}

/** What comes next. The first failure ends it all; while it is paused nothing is begun, and what was begun is watched. */
export function nextStep(
  nodes: readonly { node: RolloutNode; seen: Seen }[],
  { now, lastLookAt, watchMs, isPaused }: Look,
): Step {
  // A clock that was set, ahead or back, tells as little of the time since as nobody who looked.
  const wasWatched = lastLookAt === null || Math.abs(now.getTime() - lastLookAt.getTime()) <= UNWATCHED_MS
  const looked = nodes.map(({ node, seen }) => ({
    node: lookAt(wasWatched ? node : unseen(node, seen, now), seen, now, watchMs),
    seen,
  }))
  const all = looked.map(({ node }) => node)
  if (all.some(({ state }) => state === 'failed')) return { kind: 'fail', nodes: all, begun: [] }
  if (all.some(isBusy) || isPaused) return { kind: 'wait', nodes: all, begun: [] }
  const wave = Math.min(...all.filter(({ state }) => state === 'waiting').map((node) => node.wave))
  // The first was switched off, moved or deleted meanwhile, which may well have been because of what it runs.
  const isUntried = wave > 1 && all.every(({ state }) => state !== 'good')
  if (isUntried) return { kind: 'fail', nodes: all, begun: [] }
  if (wave === Infinity) return { kind: 'finish', nodes: all, begun: [] }
  const next = looked.map(({ node, seen }) => {
    if (node.state !== 'waiting' || node.wave !== wave) return node
    const isThere = seen.isOfProfile && seen.isConnected
    return isThere
      ? { ...node, state: 'starting' as const, since: now, usersBefore: seen.usersOnline, startsAsked: seen.startsAsked }
      : { ...node, state: 'skipped' as const, since: now }
  })
  const begun = next.filter(({ state, wave: own }) => state === 'starting' && own === wave).map(({ nodeId }) => nodeId)
  return { kind: 'wait', nodes: next, begun }
}

/** Why a roll-out failed, for those who read no dashboard. */
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
    bytes: 'users came back, but nothing was received through it.',
  }
  return failure === null ? name : `${name}: ${why[failure]}`.trim()
}
