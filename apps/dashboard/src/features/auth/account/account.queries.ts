import { changePassword, endOtherSessions, endSession, getAccount, listSessions, type Reply } from '@causeway/contract'
import { useTranslation } from 'react-i18next'
import { apiQuery } from '../../../api/api-query.ts'
import { useApiMutation, type FormTarget } from '../../../api/use-api-mutation.ts'
import { seconds } from '../../../lib/time/durations.ts'

export type Account = Reply<typeof getAccount>
export type Session = Reply<typeof listSessions>['sessions'][number]

export const sessionsQuery = () => apiQuery(listSessions, {}, { refetchInterval: seconds(30), quiet: true })

export function useChangePassword(form: FormTarget) {
  const { t } = useTranslation('account')
  const success = ({ endedSessions }: { endedSessions: number }) =>
    endedSessions === 0 ? t('password.changed') : t('password.changedEnding', { count: endedSessions })
  return useApiMutation(changePassword, { form, success, refreshes: [listSessions] })
}

export function useEndSession() {
  const { t } = useTranslation('account')
  return useApiMutation(endSession, { success: t('sessions.ended', { count: 1 }), refreshes: [listSessions] })
}

export function useEndOtherSessions() {
  const { t } = useTranslation('account')
  const success = ({ endedSessions }: { endedSessions: number }) => t('sessions.ended', { count: endedSessions })
  return useApiMutation(endOtherSessions, { success, refreshes: [listSessions] })
}
