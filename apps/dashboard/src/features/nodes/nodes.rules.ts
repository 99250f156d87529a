import type { Node } from '@causeway/contract'

export type NodeState = 'connected' | 'waiting' | 'connecting' | 'disabled' | 'disconnected'

/** No agent has ever said anything about itself: the node is new, which is no failure. */
export function hasNeverAnswered(node: Pick<Node, 'xrayVersion' | 'nodeVersion'>): boolean {
  return node.xrayVersion === null && node.nodeVersion === null
}

export type NodeSigns = Pick<Node, 'isConnected' | 'isConnecting' | 'isDisabled' | 'xrayVersion' | 'nodeVersion'>

/** What a node's row says, in this order of precedence. */
export function nodeState(node: NodeSigns): NodeState {
  if (node.isConnected) return 'connected'
  if (!node.isDisabled && hasNeverAnswered(node)) return 'waiting'
  if (node.isConnecting) return 'connecting'
  return node.isDisabled ? 'disabled' : 'disconnected'
}

export const stateColors = {
  connected: 'teal',
  waiting: 'gray',
  connecting: 'yellow',
  disabled: 'gray',
  disconnected: 'red',
} as const

/** Seconds of a running core; undefined where there is no uptime to show. */
export function shownUptime(node: Pick<Node, 'isConnected' | 'xrayUptime'>): number | undefined {
  return node.isConnected && node.xrayUptime !== '0' ? Number(node.xrayUptime) : undefined
}

interface Usage {
  uploadBytes: number
  downloadBytes: number
  totalSpeedBps: number
}

/** The realtime tiles: all nodes that report, added up. */
export function realtimeTotals(usage: readonly Usage[]) {
  const totals = { uploadBytes: 0, downloadBytes: 0, speedBps: 0, activeNodes: usage.length }
  for (const entry of usage) {
    totals.uploadBytes += entry.uploadBytes
    totals.downloadBytes += entry.downloadBytes
    totals.speedBps += entry.totalSpeedBps
  }
  return totals
}
