import {
  bulkUpdateNodes,
  cloneNodePlugin,
  createNodePlugin,
  createSharedList,
  deleteNodePlugin,
  deleteSharedList,
  executeNodePlugin,
  getNodePlugin,
  getSharedList,
  getTorrentStats,
  listNodePlugins,
  listNodes,
  listSharedLists,
  listTorrentReports,
  previewNodePlugin,
  reorderNodePlugins,
  syncNodePlugin,
  truncateTorrentReports,
  updateNodePlugin,
  updateSharedList,
  type NodePlugin,
  type Reply,
} from '@causeway/contract'
import { keepPreviousData } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { apiQuery } from '../../api/api-query.ts'
import { useApiMutation, type FormTarget } from '../../api/use-api-mutation.ts'
import { seconds } from '../../lib/time/durations.ts'
import type { TableView } from '../../ui/table/data-table-view.ts'

export type TorrentRecord = Reply<typeof listTorrentReports>['records'][number]

export const pluginsQuery = () => apiQuery(listNodePlugins, {}, { refetchInterval: seconds(15) })
export const pluginQuery = (uuid: string) => apiQuery(getNodePlugin, { uuid }, { refetchInterval: seconds(30), quiet: true })
export const sharedListsQuery = () => apiQuery(listSharedLists, {}, { refetchInterval: seconds(30) })
export const sharedListQuery = (name: string) => apiQuery(getSharedList, { name }, { quiet: true })
export const torrentStatsQuery = () => apiQuery(getTorrentStats, {}, { refetchInterval: seconds(25) })
export const nodeNamesQuery = () => apiQuery(listNodes, {}, { staleTime: seconds(5) })

export function torrentsQuery({ pageIndex, pageSize, filters }: Pick<TableView, 'pageIndex' | 'pageSize' | 'filters'>) {
  const username = filters['username']?.trim() ?? ''
  return apiQuery(
    listTorrentReports,
    {
      start: pageIndex * pageSize,
      size: pageSize,
      ...(username === '' ? {} : { filters: JSON.stringify([{ id: 'username', value: username }]) as never }),
    },
    { refetchInterval: seconds(25), placeholderData: keepPreviousData },
  )
}

const lists = [listNodePlugins, getNodePlugin]

export function useCreatePlugin(options: { onCreated: (plugin: NodePlugin) => void; onFailure: (error: Error) => void }) {
  const { t } = useTranslation('node-plugins')
  return useApiMutation(createNodePlugin, {
    success: t('toast.created'),
    refreshes: lists,
    onReply: options.onCreated,
    onFailure: options.onFailure,
  })
}

export function useUpdatePlugin(form: FormTarget) {
  const { t } = useTranslation('node-plugins')
  return useApiMutation(updateNodePlugin, { success: t('toast.updated'), refreshes: lists, form })
}

export function usePluginActions() {
  const { t } = useTranslation('node-plugins')
  return {
    remove: useApiMutation(deleteNodePlugin, {
      isUndoable: true,
      success: t('toast.deleted'),
      refreshes: [...lists, listNodes],
    }),
    clone: useApiMutation(cloneNodePlugin, { success: t('toast.created'), refreshes: lists }),
    sync: useApiMutation(syncNodePlugin, { success: t('toast.synced'), refreshes: lists }),
  }
}

export function useAssignPlugin() {
  const { t } = useTranslation('node-plugins')
  return useApiMutation(bulkUpdateNodes, { success: t('toast.assigned'), refreshes: [...lists, listNodes] })
}

export const usePreviewPlugin = () => useApiMutation(previewNodePlugin, {})

export function useListActions(onSaved: () => void) {
  const { t } = useTranslation('node-plugins')
  const refreshes = [listSharedLists, getSharedList]
  return {
    create: useApiMutation(createSharedList, { success: t('toast.listSaved'), refreshes, onReply: onSaved }),
    update: useApiMutation(updateSharedList, { success: t('toast.listSaved'), refreshes, onReply: onSaved }),
  }
}

export function useDeleteList() {
  const { t } = useTranslation('node-plugins')
  return useApiMutation(deleteSharedList, { isUndoable: true, success: t('toast.listDeleted'), refreshes: [listSharedLists] })
}

export function useTorrentActions() {
  const { t } = useTranslation('node-plugins')
  const refreshes = [listTorrentReports, getTorrentStats]
  return {
    unblock: useApiMutation(executeNodePlugin, { success: t('toast.unblocked'), refreshes }),
    truncate: useApiMutation(truncateTorrentReports, { success: t('toast.truncated'), refreshes }),
  }
}

export function useReorderPlugins() {
  const { t } = useTranslation('ui')
  return useApiMutation(reorderNodePlugins, { success: t('order.saved'), refreshes: [listNodePlugins] })
}
