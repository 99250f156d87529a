import { getHwidSettings, getSubscriptionSettings, previewSubscription, updateSubscriptionSettings } from '@causeway/contract'
import { useTranslation } from 'react-i18next'
import { apiQuery } from '../../api/api-query.ts'
import { showError } from '../../api/toasts.ts'
import { useApiMutation, type FormTarget } from '../../api/use-api-mutation.ts'
import { seconds } from '../../lib/time/durations.ts'

export const settingsQuery = () => apiQuery(getSubscriptionSettings, {}, { refetchInterval: seconds(30) })

export function useUpdateSettings(form: FormTarget) {
  const { t } = useTranslation('subscription-settings')
  return useApiMutation(updateSubscriptionSettings, {
    success: t('updated'),
    refreshes: [previewSubscription, getHwidSettings],
    form,
  })
}

/** Nothing is sent: a list of remarks has nothing to show. */
export function showMissingRemarks(title: string, message: string): void {
  showError(title, message, 'missing-remarks')
}
