import {
  getBandwidthStats,
  getUsageHistory,
  getInfraSpending,
  getInstallation,
  listInfraBillingNodes,
  updateInstallation,
} from '@causeway/contract'
import { useTranslation } from 'react-i18next'
import { apiQuery } from '../../api/api-query.ts'
import { useApiMutation, type FormTarget } from '../../api/use-api-mutation.ts'
import { seconds } from '../../lib/time/durations.ts'
import { showAccent } from './show-accent.ts'

export const installationQuery = () => apiQuery(getInstallation, {}, { staleTime: seconds(60) })

/** Figures by day, week or month are stale. */
export function useUpdateInstallation(form: FormTarget) {
  const { t } = useTranslation('installation')
  const refreshes = [getInstallation, getBandwidthStats, getUsageHistory, getInfraSpending, listInfraBillingNodes]
  return useApiMutation(updateInstallation, {
    form,
    success: t('saved'),
    refreshes,
    onReply: ({ accent }) => showAccent(accent),
  })
}
