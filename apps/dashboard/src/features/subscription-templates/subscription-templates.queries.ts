import { getSubscriptionTemplate, listTemplateRevisions, updateSubscriptionTemplate, type TemplateType } from '@causeway/contract'
import { useTranslation } from 'react-i18next'
import { apiQuery, AS_WRITTEN } from '../../api/api-query.ts'
import { useApiMutation, type FormTarget } from '../../api/use-api-mutation.ts'
import { seconds } from '../../lib/time/durations.ts'

/** A failure is told by the page, in the words of the specification. */
export const templateQuery = (templateType: TemplateType) =>
  apiQuery(
    getSubscriptionTemplate,
    { templateType },
    { quiet: true, staleTime: seconds(5), refetchInterval: seconds(30), ...AS_WRITTEN },
  )

export function useSaveTemplate(form: FormTarget) {
  const { t } = useTranslation('subscription-templates')
  return useApiMutation(updateSubscriptionTemplate, { success: t('saved'), form, refreshes: [listTemplateRevisions] })
}
