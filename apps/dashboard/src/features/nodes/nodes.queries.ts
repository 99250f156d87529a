import {
  createNode,
  deleteNode,
  disableNode,
  enableNode,
  getNode,
  getNodeDeliveries,
  getNodeLog,
  getNodePublicKey,
  listConfigProfiles,
  listNodePhases,
  listNodes,
  listNodesRealtimeUsage,
  listNodeTags,
  type Node,
  type NodeLog,
  reorderNodes,
  restartAllNodes,
  restartNode,
  updateNode,
} from '@causeway/contract'
import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { apiQuery } from '../../api/api-query.ts'
import { useApiMutation, type FormTarget } from '../../api/use-api-mutation.ts'
import { seconds } from '../../lib/time/durations.ts'
import type { NodeAction } from './nodes.rules.ts'

/** Read when the page opens and then polled, while nothing is open over it and nothing is being dragged. */
export const nodesQuery = (isPolling = true) =>
  apiQuery(
    listNodes,
    {},
    {
      staleTime: seconds(5),
      refetchInterval: isPolling && seconds(5),
      refetchOnMount: isPolling && 'always',
      isResting: !isPolling,
    },
  )

export const nodeQuery = (uuid: string) =>
  apiQuery(getNode, { uuid }, { staleTime: seconds(5), refetchInterval: seconds(5), quiet: true })
export const nodePhasesQuery = (uuid: string) =>
  apiQuery(listNodePhases, { uuid }, { staleTime: seconds(30), refetchInterval: seconds(60), quiet: true })
export const nodeDeliveriesQuery = (uuid: string) =>
  apiQuery(getNodeDeliveries, { uuid }, { staleTime: seconds(5), refetchInterval: seconds(10), quiet: true })
export const nodeLogQuery = (uuid: string, log: NodeLog, isPaused: boolean) =>
  apiQuery(getNodeLog, { uuid, log }, { refetchInterval: !isPaused && seconds(3), quiet: true })
export const nodeTagsQuery = () => apiQuery(listNodeTags, {}, { quiet: true })
export const realtimeUsageQuery = () =>
  apiQuery(listNodesRealtimeUsage, {}, { staleTime: seconds(5), refetchInterval: seconds(5), quiet: true })
export const publicKeyQuery = () => apiQuery(getNodePublicKey, {}, { staleTime: seconds(5), refetchOnWindowFocus: false })

const result = ({ name }: { name: string }) => name

export function useCreateNode(form: FormTarget) {
  const { t } = useTranslation('nodes')
  return useApiMutation(createNode, {
    form,
    success: t('created'),
    result,
    refreshes: [listNodes, listNodeTags, listConfigProfiles],
  })
}

export function useUpdateNode(form: FormTarget) {
  const { t } = useTranslation('nodes')
  return useApiMutation(updateNode, {
    form,
    success: t('updated'),
    result,
    onReply: (node, _, client) => putNode(client, node),
    refreshes: [listNodes, listNodeTags, listConfigProfiles],
  })
}

export function useDeleteNode() {
  const { t } = useTranslation('nodes')
  return useApiMutation(deleteNode, { isUndoable: true, success: t('deleted'), refreshes: [listNodes, listConfigProfiles] })
}

export function useEnableNode() {
  const { t } = useTranslation('nodes')
  return useApiMutation(enableNode, {
    success: t('enabled'),
    result,
    onReply: (node, _, client) => putNode(client, node),
    refreshes: [listNodes],
  })
}

export function useDisableNode() {
  const { t } = useTranslation('nodes')
  return useApiMutation(disableNode, {
    success: t('disabled'),
    result,
    onReply: (node, _, client) => putNode(client, node),
    refreshes: [listNodes],
  })
}

export function useRestartNode() {
  const { t } = useTranslation('nodes')
  return useApiMutation(restartNode, { success: t('restarted'), refreshes: [listNodes] })
}

/** Tells single nodes something, one by one; the caller says what became of each, and reads the list again at the end. */
export function useNodeAction(action: NodeAction) {
  const client = useQueryClient()
  const { mutateAsync } = useApiMutation(ENDPOINTS[action], { quiet: true })
  return { tell: mutateAsync, refresh: () => void client.invalidateQueries({ queryKey: [listNodes.name] }) }
}

const ENDPOINTS = { enable: enableNode, disable: disableNode, restart: restartNode } as const

export function useRestartAllNodes() {
  const { t } = useTranslation('nodes')
  return useApiMutation(restartAllNodes, { success: t('allRestarted'), refreshes: [listNodes] })
}

export function useReorderNodes() {
  return useApiMutation(reorderNodes, {
    onReply: (nodes, _, client) => client.setQueryData(nodesQuery().queryKey, nodes),
    // The optimistic order is wrong then.
    onFailure: (_error, _input, client) => void client.invalidateQueries({ queryKey: [listNodes.name] }),
  })
}

/** Shows a node everywhere as the server has just described it. */
function putNode(client: QueryClient, node: Node): void {
  client.setQueryData(nodeQuery(node.uuid).queryKey, node)
  client.setQueryData(nodesQuery().queryKey, (nodes) => nodes?.map((other) => (other.uuid === node.uuid ? node : other)))
}
