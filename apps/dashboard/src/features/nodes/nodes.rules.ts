import type { Node } from '@causeway/contract'

/** Where an agent without a port of its own is called. */
const HTTPS_PORT = 443

/** As bad as it gets first: what is filtered by is mostly what is wrong. */
export const NODE_STATES = ['disconnected', 'connecting', 'applying', 'waiting', 'connected', 'disabled'] as const
export type NodeState = (typeof NODE_STATES)[number]

/** No agent has ever run a core for us: the node is new, which is no failure. */
export function hasNeverAnswered(node: Pick<Node, 'xrayVersion' | 'nodeVersion'>): boolean {
  return node.xrayVersion === null && node.nodeVersion === null
}

export type NodeSigns = Pick<Node, 'isConnected' | 'isConnecting' | 'isNodeOnline' | 'isDisabled' | 'xrayVersion' | 'nodeVersion'>

/** The state in a node's row, in this order of precedence. */
export function nodeState(node: NodeSigns): NodeState {
  if (node.isConnected) return node.isConnecting ? 'applying' : 'connected'
  // An agent that answers, and whose core does not start, is waited for no more.
  if (!node.isDisabled && !node.isNodeOnline && hasNeverAnswered(node)) return 'waiting'
  if (node.isConnecting) return 'connecting'
  return node.isDisabled ? 'disabled' : 'disconnected'
}

export const stateColors = {
  connected: 'teal',
  applying: 'yellow',
  waiting: 'gray',
  connecting: 'yellow',
  disabled: 'gray',
  disconnected: 'red',
} as const

export interface NodeFilters {
  state: NodeState | undefined
  /** Code of a country. */
  country: string | undefined
  /** Part of a name, an address, a provider's name or a tag. */
  search: string | undefined
}

export const noNodeFilters: NodeFilters = { state: undefined, country: undefined, search: undefined }

export function isFiltered(filters: NodeFilters): boolean {
  return Object.values(filters).some((value) => value !== undefined)
}

type Sought = NodeSigns & Pick<Node, 'countryCode' | 'name' | 'address' | 'port' | 'tags'> & { provider: { name: string } | null }

export function matches(node: Sought, { state, country, search = '' }: NodeFilters): boolean {
  const sought = search.trim().toLowerCase()
  const texts = [
    node.name,
    node.port === null ? node.address : `${node.address}:${node.port}`,
    node.provider?.name ?? '',
    ...(node.tags ?? []),
  ]
  return (
    (state === undefined || nodeState(node) === state) &&
    (country === undefined || node.countryCode === country) &&
    texts.some((text) => text.toLowerCase().includes(sought))
  )
}

/** The row tells why and since when: the node should be there and is not. */
export function hasTrouble(node: NodeSigns): boolean {
  const state = nodeState(node)
  return state === 'disconnected' || state === 'connecting'
}

/** It served before and does not now, whether it is being tried again or not. */
export function isDown(node: NodeSigns & Pick<Node, 'lastStatusMessage'>): boolean {
  const state = nodeState(node)
  return state === 'disconnected' || (state === 'connecting' && !node.isDisabled && (node.lastStatusMessage ?? '') !== '')
}

/** Nodes that are down before all others, and each part in its order. */
export function downFirst<One extends NodeSigns & Pick<Node, 'lastStatusMessage'>>(nodes: readonly One[]): One[] {
  return [...nodes.filter((node) => isDown(node)), ...nodes.filter((node) => !isDown(node))]
}

/** The order of all nodes after some were moved in the list that shows those first that are down: these stay where they are. */
export function orderAfterMove<One extends NodeSigns & Pick<Node, 'lastStatusMessage'>>(
  nodes: readonly One[],
  moved: readonly One[],
): One[] {
  const working = moved.filter((node) => !isDown(node))
  let place = 0
  return nodes.map((node) => (isDown(node) ? node : (working[place++] ?? node)))
}

/** Beside its address a row says of a node what is wrong with it: a long address would leave no room for that. */
export function withoutAddress(reason: string, { address, port }: Pick<Node, 'address' | 'port'>): string {
  const place = `${address}:${port ?? HTTPS_PORT} `
  return reason.startsWith(place) ? capitalize(reason.slice(place.length)) : reason
}

function capitalize(sentence: string): string {
  return sentence.charAt(0).toLocaleUpperCase() + sentence.slice(1)
}

export const NODE_ACTIONS = ['enable', 'disable', 'restart'] as const
export type NodeAction = (typeof NODE_ACTIONS)[number]

/** Those of the nodes for which the action means anything: what is off is enabled, what is on is disabled or restarted. */
export function targetsOf<One extends Pick<Node, 'isDisabled'>>(action: NodeAction, nodes: readonly One[]): One[] {
  return nodes.filter(({ isDisabled }) => isDisabled === (action === 'enable'))
}

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

/** A node as it is exported. */
export function exportedNode(node: Node) {
  return {
    name: node.name,
    address: node.address,
    port: node.port,
    state: nodeState(node),
    countryCode: node.countryCode,
    usersOnline: node.usersOnline,
    trafficUsedBytes: node.trafficUsedBytes,
    trafficLimitBytes: node.trafficLimitBytes,
    xrayVersion: node.xrayVersion,
    nodeVersion: node.nodeVersion,
    provider: node.provider?.name ?? null,
    tags: (node.tags ?? []).join(' '),
    inbounds: node.configProfile.activeInbounds.map(({ tag }) => tag),
    uuid: node.uuid,
  }
}
