import { getUsageHistory, type UsageHistoryPeriod } from '@causeway/contract'
import { keepPreviousData } from '@tanstack/react-query'
import { apiQuery } from '../../../api/api-query.ts'
import { seconds } from '../../../lib/time/durations.ts'

const PERIOD_MS = seconds(60)

/** Traffic of nodes and users online over time; the chart of one period stands until that of another is there. */
export const historyQuery = (period: UsageHistoryPeriod) =>
  apiQuery(
    getUsageHistory,
    { period },
    { staleTime: PERIOD_MS, refetchInterval: PERIOD_MS, quiet: true, placeholderData: keepPreviousData },
  )
