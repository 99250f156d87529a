import {
  clonePageConfig,
  createPageConfig,
  deletePageConfig,
  listExternalSquads,
  listPageConfigs,
  reorderPageConfigs,
  updatePageConfig,
  type PageConfigEntry,
} from '@causeway/contract'
import { useTranslation } from 'react-i18next'
import { apiQuery, AS_WRITTEN } from '../../api/api-query.ts'
import { useApiMutation, type FormTarget } from '../../api/use-api-mutation.ts'
import { seconds } from '../../lib/time/durations.ts'

export const pageConfigsQuery = () =>
  apiQuery(listPageConfigs, {}, { quiet: true, staleTime: seconds(5), refetchInterval: seconds(30), ...AS_WRITTEN })

export function useCreatePageConfig(options: {
  onCreated: (config: PageConfigEntry) => void
  onFailure: (error: Error) => void
}) {
  const { t } = useTranslation('page-configs')
  return useApiMutation(createPageConfig, {
    success: t('created'),
    result: ({ name }) => name,
    refreshes: [listPageConfigs],
    onReply: options.onCreated,
    onFailure: options.onFailure,
  })
}

export function useClonePageConfig() {
  const { t } = useTranslation('page-configs')
  return useApiMutation(clonePageConfig, { success: t('created'), result: ({ name }) => name, refreshes: [listPageConfigs] })
}

export function useRenamePageConfig({ onFailure }: { onFailure: (error: Error) => void }) {
  const { t } = useTranslation('page-configs')
  return useApiMutation(updatePageConfig, {
    success: t('saved'),
    result: ({ name }) => name,
    refreshes: [listPageConfigs],
    onFailure,
    quiet: true,
  })
}

export function useSavePageConfig(form?: FormTarget) {
  const { t } = useTranslation('page-configs')
  return useApiMutation(updatePageConfig, {
    success: t('saved'),
    result: ({ name }) => name,
    refreshes: [listPageConfigs],
    isUndoable: true,
    ...(form ? { form } : {}),
  })
}

export function useDeletePageConfig() {
  const { t } = useTranslation('page-configs')
  return useApiMutation(deletePageConfig, {
    success: t('deleted'),
    isUndoable: true,
    refreshes: [listPageConfigs, listExternalSquads],
  })
}

export function useReorderPageConfigs() {
  const { t } = useTranslation('ui')
  return useApiMutation(reorderPageConfigs, { success: t('order.saved'), refreshes: [listPageConfigs] })
}
