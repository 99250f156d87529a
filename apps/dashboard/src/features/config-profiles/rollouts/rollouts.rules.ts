import type { ConfigProfile, Rollout, RolloutNode } from '@causeway/contract'

/** Whether there is something to say: it runs, or it did not end well and nobody has saved the profile since. */
export function isTold(rollout: Rollout, profile: Pick<ConfigProfile, 'updatedAt'>): boolean {
  if (rollout.state === 'running') return true
  return rollout.state !== 'done' && rollout.endedAt !== null && Date.parse(rollout.endedAt) > Date.parse(profile.updatedAt)
}

/** Nodes that have had their turn, of all. */
export function turnsOver({ nodes }: Rollout): { over: number; all: number } {
  return { over: nodes.filter(({ state }) => state === 'good' || state === 'skipped').length, all: nodes.length }
}

export type ShownState = RolloutNode['state'] | 'putBack' | 'untouched' | 'left'

const AFTERWARDS: Record<RolloutNode['state'], ShownState> = {
  waiting: 'untouched',
  skipped: 'left',
  starting: 'putBack',
  watched: 'putBack',
  good: 'putBack',
  failed: 'failed',
}

/** After a roll-out that did not end well, what was ahead runs again what it ran before, and nobody waits any more. */
export function shownState({ state }: Rollout, node: RolloutNode): ShownState {
  return state === 'failed' || state === 'takenBack' ? AFTERWARDS[node.state] : node.state
}

/** It failed as its first node was there no more; one that was deleted has no turn any more. */
export function isFirstGone({ state, nodes }: Rollout): boolean {
  const isBegun = nodes.some((node) => node.state !== 'waiting' && node.state !== 'skipped')
  return state === 'failed' && !isBegun && !nodes.some(({ wave, ...node }) => wave === 1 && node.state === 'waiting')
}

/** Nodes by waves, in order. */
export function wavesOf({ nodes }: Rollout): RolloutNode[][] {
  const waves = new Map<number, RolloutNode[]>()
  for (const node of nodes) waves.set(node.wave, [...(waves.get(node.wave) ?? []), node])
  return [...waves.keys()].toSorted((one, other) => one - other).map((wave) => waves.get(wave) ?? [])
}
