import type { getUsageHistory, Host, Inbound, listNodesTraffic, Reply } from '@causeway/contract'

type History = Reply<typeof getUsageHistory>
type NodeTraffic = Reply<typeof listNodesTraffic>['nodes'][number]

/** Bytes of one node in each step of the history; noughts where it moved nothing. */
export function bytesOf(uuid: string, { nodes, starts }: Pick<History, 'nodes' | 'starts'>): number[] {
  return nodes.find((node) => node.uuid === uuid)?.bytes ?? starts.map(() => 0)
}

export interface InboundRow {
  inbound: Inbound
  hosts: readonly Host[]
  /** Undefined: none were reported yet. */
  uploadBytes: number | undefined
  downloadBytes: number | undefined
}

/** The inbounds that a node runs, with the hosts that lead to them through this node, and what came in. */
export function inboundRows(
  inbounds: readonly Inbound[],
  hosts: readonly Host[],
  traffic: Pick<NodeTraffic, 'inbounds'> | undefined,
  nodeUuid: string,
): InboundRow[] {
  return inbounds.map((inbound) => {
    const counted = traffic?.inbounds.find(({ tag }) => tag === inbound.tag)
    return {
      inbound,
      hosts: hosts.filter(
        (host) =>
          host.inbound.configProfileInboundUuid === inbound.uuid && (host.nodes.length === 0 || host.nodes.includes(nodeUuid)),
      ),
      uploadBytes: counted?.uploadBytes,
      downloadBytes: counted?.downloadBytes,
    }
  })
}
