import type { listNodesTraffic, Reply } from '@causeway/contract'

export type NodeMetrics = Reply<typeof listNodesTraffic>['nodes'][number]
export type TagTraffic = NodeMetrics['inbounds'][number]

export const ORDERS = ['list', 'online', 'traffic', 'name'] as const
export type Order = (typeof ORDERS)[number]

/** The overview: a node is active while a user is online on it. */
export function overviewOf(nodes: readonly NodeMetrics[]) {
  const totals = { nodes: nodes.length, active: 0, online: 0, upload: 0, download: 0 }
  for (const node of nodes) {
    if (node.usersOnline > 0) totals.active++
    totals.online += node.usersOnline
    const tags = passedOf(node)
    totals.upload += sum(tags, 'uploadBytes')
    totals.download += sum(tags, 'downloadBytes')
  }
  return totals
}

/** Whether any node has reported anything that could be shown. */
export function hasMetrics(nodes: readonly NodeMetrics[]): boolean {
  return nodes.some((node) => node.inbounds.length > 0 || node.outbounds.length > 0)
}

/** Nodes whose name, provider or a tag holds the text, in the order asked for. */
export function arrangeNodes(nodes: readonly NodeMetrics[], text: string, order: Order): NodeMetrics[] {
  const wanted = text.trim().toLowerCase()
  const found = nodes.filter((node) =>
    [node.name, node.providerName ?? '', ...[...node.inbounds, ...node.outbounds].map(({ tag }) => tag)].some((word) =>
      word.toLowerCase().includes(wanted),
    ),
  )
  switch (order) {
    case 'list':
      return found
    case 'online':
      return found.toSorted((one, other) => other.usersOnline - one.usersOnline)
    case 'traffic':
      return found.toSorted((one, other) => trafficOf(other) - trafficOf(one))
    case 'name':
      return found.toSorted((one, other) => one.name.localeCompare(other.name, undefined, { numeric: true }))
  }
}

function trafficOf(node: NodeMetrics): number {
  const tags = passedOf(node)
  return sum(tags, 'uploadBytes') + sum(tags, 'downloadBytes')
}

/** Traffic of a node is its outgoing bytes; of one that reports only incoming ones, those. */
function passedOf({ inbounds, outbounds }: NodeMetrics): readonly TagTraffic[] {
  return outbounds.some(({ uploadBytes, downloadBytes }) => uploadBytes + downloadBytes > 0) ? outbounds : inbounds
}

function sum(tags: readonly TagTraffic[], direction: 'uploadBytes' | 'downloadBytes'): number {
  return tags.reduce((total, tag) => total + tag[direction], 0)
}

/** A row for each tag, for a spreadsheet. */
export function metricsRows(
  nodes: readonly NodeMetrics[],
  heads: readonly string[],
  words: Record<'inbound' | 'outbound', string>,
) {
  return [
    [...heads],
    ...nodes.flatMap((node) =>
      (['inbound', 'outbound'] as const).flatMap((direction) =>
        node[`${direction}s`].map(({ tag, uploadBytes, downloadBytes }): (string | number)[] => [
          node.name,
          words[direction],
          tag,
          uploadBytes,
          downloadBytes,
          node.countedThroughAt ?? '',
        ]),
      ),
    ),
  ]
}
