import { agentApi, agentErrors } from '@causeway/contract/agent'
import type { FastifyInstance } from 'fastify'
import { orFail, serve } from '../../serve.ts'
import type { XrayApi } from '../../xray/api.ts'
import type { Core } from '../../xray/core.ts'
import type { Filters } from '../filters/filters.ts'
import { closeConnections } from './closing.actions.ts'
import { connectedUsers, cutUsers } from './connections.actions.ts'

/** Connected users and their addresses, as the core knows them, and the end of connections. */
export function connectionsRoutes(app: FastifyInstance, { core, filters }: { core: Core; filters: Filters }): void {
  const api = (): XrayApi => {
    if (!core.running) throw new Error('Xray is not running.')
    return core.running.api
  }

  serve(app, agentApi.readConnections, ({ usernames }) =>
    orFail(agentErrors.usersStatsError, async () => ({ users: await connectedUsers(api(), usernames) })),
  )
  serve(app, agentApi.dropConnections, ({ usernames, ips }) =>
    orFail(agentErrors.usersStatsError, async () => {
      const users = await connectedUsers(api(), usernames)
      const known = [...ips, ...users.flatMap((user) => user.ips.map(({ ip }) => ip))]
      const addresses = new Set(known.filter((ip) => !filters.isKept(ip)))
      const outcome = await closeConnections([...addresses], core.inboundPorts)
      app.log.info({ closed: outcome.closed, error: outcome.error }, 'closed connections')
      return outcome
    }),
  )
  serve(app, agentApi.cutConnections, ({ cuts }) =>
    orFail(agentErrors.usersStatsError, async () => {
      const outcome = await cutUsers({ core, filters, api: api() }, cuts)
      if (outcome.closed > 0 || outcome.error !== null) {
        app.log.info({ users: cuts.length, closed: outcome.closed, error: outcome.error }, 'cut users off')
      }
      return outcome
    }),
  )
}
