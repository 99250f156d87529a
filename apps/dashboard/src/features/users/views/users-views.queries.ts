import { createView, deleteView, listViews, updateView } from '@causeway/contract'
import { useTranslation } from 'react-i18next'
import { apiQuery } from '../../../api/api-query.ts'
import { useApiMutation } from '../../../api/use-api-mutation.ts'
import { seconds } from '../../../lib/time/durations.ts'

const refreshes = [listViews]

export const usersViewsQuery = () => apiQuery(listViews, { page: 'users' }, { staleTime: seconds(30), quiet: true })

export function useViewActions() {
  const { t } = useTranslation('views')
  return {
    save: useApiMutation(createView, { success: t('toast.saved'), refreshes }),
    change: useApiMutation(updateView, { success: t('toast.changed'), refreshes }),
    remove: useApiMutation(deleteView, { isUndoable: true, success: t('toast.deleted'), refreshes }),
  }
}
