import { NODE_PARTS, type NodePart, type NodeUpdate, type NodeUpdates } from '@causeway/contract'

/** How long an update that has ended is shown. */
const SHOWN_MS = 24 * 3_600_000

type VersionedNode = NodeUpdates['nodes'][number]

/** Nodes with an older version of this part that can be updated from here now. */
export function updatableNodes({ nodes }: NodeUpdates, part: NodePart): VersionedNode[] {
  return nodes.filter(({ older, isUpdatable, isConnected }) => isUpdatable && isConnected && older.includes(part))
}

/** Lists the parts on offer: nothing where the server has no files, or while an update is under way. */
export function offersOf(updates: NodeUpdates): { part: NodePart; version: string; count: number }[] {
  const { carried, last } = updates
  if (last?.state === 'running') return []
  return NODE_PARTS.flatMap((part) => {
    const version = carried[part]
    const hasFiles = part === 'geo' || carried.processors.length > 0
    const count = updatableNodes(updates, part).length
    return version !== null && hasFiles && count > 0 ? [{ part, version, count }] : []
  })
}

/** The version of a part on a node; empty where it has none. */
export function heldVersion({ agentVersion, coreVersion, geoVersion }: VersionedNode, part: NodePart): string {
  return { agent: agentVersion, core: coreVersion, geo: geoVersion }[part] ?? ''
}

/** Connected nodes that take geo files, and those of them that have the present ones. */
export function geoNodes({ nodes, carried }: NodeUpdates): { count: number; held: number } {
  const takers = nodes.filter(({ isConnected, isUpdatable, geoVersion }) => isConnected && isUpdatable && geoVersion !== null)
  return { count: takers.length, held: takers.filter(({ geoVersion }) => geoVersion === carried.geo).length }
}

/** Connected nodes with something older that their own program updates. */
export function countOthers({ nodes, carried }: NodeUpdates): number {
  if (carried.processors.length === 0) return 0
  return nodes.filter(({ older, isUpdatable, isConnected }) => isConnected && !isUpdatable && older.length > 0).length
}

export type ShownUpdateState = NodeUpdate['state'] | 'paused' | 'scheduled'

export function shownUpdateState({ state, isPaused, beginsAt }: NodeUpdate, now: Date): ShownUpdateState {
  if (state !== 'running') return state
  if (isPaused) return 'paused'
  return beginsAt !== null && Date.parse(beginsAt) > now.getTime() ? 'scheduled' : 'running'
}

/** The last update, while it is news. */
export function toldUpdate({ last }: NodeUpdates, now: Date): NodeUpdate | undefined {
  const isNews = last && (last.endedAt === null || now.getTime() - Date.parse(last.endedAt) < SHOWN_MS)
  return isNews ? last : undefined
}

/** Number of users online on the chosen nodes. */
export function onlineOn(nodes: readonly VersionedNode[], chosen: readonly string[]): number {
  return nodes.filter(({ uuid }) => chosen.includes(uuid)).reduce((sum, { usersOnline }) => sum + usersOnline, 0)
}

/** Digits would otherwise be drawn to the words beside them, where the page runs from right to left. */
export function isolated(version: string): string {
  return `\u2068${version}\u2069`
}
