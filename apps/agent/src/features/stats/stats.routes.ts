import { agentApi, agentErrors, type InboundTraffic } from '@causeway/contract/agent'
import type { FastifyInstance } from 'fastify'
import { orFail, serve } from '../../serve.ts'
import type { XrayApi } from '../../xray/api.ts'
import type { Core } from '../../xray/core.ts'
import { groupCounters } from '../../xray/samples.ts'

export function statsRoutes(app: FastifyInstance, { core }: { core: Core }): void {
  /** Called inside orFail, which gives the failure the code of the route. */
  const api = (): XrayApi => {
    if (!core.running) throw new Error('Xray is not running.')
    return core.running.api
  }
  const counters = async (pattern: string, reset: boolean) => groupCounters(await api().counters(pattern, reset))

  serve(app, agentApi.getSystemStats, () =>
    orFail(agentErrors.systemStatsError, async () => ({ ...(await api().systemStats()), coreId: core.running?.coreId ?? null })),
  )
  serve(app, agentApi.getUserOnlineStatus, ({ username }) =>
    orFail(agentErrors.systemStatsError, async () => ({ isOnline: (await api().onlineAddresses(username)) > 0 })),
  )
  serve(app, agentApi.getUsersStats, ({ reset }) =>
    orFail(agentErrors.usersStatsError, async () => {
      const { users } = await counters('user>>>', reset)
      return { users: users.filter(({ uplink, downlink }) => uplink + downlink > 0) }
    }),
  )
  serve(app, agentApi.getInboundStats, ({ tag, reset }) =>
    orFail(agentErrors.inboundStatsError, async () => {
      // Xray takes the name as a part of the counter's, so the end matters: "A" must not clear "BA" or "AB".
      const { inbounds } = await counters(`inbound>>>${tag}>>>`, reset)
      return requireCounters(
        inbounds.find(({ inbound }) => inbound === tag),
        tag,
      )
    }),
  )
  serve(app, agentApi.getOutboundStats, ({ tag, reset }) =>
    orFail(agentErrors.outboundStatsError, async () => {
      const { outbounds } = await counters(`outbound>>>${tag}>>>`, reset)
      return requireCounters(
        outbounds.find(({ outbound }) => outbound === tag),
        tag,
      )
    }),
  )
  serve(app, agentApi.getAllInboundsStats, ({ reset }) =>
    orFail(agentErrors.inboundsStatsError, async () => ({ inbounds: (await counters('inbound>>>', reset)).inbounds })),
  )
  serve(app, agentApi.getAllOutboundsStats, ({ reset }) =>
    orFail(agentErrors.outboundsStatsError, async () => ({ outbounds: (await counters('outbound>>>', reset)).outbounds })),
  )
}

function requireCounters<T extends Pick<InboundTraffic, 'uplink'>>(traffic: T | undefined, tag: string): T {
  if (!traffic) throw new Error(`Xray counts nothing under the tag ${tag}.`)
  return traffic
}
