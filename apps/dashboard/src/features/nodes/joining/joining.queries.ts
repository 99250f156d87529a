import { getNodeJoin, listNodes, makeJoinCode, revokeNodeCertificate } from '@causeway/contract'
import { useTranslation } from 'react-i18next'
import { apiQuery } from '../../../api/api-query.ts'
import { useApiMutation } from '../../../api/use-api-mutation.ts'
import { seconds } from '../../../lib/time/durations.ts'

/** Followed closely while its dialog is open. */
export const joinQuery = (uuid: string, isFollowed = false) =>
  apiQuery(getNodeJoin, { uuid }, { staleTime: seconds(2), refetchInterval: isFollowed && seconds(2), quiet: true })

export function useMakeJoinCode() {
  return useApiMutation(makeJoinCode, { refreshes: [getNodeJoin] })
}

export function useRevokeCertificate() {
  const { t } = useTranslation('joining')
  return useApiMutation(revokeNodeCertificate, { success: t('revoke.done'), refreshes: [getNodeJoin, listNodes] })
}
