import type { ConfigProfile, Rollout, RolloutNode } from '@causeway/contract'

/** Whether there is something to show: it runs, or it ended and the profile was not saved since. Its own end saves it, too. */
export function isTold(rollout: Rollout, profile: Pick<ConfigProfile, 'updatedAt'>): boolean {
  if (rollout.state === 'running') return true
  return rollout.endedAt !== null && Date.parse(rollout.endedAt) >= Date.parse(profile.updatedAt)
}

/** Nodes that have had their turn, of all. */
export function turnsOver({ nodes }: Pick<Rollout, 'nodes'>): { over: number; all: number } {
  const over: readonly RolloutNode['state'][] = ['good', 'unproven', 'skipped']
  return { over: nodes.filter(({ state }) => over.includes(state)).length, all: nodes.length }
}

export type ShownState = RolloutNode['state'] | 'putBack' | 'untouched' | 'left'

const AFTERWARDS: Record<RolloutNode['state'], ShownState> = {
  waiting: 'untouched',
  skipped: 'left',
  starting: 'putBack',
  watched: 'putBack',
  unproven: 'putBack',
  good: 'putBack',
  failed: 'failed',
}

/** After a failed roll-out, nodes that were ahead run their former config again, and none waits. */
export function shownState({ state }: Pick<Rollout, 'state'>, node: RolloutNode): ShownState {
  return state === 'failed' || state === 'takenBack' ? AFTERWARDS[node.state] : node.state
}

/** It failed as its first node was there no more; one that was deleted has no turn any more. */
export function isFirstGone({ state, nodes }: Rollout): boolean {
  const isBegun = nodes.some((node) => node.state !== 'waiting' && node.state !== 'skipped')
  return state === 'failed' && !isBegun && !nodes.some(({ wave, ...node }) => wave === 1 && node.state === 'waiting')
}

/** The nodes whose users it waits for: none has shown yet that the revision works. */
export function awaitsProofOf({ state, isPaused, isProofWaived, nodes }: Rollout): RolloutNode[] {
  const isSettled = nodes.every((node) => node.state !== 'starting' && node.state !== 'watched' && node.state !== 'good')
  const isWaiting = state === 'running' && !isPaused && !isProofWaived && isSettled
  return isWaiting ? nodes.filter((node) => node.state === 'unproven') : []
}

/** So many nodes are shown as they are; of more, those that something happens to. */
const SHOWN_NODES = 24

/** The nodes that are worth a line: those that failed first, then those at work. All of a few, and where none is. */
export function nodesInMotion({ nodes }: Pick<Rollout, 'nodes'>): RolloutNode[] {
  if (nodes.length <= SHOWN_NODES) return [...nodes]
  const failed = nodes.filter(({ state }) => state === 'failed')
  const busy = nodes.filter(({ state }) => state === 'starting' || state === 'watched' || state === 'unproven')
  const shown = [...failed, ...busy].slice(0, SHOWN_NODES)
  return shown.length > 0 ? shown : nodes.slice(0, SHOWN_NODES)
}

/** Nodes by waves, in order. */
export function wavesOf({ nodes }: Pick<Rollout, 'nodes'>): RolloutNode[][] {
  const waves = new Map<number, RolloutNode[]>()
  for (const node of nodes) waves.set(node.wave, [...(waves.get(node.wave) ?? []), node])
  return [...waves.keys()].toSorted((one, other) => one - other).map((wave) => waves.get(wave) ?? [])
}
