import type { getUsageHistory, Node, Reply } from '@causeway/contract'
import { isDown, nodeState, NODE_STATES } from '../nodes/nodes.rules.ts'

export interface FleetCell {
  node: Node
  /** By the steps of the history that are over: a line that ends in a part of a step would always end in a fall. */
  bytes: readonly number[]
  total: number
}

/** A cell per node: what is down first, what is switched off last, and between them what carries most. */
export function fleetCells(
  nodes: readonly Node[],
  history: Pick<Reply<typeof getUsageHistory>, 'nodes'> | undefined,
): FleetCell[] {
  const moved = new Map(history?.nodes.map(({ uuid, bytes }) => [uuid, bytes]))
  return nodes
    .map((node) => {
      const bytes = moved.get(node.uuid) ?? []
      return { node, bytes: bytes.slice(0, -1), total: bytes.reduce((sum, one) => sum + one, 0) }
    })
    .sort((one, other) => rankOf(one.node) - rankOf(other.node) || other.total - one.total)
}

function rankOf(node: Node): number {
  if (isDown(node)) return -1
  return NODE_STATES.indexOf(nodeState(node))
}
