import {
  createWebhook,
  deleteWebhook,
  deliveryState,
  eventName,
  getWebhook,
  getWebhookDelivery,
  listDomainEvents,
  listWebhookDeliveries,
  listWebhooks,
  resendFailedDeliveries,
  resendWebhookDelivery,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
  type Reply,
} from '@causeway/contract'
import { keepPreviousData } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { apiQuery } from '../../api/api-query.ts'
import { useApiMutation, type FormTarget } from '../../api/use-api-mutation.ts'
import { seconds } from '../../lib/time/durations.ts'
import type { TableView } from '../../ui/table/data-table-view.ts'

export const webhooksQuery = () => apiQuery(listWebhooks, {}, { refetchInterval: seconds(5) })
export const webhookQuery = (uuid: string) => apiQuery(getWebhook, { uuid }, { refetchInterval: seconds(15), quiet: true })
export const domainEventsQuery = () => apiQuery(listDomainEvents, {})
export const deliveryQuery = (uuid: string) =>
  apiQuery(getWebhookDelivery, { uuid }, { refetchInterval: seconds(5), quiet: true })

export function deliveriesQuery(
  uuid: string,
  { pageIndex, pageSize, filters }: Pick<TableView, 'pageIndex' | 'pageSize' | 'filters'>,
) {
  const state = deliveryState.safeParse(filters['state'])
  const event = eventName.safeParse(filters['event'])
  const search = filters['thing']?.trim() ?? ''
  return apiQuery(
    listWebhookDeliveries,
    {
      uuid,
      start: pageIndex * pageSize,
      size: pageSize,
      ...(state.success ? { state: state.data } : {}),
      ...(event.success ? { event: event.data } : {}),
      ...(search === '' ? {} : { search }),
    },
    { refetchInterval: seconds(5), placeholderData: keepPreviousData },
  )
}

const lists = [listWebhooks, getWebhook]
type WithSecret = Reply<typeof createWebhook>

export function useCreateWebhook(form: FormTarget, onCreated: (made: WithSecret) => void) {
  const { t } = useTranslation('webhooks')
  return useApiMutation(createWebhook, { success: t('toast.created'), refreshes: lists, form, onReply: onCreated })
}

export function useUpdateWebhook(form: FormTarget) {
  const { t } = useTranslation('webhooks')
  return useApiMutation(updateWebhook, { success: t('toast.updated'), refreshes: lists, form })
}

export function useRotateSecret(onRotated: (made: WithSecret) => void) {
  const { t } = useTranslation('webhooks')
  return useApiMutation(rotateWebhookSecret, { success: t('toast.rotated'), refreshes: lists, onReply: onRotated })
}

export const useTestWebhook = () => useApiMutation(testWebhook, { refreshes: lists })

export function useWebhookActions() {
  const { t } = useTranslation('webhooks')
  const deliveries = [...lists, listWebhookDeliveries, getWebhookDelivery]
  return {
    pause: useApiMutation(updateWebhook, {
      success: ({ isPaused }) => (isPaused ? t('toast.paused') : t('toast.resumed')),
      refreshes: lists,
    }),
    remove: useApiMutation(deleteWebhook, { isUndoable: true, success: t('toast.deleted'), refreshes: lists }),
    resendFailed: useApiMutation(resendFailedDeliveries, {
      success: (reply) => t('toast.resent', { count: reply.deliveries }),
      refreshes: deliveries,
    }),
    resend: useApiMutation(resendWebhookDelivery, { success: t('toast.resent', { count: 1 }), refreshes: deliveries }),
  }
}
