import {
  countAddressNodes,
  createNoticeRule,
  createNoticeWay,
  deleteNoticeRule,
  deleteNoticeWay,
  getNoticeRule,
  getNoticeWay,
  listNoticeMessages,
  listNoticeRules,
  listNoticeWays,
  noticeMessageState,
  resendNoticeMessage,
  testNoticeWay,
  updateNoticeRule,
  updateNoticeWay,
} from '@causeway/contract'
import { keepPreviousData } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { apiQuery } from '../../api/api-query.ts'
import { useApiMutation, type FormTarget } from '../../api/use-api-mutation.ts'
import { seconds } from '../../lib/time/durations.ts'
import type { TableView } from '../../ui/table/data-table-view.ts'

export const waysQuery = () => apiQuery(listNoticeWays, {}, { refetchInterval: seconds(5) })
export const wayQuery = (uuid: string) => apiQuery(getNoticeWay, { uuid }, { refetchInterval: seconds(15), quiet: true })
export const rulesQuery = () => apiQuery(listNoticeRules, {}, { refetchInterval: seconds(15) })
export const ruleQuery = (uuid: string) => apiQuery(getNoticeRule, { uuid }, { refetchInterval: seconds(15), quiet: true })

/** Asks every node: not often. */
export const addressNodesQuery = () => apiQuery(countAddressNodes, {}, { staleTime: seconds(60), quiet: true })

export function messagesQuery({ pageIndex, pageSize, filters }: Pick<TableView, 'pageIndex' | 'pageSize' | 'filters'>) {
  const state = noticeMessageState.safeParse(filters['state'])
  const { way } = filters
  return apiQuery(
    listNoticeMessages,
    {
      start: pageIndex * pageSize,
      size: pageSize,
      ...(state.success ? { state: state.data } : {}),
      ...(way === undefined || way === '' ? {} : { way }),
    },
    { refetchInterval: seconds(5), placeholderData: keepPreviousData },
  )
}

const ways = [listNoticeWays, getNoticeWay, listNoticeRules]
const rules = [listNoticeRules, getNoticeRule, listNoticeWays]

export function useCreateWay(form: FormTarget, onCreated: (uuid: string) => void) {
  const { t } = useTranslation('notices')
  return useApiMutation(createNoticeWay, {
    success: t('toast.wayCreated'),
    refreshes: ways,
    form,
    onReply: ({ uuid }) => onCreated(uuid),
  })
}

export function useUpdateWay(form: FormTarget) {
  const { t } = useTranslation('notices')
  return useApiMutation(updateNoticeWay, { success: t('toast.waySaved'), refreshes: ways, form })
}

export const useTestWay = () => useApiMutation(testNoticeWay, { refreshes: ways })

export function useCreateRule(form: FormTarget, onCreated: () => void) {
  const { t } = useTranslation('notices')
  return useApiMutation(createNoticeRule, { success: t('toast.ruleCreated'), refreshes: rules, form, onReply: onCreated })
}

export function useUpdateRule(form: FormTarget) {
  const { t } = useTranslation('notices')
  return useApiMutation(updateNoticeRule, { success: t('toast.ruleSaved'), refreshes: rules, form })
}

export function useNoticeActions() {
  const { t } = useTranslation('notices')
  return {
    pauseWay: useApiMutation(updateNoticeWay, {
      success: ({ isPaused }) => (isPaused ? t('toast.wayPaused') : t('toast.wayResumed')),
      refreshes: ways,
    }),
    removeWay: useApiMutation(deleteNoticeWay, { success: t('toast.wayDeleted'), refreshes: ways, isUndoable: true }),
    switchRule: useApiMutation(updateNoticeRule, {
      success: ({ isPaused }) => (isPaused ? t('toast.ruleOff') : t('toast.ruleOn')),
      refreshes: rules,
    }),
    removeRule: useApiMutation(deleteNoticeRule, { success: t('toast.ruleDeleted'), refreshes: rules, isUndoable: true }),
    resend: useApiMutation(resendNoticeMessage, {
      success: t('toast.resent'),
      refreshes: [listNoticeMessages, listNoticeWays],
    }),
  }
}
