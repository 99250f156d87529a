import type { Wall, WallNode } from '@causeway/contract'
import { deadNodes, nearlyUsedUpNodes, waitingNodes } from '../home/attention/attention.rules.ts'
import { NODE_STATES, nodeState } from '../nodes/nodes.rules.ts'

/** The token stands in the fragment of the link, which browsers send to no server and note in no log. */
const TOKEN = 'token='

/** The link that opens a wall on any monitor. */
export function wallLink(origin: string, token: string): string {
  return `${origin}/wall#${TOKEN}${token}`
}

export function tokenIn(fragment: string): string | undefined {
  const text = fragment.replace(/^#/, '')
  return text.startsWith(TOKEN) && text.length > TOKEN.length ? text.slice(TOKEN.length) : undefined
}

/** A thing that needs attention: a node, or how many there are of what has no name here. */
export type Need =
  | { kind: 'down' | 'waiting' | 'nearlyFull'; node: WallNode }
  | { kind: 'rollout' | 'usersNearLimit' | 'usersExpiring' | 'bills'; count: number }
  | { kind: 'backup' }

export const needColors = {
  down: 'red',
  backup: 'yellow',
  rollout: 'red',
  waiting: 'gray',
  nearlyFull: 'yellow',
  usersNearLimit: 'yellow',
  bills: 'yellow',
  usersExpiring: 'yellow',
} as const satisfies Record<Need['kind'], string>

/** Things that need attention, broken ones first. */
export function needsOf({ nodes, needs }: Pick<Wall, 'nodes' | 'needs'>): Need[] {
  const counted = (kind: 'rollout' | 'usersNearLimit' | 'usersExpiring' | 'bills', count: number): Need[] =>
    count > 0 ? [{ kind, count }] : []
  return [
    ...deadNodes(nodes).map((node) => ({ kind: 'down' as const, node })),
    ...counted('rollout', needs.failedRollouts),
    ...(needs.isBackupFailed ? [{ kind: 'backup' as const }] : []),
    ...nearlyUsedUpNodes(nodes).map((node) => ({ kind: 'nearlyFull' as const, node })),
    ...counted('usersNearLimit', needs.usersNearLimit),
    ...counted('bills', needs.billsDue),
    ...counted('usersExpiring', needs.usersExpiring),
    ...waitingNodes(nodes).map((node) => ({ kind: 'waiting' as const, node })),
  ]
}

export interface WallCell {
  node: WallNode
  /** By the hours that are over. */
  bytes: readonly number[]
  total: number
}

/** A cell per node: what is down first, what is switched off last, and between them what carries most. */
export function wallCells({ nodes, history }: Pick<Wall, 'nodes' | 'history'>): WallCell[] {
  const moved = new Map(history.nodes.map(({ uuid, bytes }) => [uuid, bytes]))
  const rank = (node: WallNode) => NODE_STATES.indexOf(nodeState(node))
  return nodes
    .map((node) => {
      const bytes = moved.get(node.uuid) ?? []
      return { node, bytes: bytes.slice(0, -1), total: bytes.reduce((sum, one) => sum + one, 0) }
    })
    .sort((one, other) => rank(one.node) - rank(other.node) || other.total - one.total)
}

/** Bytes of all nodes in each hour. */
export function totalsByHour({ nodes, starts }: Wall['history']): number[] {
  return starts.map((_, at) => nodes.reduce((sum, { bytes }) => sum + (bytes[at] ?? 0), 0))
}

/** A page that was opened less than this ago is not loaded anew: servers of two releases may answer in turn. */
const LEAST_AGE_MS = 60_000

/** Whether the server has a newer page than this one. */
export function isOutdated(first: string, release: string, ageMs: number): boolean {
  return first !== release && ageMs >= LEAST_AGE_MS
}
