import type { RolloutNode, NodeSight } from '../src/features/rollouts/watch.rules.ts'

export const WATCH_MS = 60_000
export const at = (second: number) => new Date(1_000_000_000_000 + second * 1000)

/** A node without users, watched from second 0. */
export const watchedNode = (more: Partial<RolloutNode> = {}): RolloutNode => ({
  nodeId: 1,
  name: 'Oslo',
  wave: 1,
  state: 'watched',
  since: at(0),
  usersBefore: 0,
  usersBack: 0,
  firstReading: null,
  baseReading: 6,
  lastReading: 6,
  coreEpoch: 'new',
  startsAsked: 3,
  downloadBytes: 100,
  failure: null,
  said: null,
  ...more,
})

/** It runs the same core as before, and was read once more. */
export const seen = (more: Partial<NodeSight> = {}): NodeSight => ({
  isOfProfile: true,
  isUpdating: false,
  partError: null,
  isConnected: true,
  isConnecting: false,
  isNodeOnline: true,
  isStartAsked: false,
  startsAsked: 3,
  message: null,
  usersOnline: 0,
  usersRecently: 0,
  reading: 7,
  coreEpoch: 'new',
  downloadBytes: 100,
  ...more,
})
