import { getSubscriptionSettings, updateSubscriptionSettings } from '@causeway/contract'
import { useTranslation } from 'react-i18next'
import { apiQuery } from '../../api/api-query.ts'
import { useApiMutation } from '../../api/use-api-mutation.ts'

export const settingsQuery = apiQuery(getSubscriptionSettings, {})

export function usePutRouting() {
  const { t } = useTranslation('happ-routing')
  return useApiMutation(updateSubscriptionSettings, {
    success: t('settings.saved'),
    onReply: (settings, _, client) => client.setQueryData(settingsQuery.queryKey, settings),
  })
}
