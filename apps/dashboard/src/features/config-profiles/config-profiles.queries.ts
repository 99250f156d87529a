import {
  createConfigProfile,
  deleteConfigProfile,
  listConfigProfiles,
  listHosts,
  listNodes,
  listInternalSquads,
} from '@causeway/contract'
import { useTranslation } from 'react-i18next'
import { apiQuery } from '../../api/api-query.ts'
import { useApiMutation } from '../../api/use-api-mutation.ts'
import { seconds } from '../../lib/durations.ts'

/** Refetched on focus, so that nothing shown is minutes old. */
export const configProfilesQuery = () => apiQuery(listConfigProfiles, {}, { staleTime: seconds(30), refetchOnWindowFocus: true })

export function useCreateConfigProfile(options: { onCreated: () => void; onFailure: (error: Error) => void }) {
  const { t } = useTranslation('config-profiles')
  return useApiMutation(createConfigProfile, {
    success: t('created'),
    refreshes: [listConfigProfiles],
    onReply: options.onCreated,
    onFailure: options.onFailure,
  })
}

/** Its nodes stop, its inbounds leave the squads, its hosts are left without one. */
export function useDeleteConfigProfile() {
  const { t } = useTranslation('config-profiles')
  return useApiMutation(deleteConfigProfile, {
    success: t('deleted'),
    refreshes: [listConfigProfiles, listNodes, listHosts, listInternalSquads],
  })
}
