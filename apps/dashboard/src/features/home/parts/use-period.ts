import { usageUsageHistoryPeriod, type UsageHistoryPeriod } from '@causeway/contract'
import { useNavigate, useSearch } from '@tanstack/react-router'

export interface Period {
  value: UsageHistoryPeriod
  choose: (period: UsageHistoryPeriod) => void
}

/** Stands in the address as `?period=`; the last 24 hours when it says nothing else. */
export function usePeriod(): Period {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  const asked = usageUsageHistoryPeriod.safeParse(search['period'])
  return {
    value: asked.data ?? 'day',
    choose: (period) => void navigate({ to: '.', search: (old) => ({ ...old, period }), replace: true, resetScroll: false }),
  }
}
