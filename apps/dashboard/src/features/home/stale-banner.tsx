import { useQuery } from '@tanstack/react-query'
import { DataTableNotice } from '../../ui/table/data-table-notice.tsx'
import { systemStatsQuery } from './home.queries.ts'

/** While the server does not answer, the figures below are named as old. */
export function StaleBanner() {
  const stats = useQuery(systemStatsQuery())
  if (!stats.isError) return null
  return <DataTableNotice updatedAt={stats.data ? stats.dataUpdatedAt : undefined} onRetry={() => void stats.refetch()} />
}
