import {
  closeLocalNetworks,
  getBandwidthStats,
  getConfigProfile,
  getHealth,
  getSystemStats,
  getUserCounts,
  listConfigProfiles,
  listOpenProfiles,
  listRollouts,
  listUsers,
  listUsersNearLimit,
} from '@causeway/contract'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { apiQuery } from '../../api/api-query.ts'
import { useMay } from '../../api/rights/may.tsx'
import { useApiMutation } from '../../api/use-api-mutation.ts'
import { seconds } from '../../lib/time/durations.ts'
import { ownZone } from '../../lib/numbers/formats.ts'

export const QUERY_TIMES = {
  stats: { staleTime: seconds(5), refetchInterval: seconds(5.1) },
  health: { staleTime: seconds(10), refetchInterval: seconds(10) },
  nodes: { staleTime: seconds(5), refetchInterval: seconds(10) },
  lists: { staleTime: seconds(60), refetchInterval: seconds(60) },
} as const

/** How many users the attention list names of those about to expire, and of those near their limit. */
export const NAMED_USERS = 3

/** Counts nothing by days. */
export const systemStatsQuery = () => apiQuery(getSystemStats, { tz: ownZone() }, QUERY_TIMES.stats)
const userCountsQuery = () => apiQuery(getUserCounts, {}, QUERY_TIMES.stats)

/** Users by status and by when they were online: of all, or of those that this session sees. */
export function useUserCounts(times: { refetchInterval?: number } = {}) {
  const isOfAll = useMay()(getSystemStats)
  const all = useQuery({ ...systemStatsQuery(), ...times, enabled: isOfAll })
  const seen = useQuery({ ...userCountsQuery(), ...times, enabled: !isOfAll })
  return isOfAll ? all : seen
}
/** By the days of the installation, once these are known. */
export const bandwidthQuery = (zone: string | undefined) =>
  apiQuery(getBandwidthStats, { tz: zone }, { ...QUERY_TIMES.stats, enabled: zone !== undefined })
export const healthQuery = () => apiQuery(getHealth, {}, QUERY_TIMES.health)
export const nearLimitQuery = () => apiQuery(listUsersNearLimit, {}, QUERY_TIMES.lists)
/** Whose link is to be tried out: the newest one's. */
export const newestUserQuery = () =>
  apiQuery(listUsers, { start: 0, size: 1, sorting: [{ id: 'createdAt', desc: true }] }, QUERY_TIMES.lists)
export const nextToExpireQuery = () =>
  apiQuery(
    listUsers,
    {
      start: 0,
      size: NAMED_USERS,
      filters: [{ id: 'among', value: 'expiringThisWeek' }],
      sorting: [{ id: 'expireAt', desc: false }],
    },
    QUERY_TIMES.lists,
  )

/** Profiles by which subscribers reach the networks of their nodes. */
export const openProfilesQuery = () => apiQuery(listOpenProfiles, {}, { ...QUERY_TIMES.lists, quiet: true })

/** Closes those networks by way of one node first, or at once where no node runs the profile. */
export function useCloseLocalNetworks() {
  const { t } = useTranslation('home')
  return useApiMutation(closeLocalNetworks, {
    success: ({ rollout }) => t(rollout ? 'attention.closing' : 'attention.closed'),
    refreshes: [listOpenProfiles, listRollouts, listConfigProfiles, getConfigProfile],
  })
}
