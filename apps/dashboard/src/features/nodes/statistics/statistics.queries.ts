import { getNodeTopUsers, listNodesUsageByDay } from '@causeway/contract'
import { keepPreviousData } from '@tanstack/react-query'
import { apiQuery } from '../../../api/api-query.ts'
import { seconds } from '../../../lib/time/durations.ts'

/** The traffic of all nodes goes on while one looks; the chart of one period stands until that of another is there. */
export const nodesUsageQuery = (days: number) =>
  apiQuery(
    listNodesUsageByDay,
    { days },
    { staleTime: seconds(30), refetchInterval: seconds(30), placeholderData: keepPreviousData },
  )

export const nodeTopUsersQuery = (uuid: string, days: number) =>
  apiQuery(getNodeTopUsers, { uuid, days }, { staleTime: seconds(15) })
