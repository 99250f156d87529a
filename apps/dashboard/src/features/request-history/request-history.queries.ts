import { listUserSubscriptionRequests } from '@causeway/contract'
import { apiQuery } from '../../api/api-query.ts'
import { seconds } from '../../lib/time/durations.ts'

export const userRequestsQuery = (uuid: string) =>
  apiQuery(
    listUserSubscriptionRequests,
    { uuid },
    { staleTime: seconds(20), refetchInterval: seconds(20), refetchOnMount: 'always' },
  )
