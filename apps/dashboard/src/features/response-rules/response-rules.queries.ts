import {
  getSubscriptionSettings,
  listResponseRulesRevisions,
  listSubscriptionRequests,
  listSubscriptionTemplates,
  previewResponseRules,
  updateSubscriptionSettings,
  type CallInput,
} from '@causeway/contract'
import { keepPreviousData } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { apiQuery, AS_WRITTEN } from '../../api/api-query.ts'
import { useApiMutation, type FormTarget } from '../../api/use-api-mutation.ts'
import { seconds } from '../../lib/time/durations.ts'

export const rulesQuery = () => apiQuery(getSubscriptionSettings, {}, { refetchInterval: seconds(30), ...AS_WRITTEN })

/** Asked once the rules have come to rest; until then what was shown before stays. */
export const effectsQuery = (ask: CallInput<typeof previewResponseRules>, isSettled: boolean) =>
  apiQuery(previewResponseRules, ask, {
    enabled: isSettled,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
    quiet: true,
  })

/** The newest kept requests, of one rule where it is named. */
export const requestsQuery = (rule: string | null) =>
  apiQuery(
    listSubscriptionRequests,
    {
      size: 50,
      sorting: [{ id: 'id', desc: true }],
      ...(rule === null ? {} : { filters: [{ id: 'srrRuleName', value: rule }], filterModes: { srrRuleName: 'equals' } }),
    },
    { staleTime: seconds(20), placeholderData: keepPreviousData, quiet: true },
  )

export const templateNamesQuery = () => apiQuery(listSubscriptionTemplates, {}, { staleTime: seconds(30), quiet: true })

export function useSaveRules(form: FormTarget) {
  const { t } = useTranslation('response-rules')
  return useApiMutation(updateSubscriptionSettings, {
    success: t('saved'),
    form,
    refreshes: [listResponseRulesRevisions, previewResponseRules],
  })
}
