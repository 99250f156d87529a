import {
  deleteAllHwidDevices,
  deleteHwidDevice,
  findHwidDevices,
  getHwidStats,
  listUserHwidDevices,
  type Reply,
} from '@causeway/contract'
import { keepPreviousData } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { apiQuery } from '../../api/api-query.ts'
import { useApiMutation } from '../../api/use-api-mutation.ts'
import { seconds } from '../../lib/time/durations.ts'
import type { TableView } from '../../ui/table/data-table-view.ts'
import { SEARCH_COLUMN } from './hwid.view.ts'

export type FoundDevice = Reply<typeof findHwidDevices>['devices'][number]

/** The header's refresh: everything that the page shows. */
export const DEVICE_READS = [findHwidDevices, getHwidStats] as const

export function devicesTableQuery({ pageIndex, pageSize, filters }: Pick<TableView, 'pageIndex' | 'pageSize' | 'filters'>) {
  const search = filters[SEARCH_COLUMN]?.trim() ?? ''
  return apiQuery(
    findHwidDevices,
    { start: pageIndex * pageSize, size: pageSize, ...(search === '' ? {} : { search }) },
    { staleTime: seconds(20), refetchInterval: seconds(25), refetchOnMount: 'always', placeholderData: keepPreviousData },
  )
}

export const deviceStatsQuery = () =>
  apiQuery(getHwidStats, {}, { staleTime: seconds(20), refetchInterval: seconds(25), refetchOnMount: 'always' })

export function useDeviceActions() {
  const { t } = useTranslation('hwid')
  const refreshes = [...DEVICE_READS, listUserHwidDevices]
  return {
    remove: useApiMutation(deleteHwidDevice, { success: t('toast.deleted'), refreshes }),
    removeAll: useApiMutation(deleteAllHwidDevices, { success: t('toast.deletedAll'), refreshes }),
  }
}
