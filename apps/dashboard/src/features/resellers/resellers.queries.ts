import { createReseller, deleteReseller, listAdmins, listResellers, updateReseller } from '@causeway/contract'
import { useTranslation } from 'react-i18next'
import { apiQuery } from '../../api/api-query.ts'
import { useApiMutation } from '../../api/use-api-mutation.ts'
import { seconds } from '../../lib/time/durations.ts'

export const resellersQuery = ({ quiet = false } = {}) =>
  apiQuery(listResellers, {}, { refetchInterval: seconds(60), ...(quiet ? { quiet } : {}) })

const refreshes = [listResellers, listAdmins]

export function useCreateReseller() {
  const { t } = useTranslation('admins')
  return useApiMutation(createReseller, { success: t('reseller.saved'), refreshes })
}

export function useUpdateReseller() {
  const { t } = useTranslation('admins')
  return useApiMutation(updateReseller, { success: t('reseller.saved'), refreshes })
}

export function useDeleteReseller() {
  const { t } = useTranslation('admins')
  return useApiMutation(deleteReseller, { success: t('reseller.deleted'), refreshes })
}
