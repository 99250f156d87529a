import {
  deleteBackup,
  downloadBackup,
  getJob,
  listBackups,
  makeBackup,
  tryBackupTarget,
  updateBackupSchedule,
  updateBackupTargets,
} from '@causeway/contract'
import { useTranslation } from 'react-i18next'
import { apiQuery } from '../../api/api-query.ts'
import { useApiMutation, type FormTarget } from '../../api/use-api-mutation.ts'
import { downloadOf, useSaving } from '../../api/use-download.ts'
import { seconds } from '../../lib/time/durations.ts'

export const backupsQuery = () => apiQuery(listBackups, {}, { staleTime: seconds(10), refetchInterval: seconds(30) })

export const backupJobQuery = (id: string) => apiQuery(getJob, { id }, { staleTime: 0, quiet: true })

export function useMakeBackup() {
  return useApiMutation(makeBackup, { refreshes: [listBackups] })
}

export function useUpdateBackupSchedule(form: FormTarget) {
  const { t } = useTranslation('backups')
  return useApiMutation(updateBackupSchedule, { form, success: t('schedule.saved'), refreshes: [listBackups] })
}

export function useUpdateTargets() {
  const { t } = useTranslation('backups')
  return useApiMutation(updateBackupTargets, { success: t('targets.saved'), refreshes: [listBackups] })
}

export function useTryTarget() {
  return useApiMutation(tryBackupTarget, {})
}

export function useDeleteBackup() {
  const { t } = useTranslation('backups')
  return useApiMutation(deleteBackup, { success: t('delete.done'), refreshes: [listBackups] })
}

export function useDownloadBackup() {
  const { isBusy, save } = useSaving(downloadBackup)
  return { isBusy, start: (name: string) => save(() => downloadOf(downloadBackup, `${name}.tar.gz`, { name })) }
}
