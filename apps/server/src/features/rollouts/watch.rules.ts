import type { RolloutFailure, RolloutNodeState } from '@causeway/contract'

// How a node that runs a new revision is judged. What is observed is reduced to one event; a table gives what follows from it.

/** A node of a roll-out, as it was after the previous observation. */
export interface RolloutNode {
  nodeId: number
  name: string
  wave: number
  state: RolloutNodeState
  /** When it entered this state. */
  since: Date
  usersBefore: number
  usersBack: number
  // Numbers of the ledger's readings. The core that is watched has only later ones than `firstReading`; users and bytes are counted
  // from `baseReading`; `lastReading` was the newest at the end of the watch, and the verdict waits for a later one.
  firstReading: number | null
  baseReading: number | null
  lastReading: number | null
  coreEpoch: string | null
  startsAsked: number
  downloadBytes: number
  failure: RolloutFailure | null
  said: string | null
}

/** The fleet's present knowledge of the node. */
export interface NodeSight {
  /** It still runs this profile and is enabled; in an update of nodes, it is enabled. */
  isOfProfile: boolean
  /** An update that was asked for is still being made. */
  isUpdating: boolean
  /** Why the part that was asked for is not in force. */
  partError: string | null
  isConnected: boolean
  isConnecting: boolean
  isNodeOnline: boolean
  isStartAsked: boolean
  /** How many starts were requested. A core that came up by itself is a new core without a new request. */
  startsAsked: number
  message: string | null
  usersOnline: number
  /** The most users online at a time in the last minutes, also before a restart of the core. */
  usersRecently: number
  reading: number
  coreEpoch: string | null
  downloadBytes: number
}

/** A core with a million users takes minutes to test its configuration and to start. */
const START_PATIENCE_MS = 600_000
/** The files travel first, to a node on a slow line. */
const UPDATE_PATIENCE_MS = 1_800_000
/** Counters are read every fifteen seconds from most nodes, later from busy ones. */
const READING_PATIENCE_MS = 60_000

/** States in which a node runs the new revision. */
type AheadState = 'starting' | 'watched' | 'unproven' | 'good'

/** The event of an observation, the first that applies. */
type WatchEvent =
  | 'gone' // disabled, or moved to another profile
  | 'refused' // the part that was asked for is not in force
  | 'coreDown' // the agent answers, and its core does not run
  | 'overdue' // not connected for longer than the state allows
  | 'startAsked' // a start was requested
  | 'startAskedSince' // a start was requested and carried out between two observations
  | 'unsettled' // away or connecting
  | 'unread' // connected, and its core has not been read yet
  | 'coreRead' // the first reading of the core that is watched
  | 'otherCore' // another core than the one that is watched
  | 'sameCore'

type Transition = (observation: Observation) => RolloutNode

const transitions: Record<AheadState, Record<WatchEvent, Transition>> = {
  starting: {
    gone: skip,
    refused: failUpdate,
    coreDown: failCore,
    overdue: failAway,
    startAsked: keep,
    startAskedSince: beginWatch,
    unsettled: keep,
    unread: beginWatch,
    coreRead: beginWatch,
    otherCore: beginWatch,
    sameCore: beginWatch,
  },
  watched: {
    gone: skip,
    refused: failUpdate,
    coreDown: failCore,
    overdue: failAway,
    startAsked: restartWatch,
    startAskedSince: restartWatch,
    unsettled: keep,
    unread: judge,
    coreRead: noteCore,
    otherCore: failRestarted,
    sameCore: judge,
  },
  unproven: {
    gone: skip,
    refused: failUpdate,
    coreDown: failCore,
    overdue: keep,
    startAsked: restartWatch,
    startAskedSince: restartWatch,
    unsettled: keep,
    unread: keep,
    coreRead: noteCore,
    otherCore: failRestarted,
    sameCore: lookForUsers,
  },
  good: {
    gone: skip,
    refused: failUpdate,
    coreDown: failCore,
    overdue: keep,
    startAsked: forgetCore,
    startAskedSince: forgetCore,
    unsettled: keep,
    unread: keep,
    coreRead: noteCore,
    otherCore: failRestarted,
    sameCore: keep,
  },
}

interface Observation {
  node: RolloutNode
  seen: NodeSight
  now: Date
  elapsedMs: number
  watchMs: number
}

/** The node after an observation. One that does not run the new revision stays as it is. */
export function assess(node: RolloutNode, seen: NodeSight, now: Date, watchMs: number): RolloutNode {
  const { state } = node
  if (!isAhead(state)) return node
  const observation = { node, seen, now, elapsedMs: now.getTime() - node.since.getTime(), watchMs }
  return transitions[state][eventOf(observation)](observation)
}

function eventOf({ node, seen, elapsedMs, watchMs }: Observation): WatchEvent {
  if (!seen.isOfProfile) return 'gone'
  if (seen.partError !== null) return 'refused'
  if (seen.isUpdating) return elapsedMs > UPDATE_PATIENCE_MS ? 'overdue' : 'unsettled'
  if (!seen.isConnected && !seen.isConnecting && seen.isNodeOnline) return 'coreDown'
  const isStartAskedSince = node.state !== 'starting' && seen.startsAsked !== node.startsAsked
  const isSettled = seen.isConnected && !seen.isConnecting
  if (!isSettled || seen.isStartAsked || isStartAskedSince) {
    const isComingUp = seen.isConnected || seen.isConnecting
    if (elapsedMs > (isComingUp ? START_PATIENCE_MS + watchMs : watchMs) && isBusy(node)) return 'overdue'
    if (seen.isStartAsked) return 'startAsked'
    return isStartAskedSince ? 'startAskedSince' : 'unsettled'
  }
  if (node.coreEpoch !== null) return seen.coreEpoch === node.coreEpoch ? 'sameCore' : 'otherCore'
  return seen.coreEpoch !== null && seen.reading > (node.firstReading ?? 0) ? 'coreRead' : 'unread'
}

/** While the server was down, the node was not observed: its start is awaited again, and it is watched from the beginning. */
export function assessAnew(node: RolloutNode, seen: NodeSight, now: Date): RolloutNode {
  if (isBusy(node) || node.state === 'unproven')
    return { ...node, ...UNREAD, startsAsked: seen.startsAsked, state: 'starting', since: now }
  return node.state === 'good' ? forgetCore({ node, seen }) : node
}

// Transitions ---------------------------------------------------------------------------------------------------------

const UNREAD = { firstReading: null, baseReading: null, lastReading: null, coreEpoch: null, usersBack: 0 }

function keep({ node }: Observation): RolloutNode {
  return node
}

function skip({ node, now }: Observation): RolloutNode {
  return { ...node, state: 'skipped', since: now }
}

function failCore({ node, seen, now }: Observation): RolloutNode {
  return { ...node, state: 'failed', since: now, failure: 'core', said: seen.message }
}

function failAway({ node, seen, now }: Observation): RolloutNode {
  return { ...node, state: 'failed', since: now, failure: 'away', said: seen.message }
}

function failUpdate({ node, seen, now }: Observation): RolloutNode {
  return { ...node, state: 'failed', since: now, failure: 'update', said: seen.partError }
}

function failRestarted(observation: Observation): RolloutNode {
  return fail(observation, 'restarted')
}

function fail({ node, now }: Observation, failure: RolloutFailure): RolloutNode {
  return { ...node, state: 'failed', since: now, failure, said: null }
}

function beginWatch({ node, seen, now }: Observation): RolloutNode {
  const watched = { ...node, ...UNREAD, state: 'watched' as const, since: now }
  // The fleet reads a core before it notes that the start has been carried out.
  return seen.startsAsked === node.startsAsked
    ? { ...watched, firstReading: seen.reading }
    : noteCore({ node: { ...watched, startsAsked: seen.startsAsked }, seen })
}

/** Until now another core was watched. */
function restartWatch({ node, seen, now }: Observation): RolloutNode {
  const { startsAsked, reading } = seen
  return { ...node, ...UNREAD, firstReading: reading, startsAsked, state: 'starting', since: now }
}

/** A start was requested for a node that has been judged: whichever core comes up is the one to watch. */
function forgetCore({ node, seen }: Pick<Observation, 'node' | 'seen'>): RolloutNode {
  return { ...node, coreEpoch: null, startsAsked: seen.startsAsked, firstReading: seen.reading }
}

function noteCore({ node, seen }: Pick<Observation, 'node' | 'seen'>): RolloutNode {
  const { coreEpoch, startsAsked, reading, downloadBytes } = seen
  return { ...node, coreEpoch, startsAsked, baseReading: reading, downloadBytes }
}

function judge(observation: Observation): RolloutNode {
  const { node, seen, now, elapsedMs, watchMs } = observation
  const { reading, downloadBytes } = seen
  const hasReading = isCounted(node, seen)
  const next = hasReading ? { ...node, usersBack: Math.max(node.usersBack, seen.usersOnline) } : node
  if (elapsedMs < watchMs) return next
  const lastReading = node.lastReading ?? reading
  if (!hasReading || reading === lastReading)
    return elapsedMs < watchMs + READING_PATIENCE_MS ? { ...next, lastReading } : fail(observation, 'away')
  const { usersBefore, usersBack } = next
  if (usersBack < usersAwaited(usersBefore)) return fail({ ...observation, node: next }, 'users')
  if (usersBack === 0) return { ...next, state: 'unproven', since: now }
  if (downloadBytes === node.downloadBytes) return fail({ ...observation, node: next }, 'bytes')
  return { ...next, state: 'good', since: now }
}

/** The first users decide: they receive something at once, or the node is watched once more. */
function lookForUsers({ node, seen, now }: Observation): RolloutNode {
  if (!isCounted(node, seen) || seen.usersOnline === 0) return node
  const next = { ...node, usersBack: seen.usersOnline, lastReading: null, since: now }
  return seen.downloadBytes > node.downloadBytes ? { ...next, state: 'good' } : { ...next, state: 'watched' }
}

function isCounted({ baseReading }: RolloutNode, { reading }: NodeSight): boolean {
  return baseReading !== null && reading > baseReading
}

/** Some users always leave: half of them are enough. */
export function usersAwaited(usersBefore: number): number {
  return Math.ceil(usersBefore / 2)
}

export function isBusy({ state }: { state: RolloutNodeState }): boolean {
  return state === 'starting' || state === 'watched'
}

function isAhead(state: RolloutNodeState): state is AheadState {
  return state in transitions
}
