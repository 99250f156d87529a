// The restart of a node that delivers the closing rule: when it counts as good, and when it keeps further nodes from restarting.

/** As of the last look. */
export interface NodeRestart {
  nodeId: number
  name: string
  /** `asked`: its start is under way; `watched`: it runs and has to stay. */
  state: 'asked' | 'watched'
  /** Milliseconds since 1970, when it came into this state. */
  sinceMs: number
  startsAsked: number
  usersBefore: number
  usersBack: number
  /** Number of the last reading of its counters before it was watched; only later ones are of the new core. */
  readingBefore: number
  /** Of the first reading after that; null until there is one. */
  first: { coreEpoch: string | null; reading: number; downloadBytes: number } | null
}

/** What the fleet knows of the node now. */
export interface NodeSnapshot {
  /** It is switched on and has a profile. */
  isOfFleet: boolean
  isConnected: boolean
  isConnecting: boolean
  isNodeOnline: boolean
  isStartAsked: boolean
  startsAsked: number
  message: string | null
  usersOnline: number
  reading: number
  coreEpoch: string | null
  downloadBytes: number
  isDelivered: boolean
}

export type Outcome =
  | { kind: 'wait'; restart: NodeRestart }
  | { kind: 'good' }
  /** Switched off meanwhile: its next start delivers the rule. */
  | { kind: 'passed' }
  | { kind: 'failed'; why: string }

/** A core with a million users takes minutes to start. */
const START_PATIENCE_MS = 600_000
/** Counters come every fifteen seconds from most nodes, later from busy ones. */
const READING_PATIENCE_MS = 60_000
/** Looks are seconds apart. After such a pause no server was there to watch. */
const UNWATCHED_MS = 30_000
/** Fewer may have gone home by chance. */
const FEWEST_USERS = 5

export function beginRestart(node: { id: number; name: string }, seen: NodeSnapshot, now: Date): NodeRestart {
  return {
    nodeId: node.id,
    name: node.name,
    state: 'asked',
    sinceMs: now.getTime(),
    startsAsked: seen.startsAsked + 1,
    usersBefore: seen.usersOnline,
    usersBack: 0,
    readingBefore: seen.reading,
    first: null,
  }
}

interface Timing {
  now: Date
  lastLookMs: number
  watchMs: number
}

export function followRestart(restart: NodeRestart, seen: NodeSnapshot, { now, lastLookMs, watchMs }: Timing): Outcome {
  if (!seen.isOfFleet) return { kind: 'passed' }
  const nowMs = now.getTime()
  const fail = (why: string): Outcome => ({ kind: 'failed', why: `${restart.name}: ${why}` })
  if (!seen.isConnected && !seen.isConnecting && seen.isNodeOnline)
    return fail(`its core did not start. ${seen.message ?? ''}`.trim())
  const again = (sinceMs: number): Outcome => ({
    kind: 'wait',
    restart: {
      ...restart,
      state: 'asked',
      sinceMs,
      startsAsked: seen.startsAsked,
      usersBack: 0,
      readingBefore: seen.reading,
      first: null,
    },
  })
  // A clock that was set tells as little of the time since as a server that was down.
  if (Math.abs(nowMs - lastLookMs) > UNWATCHED_MS) return again(nowMs)
  const elapsedMs = nowMs - restart.sinceMs
  if (!seen.isConnected || seen.isConnecting || seen.isStartAsked) {
    if (elapsedMs > START_PATIENCE_MS) return fail(`it did not come back. ${seen.message ?? ''}`.trim())
    return restart.state === 'watched' && seen.isStartAsked ? again(nowMs) : { kind: 'wait', restart }
  }
  if (restart.state === 'asked')
    return {
      kind: 'wait',
      restart: { ...restart, state: 'watched', sinceMs: nowMs, startsAsked: seen.startsAsked, readingBefore: seen.reading },
    }
  // Started once more by request: another core than the watched one.
  if (seen.startsAsked !== restart.startsAsked) return again(nowMs)
  if (!seen.isDelivered) return fail('its agent still tells of an older configuration. Update the agent.')
  return judge(restart, seen, { elapsedMs, watchMs, fail })
}

interface Judging {
  elapsedMs: number
  watchMs: number
  fail: (why: string) => Outcome
}

function judge(restart: NodeRestart, seen: NodeSnapshot, { elapsedMs, watchMs, fail }: Judging): Outcome {
  const { coreEpoch, reading, downloadBytes } = seen
  const isLate = elapsedMs > watchMs + READING_PATIENCE_MS
  if (restart.first === null) {
    if (isLate) return fail('its counters could not be read after the start.')
    const first = reading > restart.readingBefore ? { coreEpoch, reading, downloadBytes } : null
    return { kind: 'wait', restart: { ...restart, first } }
  }
  if (coreEpoch !== restart.first.coreEpoch) return fail('its core ended by itself after the start, and was started again.')
  const usersBack = Math.max(restart.usersBack, seen.usersOnline)
  if (elapsedMs < watchMs) return { kind: 'wait', restart: { ...restart, usersBack } }
  if (reading === restart.first.reading)
    return isLate ? fail('its counters could not be read after the start.') : { kind: 'wait', restart }
  if (restart.usersBefore >= FEWEST_USERS) {
    if (usersBack * 2 < restart.usersBefore)
      return fail(`of ${restart.usersBefore} users online before the start, ${usersBack} came back.`)
    if (downloadBytes === restart.first.downloadBytes)
      return fail('users came back after the start, but nothing was received through it.')
  }
  return { kind: 'good' }
}
