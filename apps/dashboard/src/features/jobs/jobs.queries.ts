import { cancelJob, listJobs } from '@causeway/contract'
import { useTranslation } from 'react-i18next'
import { apiQuery } from '../../api/api-query.ts'
import { useApiMutation } from '../../api/use-api-mutation.ts'
import { seconds } from '../../lib/time/durations.ts'

export const jobsQuery = () => apiQuery(listJobs, {}, { staleTime: seconds(2), refetchInterval: seconds(3) })

export function useCancelJob() {
  const { t } = useTranslation('jobs')
  return useApiMutation(cancelJob, { success: t('cancelled'), refreshes: [listJobs] })
}
