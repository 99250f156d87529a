import { listNodesTraffic } from '@causeway/contract'
import { apiQuery } from '../../../api/api-query.ts'
import { seconds } from '../../../lib/time/durations.ts'

/** How long a figure takes to be read again. */
export const METRICS_PERIOD_MS = seconds(30)

export const nodesTrafficQuery = () =>
  apiQuery(listNodesTraffic, {}, { staleTime: METRICS_PERIOD_MS, refetchInterval: METRICS_PERIOD_MS })
