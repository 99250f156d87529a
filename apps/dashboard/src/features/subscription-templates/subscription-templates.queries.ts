import {
  createSubscriptionTemplate,
  deleteSubscriptionTemplate,
  getSubscriptionTemplate,
  listExternalSquads,
  listSubscriptionTemplates,
  listTemplateRevisions,
  makeTemplateDefault,
  patchSubscriptionTemplate,
  reorderSubscriptionTemplates,
  updateSubscriptionTemplate,
  type SubscriptionTemplate,
} from '@causeway/contract'
import { useTranslation } from 'react-i18next'
import { apiQuery, AS_WRITTEN } from '../../api/api-query.ts'
import { useApiMutation, type FormTarget } from '../../api/use-api-mutation.ts'
import { seconds } from '../../lib/time/durations.ts'

/** By uuid, or the default of a type. A failure is told by the page, in the words of the specification. */
export const templateQuery = (templateType: string) =>
  apiQuery(
    getSubscriptionTemplate,
    { templateType },
    { quiet: true, staleTime: seconds(5), refetchInterval: seconds(30), ...AS_WRITTEN },
  )

/** Every template; what only names them is left quiet where it fails. */
export const templatesQuery = () =>
  apiQuery(listSubscriptionTemplates, {}, { quiet: true, staleTime: seconds(5), refetchInterval: seconds(30) })

export function useSaveTemplate(form: FormTarget) {
  const { t } = useTranslation('subscription-templates')
  return useApiMutation(updateSubscriptionTemplate, { success: t('saved'), form, refreshes: [listTemplateRevisions] })
}

export function useSaveNamedTemplate(form: FormTarget) {
  const { t } = useTranslation('subscription-templates')
  return useApiMutation(patchSubscriptionTemplate, { success: t('saved'), form, refreshes: [listTemplateRevisions] })
}

export function useCreateTemplate(options: {
  onCreated: (template: SubscriptionTemplate) => void
  onFailure: (error: Error) => void
}) {
  const { t } = useTranslation('subscription-templates')
  return useApiMutation(createSubscriptionTemplate, {
    success: t('named.created'),
    result: ({ name = '' }) => name,
    refreshes: [listSubscriptionTemplates],
    onReply: options.onCreated,
    onFailure: options.onFailure,
  })
}

export function useRenameTemplate({ onFailure }: { onFailure: (error: Error) => void }) {
  const { t } = useTranslation('subscription-templates')
  return useApiMutation(patchSubscriptionTemplate, {
    success: t('saved'),
    result: ({ name = '' }) => name,
    refreshes: [listSubscriptionTemplates, getSubscriptionTemplate],
    onFailure,
    quiet: true,
  })
}

export function useMakeDefault() {
  const { t } = useTranslation('subscription-templates')
  return useApiMutation(makeTemplateDefault, {
    success: t('named.madeDefault'),
    result: ({ name = '' }) => name,
    isUndoable: true,
    refreshes: [listSubscriptionTemplates, getSubscriptionTemplate],
  })
}

export function useDeleteTemplate() {
  const { t } = useTranslation('subscription-templates')
  return useApiMutation(deleteSubscriptionTemplate, {
    success: t('named.deleted'),
    isUndoable: true,
    refreshes: [listSubscriptionTemplates, listExternalSquads],
  })
}

export function useReorderTemplates() {
  const { t } = useTranslation('ui')
  return useApiMutation(reorderSubscriptionTemplates, { success: t('order.saved'), refreshes: [listSubscriptionTemplates] })
}
