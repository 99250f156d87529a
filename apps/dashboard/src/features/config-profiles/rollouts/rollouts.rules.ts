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

export type ShownState = RolloutNode['state'] | 'putBack'

/** After a roll-out that did not end well, what was ahead runs again what it ran before. */
export function shownState({ state }: Rollout, node: RolloutNode): ShownState {
  const isOver = state === 'failed' || state === 'takenBack'
  return isOver && ['starting', 'watched', 'good'].includes(node.state) ? 'putBack' : node.state
}

/** Nodes by waves, in order. */
export function wavesOf({ nodes }: Rollout): RolloutNode[][] {
  const waves = new Map<number, RolloutNode[]>()
  for (const node of nodes) waves.set(node.wave, [...(waves.get(node.wave) ?? []), node])
  return [...waves.keys()].toSorted((one, other) => one - other).map((wave) => waves.get(wave) ?? [])
}
