import {
  createInfraBillingNode,
  createInfraBillingRecord,
  createInfraProvider,
  deleteInfraBillingNode,
  deleteInfraBillingRecord,
  deleteInfraProvider,
  getInfraProvider,
  getInfraProviderIcon,
  getInfraSpending,
  listInfraBillingHistory,
  listInfraBillingNodes,
  listInfraProviders,
  listNodes,
  updateInfraBillingNode,
  updateInfraProvider,
  type BillingRecord,
  type Reply,
} from '@causeway/contract'
import type { QueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { apiQuery } from '../../api/api-query.ts'
import { call } from '../../api/call.ts'
import { useApiMutation, type FormTarget } from '../../api/use-api-mutation.ts'
import { seconds } from '../../lib/time/durations.ts'

type BillingNodes = Reply<typeof listInfraBillingNodes>
type History = Reply<typeof listInfraBillingHistory>

export const HISTORY_PAGE = 50
/** The most that one request gives. */
const EXPORT_PAGE = 500

export const providersQuery = () => apiQuery(listInfraProviders, {}, { staleTime: seconds(30) })
export const providerQuery = (uuid: string) => apiQuery(getInfraProvider, { uuid }, { staleTime: seconds(30) })
/** An icon changes once in years; without one the initial is shown, and a failure stays silent. */
export const providerIconQuery = (uuid: string) =>
  apiQuery(getInfraProviderIcon, { uuid }, { staleTime: seconds(3600), refetchOnWindowFocus: false, quiet: true })
export const billingNodesQuery = () => apiQuery(listInfraBillingNodes, {}, { staleTime: seconds(30) })
export const historyQuery = (page: number) =>
  apiQuery(
    listInfraBillingHistory,
    { start: page * HISTORY_PAGE, size: HISTORY_PAGE },
    { staleTime: seconds(20), refetchInterval: seconds(60), placeholderData: (before: History | undefined) => before },
  )
export const spendingQuery = () => apiQuery(getInfraSpending, {}, { staleTime: seconds(60) })

/** Every payment there is, for taking away. */
export async function readAllRecords(): Promise<BillingRecord[]> {
  const records: BillingRecord[] = []
  for (;;) {
    const page = await call(listInfraBillingHistory, { start: records.length, size: EXPORT_PAGE })
    records.push(...page.records)
    if (page.records.length === 0 || records.length >= page.total) return records
  }
}

export function useCreateProvider(form: FormTarget) {
  const { t } = useTranslation('infra-billing')
  return useApiMutation(createInfraProvider, {
    form,
    task: useTask('provider', t('provider.created')),
    refreshes: [listInfraProviders],
  })
}

export function useUpdateProvider(form: FormTarget) {
  const { t } = useTranslation('infra-billing')
  return useApiMutation(updateInfraProvider, {
    form,
    task: useTask('provider', t('provider.updated')),
    refreshes: [...EVERYTHING, getInfraProviderIcon],
  })
}

export function useDeleteProvider() {
  const { t } = useTranslation('infra-billing')
  return useApiMutation(deleteInfraProvider, {
    isUndoable: true,
    task: useTask('provider', t('provider.deleted')),
    refreshes: EVERYTHING,
  })
}

export function useCreateBillingNode(form: FormTarget) {
  const { t } = useTranslation('infra-billing')
  return useApiMutation(createInfraBillingNode, {
    form,
    task: useTask('bill', t('bill.created')),
    onReply: putBillingNodes,
    refreshes: [listInfraProviders],
  })
}

export function useUpdateBillingNode() {
  const { t } = useTranslation('infra-billing')
  return useApiMutation(updateInfraBillingNode, { task: useTask('bill', t('bill.updated')), onReply: putBillingNodes })
}

export function useDeleteBillingNode() {
  const { t } = useTranslation('infra-billing')
  return useApiMutation(deleteInfraBillingNode, {
    isUndoable: true,
    task: useTask('bill', t('bill.deleted')),
    onReply: putBillingNodes,
    refreshes: [listInfraProviders],
  })
}

export function useCreateRecord(form: FormTarget) {
  const { t } = useTranslation('infra-billing')
  return useApiMutation(createInfraBillingRecord, {
    form,
    task: useTask('record', t('record.created')),
    onReply: putHistory,
    refreshes: BILLING_READS,
  })
}

export function useDeleteRecord() {
  const { t } = useTranslation('infra-billing')
  return useApiMutation(deleteInfraBillingRecord, {
    isUndoable: true,
    task: useTask('record', t('record.deleted')),
    onReply: putHistory,
    refreshes: BILLING_READS,
  })
}

/** Queries of the billing page. */
export const BILLING_READS = [listInfraProviders, listInfraBillingNodes, listInfraBillingHistory, getInfraSpending]
/** Queries with a provider's name or link. */
const EVERYTHING = [...BILLING_READS, getInfraProvider, listNodes]

/** A toast that stands while the request runs and then says how it went. */
function useTask(what: 'provider' | 'bill' | 'record', done: string) {
  const { t } = useTranslation('infra-billing')
  return { title: t(`${what}.one`), pending: t('processing'), queued: done }
}

function putBillingNodes(view: BillingNodes, _input: unknown, client: QueryClient): void {
  client.setQueryData(billingNodesQuery().queryKey, view)
}

function putHistory(view: History, _input: unknown, client: QueryClient): void {
  client.setQueryData(historyQuery(0).queryKey, view)
}
