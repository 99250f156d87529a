// Which database answers a read: a replica, or the leader, which takes the writes. Positions are those of the write-ahead log.

/** What was last seen of a host that DATABASE_REPLICA_URL names. */
export interface ReplicaState {
  /** It answered just now. */
  isUp: boolean
  /** One that leads itself by now replays nothing. */
  isStandby: boolean
  timeline: number
  position: number
}

export interface LeaderState {
  /** It has not answered for a while: nothing can be newer than what the replicas have. */
  isAway: boolean
  timeline: number
  /** Positions of the leader as they were seen, oldest first. */
  seen: readonly LeaderPosition[]
}

export interface LeaderPosition {
  position: number
  at: number
}

export type Target = 'leader' | number

/** How far a replica is behind, in time: the age of the newest position of the leader that it has reached. */
export function lagMs({ position }: ReplicaState, { seen }: LeaderState): number {
  const newest = seen.at(-1)
  if (!newest) return 0
  const reached = seen.findLast((one) => one.position <= position)
  return newest.at - (reached?.at ?? -Infinity)
}

/** Whether a replica may answer what may be old. */
export function isFresh(replica: ReplicaState, leader: LeaderState, mostLagMs: number): boolean {
  return replica.isUp && replica.isStandby && lagMs(replica, leader) <= mostLagMs
}

/**
 * Databases to ask, in order; each next one is asked where the one before has failed.
 * `atLeast` is the position of what the caller has written. `turn` spreads the reads over the replicas.
 */
export function orderOfReads(
  replicas: readonly ReplicaState[],
  leader: LeaderState,
  { atLeast, mostLagMs, turn }: { atLeast: number; mostLagMs: number; turn: number },
): Target[] {
  const all = replicas.map((_, at) => (at + turn) % replicas.length)
  const stateOf = (at: number) => replicas[at] ?? { isUp: false, isStandby: false, timeline: 0, position: 0 }
  const fresh = all.filter((at) => isFresh(stateOf(at), leader, mostLagMs) && stateOf(at).position >= atLeast)
  // A replica that has become the leader meanwhile; a former leader is known by a timeline of the past.
  const next = all.filter((at) => stateOf(at).isUp && !stateOf(at).isStandby && stateOf(at).timeline >= leader.timeline)
  const up = all.filter((at) => stateOf(at).isUp && stateOf(at).isStandby)
  const late = up.toSorted((one, other) => stateOf(other).position - stateOf(one).position)
  const order = leader.isAway ? [...next, ...late, 'leader' as const] : [...fresh, 'leader' as const, ...next, ...late]
  return [...new Set(order)]
}
