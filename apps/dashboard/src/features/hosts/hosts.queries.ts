import {
  bulkDeleteHosts,
  bulkDisableHosts,
  bulkEnableHosts,
  bulkSetHostsInbound,
  bulkSetHostsPort,
  createHost,
  deleteHost,
  getHost,
  listConfigProfiles,
  listHosts,
  listHostTags,
  listSubscriptionTemplates,
  previewHostMapper,
  reorderHosts,
  updateHost,
  type CallInput,
} from '@causeway/contract'
import { useTranslation } from 'react-i18next'
import { apiQuery, AS_WRITTEN } from '../../api/api-query.ts'
import { useApiMutation, type FormTarget } from '../../api/use-api-mutation.ts'
import { seconds } from '../../lib/time/durations.ts'

export const hostsQuery = () => apiQuery(listHosts, {}, { refetchOnMount: 'always' })

export const hostQuery = (uuid: string) =>
  apiQuery(getHost, { uuid }, { staleTime: seconds(3), refetchInterval: seconds(35), quiet: true, ...AS_WRITTEN })

export const hostTagsQuery = () => apiQuery(listHostTags, {}, { quiet: true })

/** Templates that a host can be rendered with. Without the permission for settings there is nothing to choose. */
export const jsonTemplatesQuery = () => apiQuery(listSubscriptionTemplates, {}, { quiet: true, staleTime: seconds(30) })

export const mapperPreviewQuery = (host: CallInput<typeof previewHostMapper>) =>
  apiQuery(previewHostMapper, host, { quiet: true, staleTime: seconds(30), refetchOnWindowFocus: false })

/** The header's refresh: everything that the page's rows are made of. */
export const hostReads = [listHosts, listConfigProfiles] as const

const result = ({ remark }: { remark: string }) => remark

export function useCreateHost(form?: FormTarget) {
  const { t } = useTranslation('hosts')
  return useApiMutation(createHost, {
    ...(form && { form }),
    success: t('created'),
    result,
    refreshes: [listHosts, listHostTags],
  })
}

export function useUpdateHost(form: FormTarget) {
  const { t } = useTranslation('hosts')
  return useApiMutation(updateHost, { form, success: t('updated'), result, refreshes: [listHosts, listHostTags] })
}

/** Without a form: to a time, or back at once. */
export function useHideHost() {
  const { t } = useTranslation('hosts')
  return useApiMutation(updateHost, {
    isUndoable: true,
    success: ({ isDisabled }) => t(isDisabled ? 'hide.done' : 'hide.shown'),
    result,
    refreshes: [listHosts, getHost],
  })
}

export function useDeleteHost() {
  const { t } = useTranslation('hosts')
  return useApiMutation(deleteHost, { isUndoable: true, success: t('deleted'), refreshes: [listHosts, listHostTags] })
}

export function useReorderHosts() {
  return useApiMutation(reorderHosts, {
    refreshes: [listHosts],
    onFailure: (_error, _input, client) => void client.invalidateQueries({ queryKey: [listHosts.name] }),
  })
}

export function useBulkHosts() {
  const { t } = useTranslation('hosts')
  const refreshes = [listHosts]
  return {
    enable: useApiMutation(bulkEnableHosts, { isUndoable: true, success: t('bulk.enabled'), refreshes }),
    disable: useApiMutation(bulkDisableHosts, { isUndoable: true, success: t('bulk.disabled'), refreshes }),
    remove: useApiMutation(bulkDeleteHosts, { isUndoable: true, success: t('bulk.deleted'), refreshes }),
    setPort: useApiMutation(bulkSetHostsPort, { isUndoable: true, success: t('bulk.portSet'), refreshes }),
    setInbound: useApiMutation(bulkSetHostsInbound, { isUndoable: true, success: t('bulk.inboundSet'), refreshes }),
  }
}
