import { getBandwidthStats, getHealth, getSystemStats, listNodesUsage, listUsers, listUsersNearLimit } from '@causeway/contract'
import { apiQuery } from '../../api/api-query.ts'
import { seconds } from '../../lib/durations.ts'
import { lastDays, rangeOf } from '../../ui/chart-series.ts'

export const QUERY_TIMES = {
  stats: { staleTime: seconds(5), refetchInterval: seconds(5.1) },
  health: { staleTime: seconds(10), refetchInterval: seconds(10) },
  nodes: { staleTime: seconds(5), refetchInterval: seconds(10) },
  lists: { staleTime: seconds(60), refetchInterval: seconds(60) },
} as const

/** How many users the attention list names of those about to expire, and of those near their limit. */
export const NAMED_USERS = 3
export const HISTORY_DAYS = 30

const tz = Intl.DateTimeFormat().resolvedOptions().timeZone

export const systemStatsQuery = () => apiQuery(getSystemStats, { tz }, QUERY_TIMES.stats)
export const bandwidthQuery = () => apiQuery(getBandwidthStats, { tz }, QUERY_TIMES.stats)
export const healthQuery = () => apiQuery(getHealth, {}, QUERY_TIMES.health)
export const nodesHistoryQuery = (now: Date) =>
  apiQuery(listNodesUsage, rangeOf(lastDays(HISTORY_DAYS, now)), { ...QUERY_TIMES.lists, quiet: true })
export const nearLimitQuery = () => apiQuery(listUsersNearLimit, {}, QUERY_TIMES.lists)
export const nextToExpireQuery = () =>
  apiQuery(
    listUsers,
    {
      start: 0,
      size: NAMED_USERS,
      filters: [{ id: 'status', value: 'ACTIVE' }],
      filterModes: { status: 'equals' },
      sorting: [{ id: 'expireAt', desc: false }],
    },
    QUERY_TIMES.lists,
  )
