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
import { call } from '../../api/call.ts'
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

const EXPORT_PAGE = 1000

/** Every page of a search, one after the other. */
export async function readAllDevices(search: string): Promise<FoundDevice[]> {
  const all: FoundDevice[] = []
  for (;;) {
    const { devices, total } = await call(findHwidDevices, {
      start: all.length,
      size: EXPORT_PAGE,
      ...(search === '' ? {} : { search }),
    })
    all.push(...devices)
    if (devices.length === 0 || all.length >= total) return all
  }
}

export const deviceStatsQuery = () =>
  apiQuery(getHwidStats, {}, { staleTime: seconds(20), refetchInterval: seconds(25), refetchOnMount: 'always' })

export function useDeviceActions() {
  const { t } = useTranslation('hwid')
  const refreshes = [...DEVICE_READS, listUserHwidDevices]
  return {
    remove: useApiMutation(deleteHwidDevice, { isUndoable: true, success: t('toast.deleted'), refreshes }),
    removeAll: useApiMutation(deleteAllHwidDevices, { isUndoable: true, success: t('toast.deletedAll'), refreshes }),
  }
}
