import {
  addUserTraffic,
  bulkDeleteUsersByStatus,
  bulkResetAllUsersTraffic,
  bulkUpdateAllUsers,
  changeUsers,
  createUser,
  deleteHwidDevice,
  deleteUser,
  disableUser,
  enableUser,
  extendUsers,
  getHwidSettings,
  getSubscriptionInfo,
  getSystemStats,
  getUserCounts,
  getUser,
  getUserAccess,
  getUserAccessibleNodes,
  getUsersImpact,
  getUserUsage,
  listInternalSquads,
  listUserHwidDevices,
  listTopUsers,
  listUsers,
  listUserTags,
  neverExpires,
  previewExpiry,
  resetUserTraffic,
  revokeUserSubscription,
  updateUser,
  userFilterId,
  userSortId,
  type CallInput,
  type Reply,
  type TrafficPeriod,
  type User,
} from '@causeway/contract'
import { keepPreviousData, type QueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { apiQuery } from '../../api/api-query.ts'
import { useApiMutation, type FormTarget } from '../../api/use-api-mutation.ts'
import { formatBytes } from '../../lib/numbers/bytes.ts'
import { calendarDate } from '../../lib/time/dates.ts'
import { seconds } from '../../lib/time/durations.ts'
import { lastDays, rangeOf } from '../../ui/chart/chart-series.ts'
import type { TableView } from '../../ui/table/data-table-view.ts'

const FOUND_USERS = 20

// Queries that are stale after any change to a user.
const USER_READS = [listUsers, getSystemStats, getUserCounts, getUserAccessibleNodes, getUserAccess, listUserTags] as const

export function usersTableQuery(view: TableView, columnIds: readonly string[], isPaused: boolean) {
  return apiQuery(listUsers, toUsersInput(view, columnIds), {
    staleTime: seconds(20),
    // Selected rows must not move under the pointer.
    refetchInterval: isPaused ? false : seconds(25),
    isResting: isPaused,
    placeholderData: keepPreviousData,
  })
}

/** The view as the wire wants it. Unknown columns of an old view would be an error there, so they are left out. */
export function toUsersInput(view: TableView, columnIds: readonly string[]): CallInput<typeof listUsers> {
  return {
    start: view.pageIndex * view.pageSize,
    size: view.pageSize,
    filters: Object.entries(view.filters).flatMap(([id, value]) => {
      const known = userFilterId.options.find((one) => one === id)
      return known && (columnIds.includes(known) || known === 'search' || known === 'among') ? [{ id: known, value }] : []
    }),
    filterModes: Object.fromEntries(columnIds.map((id) => [id, 'contains'])),
    sorting: view.sorting.flatMap(({ id, desc }) => {
      const known = userSortId.options.find((one) => one === id)
      return known && columnIds.includes(known) ? [{ id: known, desc }] : []
    }),
  }
}

/** The first users of a text, for a field that finds one. */
export const foundUsersQuery = (text: string) =>
  apiQuery(
    listUsers,
    {
      start: 0,
      size: FOUND_USERS,
      filters: text === '' ? [] : [{ id: 'search', value: text }],
      filterModes: {},
      sorting: [],
    },
    { staleTime: seconds(10), placeholderData: keepPreviousData, quiet: true },
  )

export const topUsersQuery = (period: TrafficPeriod) =>
  apiQuery(
    listTopUsers,
    { period },
    { staleTime: seconds(30), refetchInterval: seconds(60), quiet: true, placeholderData: keepPreviousData },
  )
export const userQuery = (uuid: string) =>
  apiQuery(getUser, { uuid }, { staleTime: seconds(3), refetchInterval: seconds(35), quiet: true })
export const tagsQuery = () => apiQuery(listUserTags, {}, { staleTime: seconds(15), refetchInterval: seconds(15) })
export const accessibleNodesQuery = (uuid: string) =>
  apiQuery(getUserAccessibleNodes, { uuid }, { staleTime: seconds(60), refetchOnMount: 'always' })
// An obstacle is polled while it is being removed.
export const userAccessQuery = (uuid: string) =>
  apiQuery(
    getUserAccess,
    { uuid },
    { staleTime: seconds(5), refetchInterval: seconds(10), refetchOnMount: 'always', quiet: true },
  )
export const devicesQuery = (userUuid: string) =>
  apiQuery(listUserHwidDevices, { userUuid }, { staleTime: seconds(20), refetchInterval: seconds(20), refetchOnMount: 'always' })
// Set where the server is started, so it changes only with a restart.
export const hwidSettingsQuery = () => apiQuery(getHwidSettings, {}, { staleTime: seconds(60), quiet: true })
export const linksQuery = (shortUuid: string) =>
  apiQuery(getSubscriptionInfo, { shortUuid }, { staleTime: seconds(4), refetchOnMount: 'always' })
/** By the days of a time zone, once it is known. */
export const usageQuery = (uuid: string, dayCount: number, now: Date, zone: string | undefined) => {
  const range = rangeOf(lastDays(dayCount, now, zone))
  return apiQuery(getUserUsage, { uuid, ...range }, { staleTime: seconds(15), enabled: zone !== undefined })
}
export const impactQuery = (who: CallInput<typeof getUsersImpact>) =>
  apiQuery(getUsersImpact, who, { staleTime: 0, refetchOnMount: 'always', quiet: true })

export const expiryPreviewQuery = (change: CallInput<typeof previewExpiry>) =>
  apiQuery(previewExpiry, change, { staleTime: 0, refetchOnMount: 'always', quiet: true })

/** A row of the list opens its dialogs at once; the fresh user follows. */
export function seedUser(client: QueryClient, user: User): void {
  client.setQueryData(userQuery(user.uuid).queryKey, user)
}

const keepReply = (user: User, _: unknown, client: QueryClient) => seedUser(client, user)

/** Name, expiry and traffic of a user, for the second line of a message. */
function useResult(): (user: User) => string {
  const { t, i18n } = useTranslation('users')
  return ({ username, expireAt, trafficLimitBytes, usedTrafficBytes }) => {
    const [used, limit] = [usedTrafficBytes, trafficLimitBytes].map((bytes) => formatBytes(bytes, i18n.language))
    const date = neverExpires(new Date(expireAt)) ? undefined : calendarDate(new Date(expireAt), i18n.language)
    const parts = [
      username,
      date === undefined ? t('result.never') : t('result.until', { date }),
      trafficLimitBytes === 0 ? t('result.noLimit') : t('result.limit', { used, limit }),
    ]
    // Each in its own direction.
    return parts.map((part) => `\u2068${part}\u2069`).join(' · ')
  }
}

export function useCreateUser(form: FormTarget) {
  const { t } = useTranslation('users')
  const result = useResult()
  return useApiMutation(createUser, { success: t('toast.created'), result, refreshes: USER_READS, onReply: keepReply, form })
}

export function useUpdateUser(form: FormTarget) {
  const { t } = useTranslation('users')
  const result = useResult()
  return useApiMutation(updateUser, { success: t('toast.updated'), result, refreshes: USER_READS, onReply: keepReply, form })
}

export function useUserActions() {
  const { t } = useTranslation('users')
  const answersUser = { refreshes: USER_READS, onReply: keepReply, result: useResult() }
  const undoable = { ...answersUser, isUndoable: true }
  return {
    enable: useApiMutation(enableUser, { success: t('toast.enabled'), ...undoable }),
    extend: useApiMutation(updateUser, { success: t('toast.updated'), ...undoable }),
    disable: useApiMutation(disableUser, { success: t('toast.disabled'), ...undoable }),
    addTraffic: useApiMutation(addUserTraffic, { success: t('toast.trafficAdded'), ...undoable }),
    resetTraffic: useApiMutation(resetUserTraffic, { success: t('toast.trafficReset'), ...undoable }),
    revoke: useApiMutation(revokeUserSubscription, { success: t('toast.revoked'), ...answersUser }),
    remove: useApiMutation(deleteUser, { isUndoable: true, success: t('toast.deleted'), refreshes: USER_READS }),
  }
}

export function useDeleteDevice() {
  const { t } = useTranslation('users')
  return useApiMutation(deleteHwidDevice, {
    isUndoable: true,
    success: t('toast.deviceDeleted'),
    onReply: (reply: Reply<typeof deleteHwidDevice>, { userUuid }, client) =>
      client.setQueryData(devicesQuery(userUuid).queryKey, reply),
  })
}

/** Bulk writes. `form` takes the server's complaints about fields; the others have none. */
export function useBulkActions(form?: FormTarget) {
  const { t } = useTranslation('users')
  const started = ({ affectedRows }: { affectedRows: number }) => t('toast.started', { count: affectedRows })
  const queued = { isUndoable: true, refreshes: [...USER_READS, getUser, listInternalSquads] }
  const formed = form ? { ...queued, form } : queued
  return {
    change: useApiMutation(changeUsers, { ...formed, success: started }),
    extend: useApiMutation(extendUsers, { ...queued, success: started }),
    updateAll: useApiMutation(bulkUpdateAllUsers, { ...formed, success: t('toast.allStarted') }),
    resetAllTraffic: useApiMutation(bulkResetAllUsersTraffic, { ...queued, success: t('toast.allStarted') }),
  }
}

/** Says that it is at work until the reply is there, then how many users were deleted. */
export function useDeleteByStatus() {
  const { t } = useTranslation('users')
  return useApiMutation(bulkDeleteUsersByStatus, {
    isUndoable: true,
    loading: t('toast.deleting'),
    success: ({ affectedRows }) => t('toast.deletedMany', { count: affectedRows }),
    refreshes: [...USER_READS, getUser],
  })
}
