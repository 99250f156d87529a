import { agentApi, agentErrors } from '@causeway/contract/agent'
import type { FastifyInstance } from 'fastify'
import { orFail, serve } from '../../serve.ts'
import type { Filters } from './filters.ts'

/** Filters, blocks and torrents. */
export function filtersRoutes(app: FastifyInstance, { filters }: { filters: Filters }): void {
  serve(app, agentApi.setFilters, (wanted) => orFail(agentErrors.serverError, () => filters.set(wanted)))
  serve(app, agentApi.setBlocks, (order) => orFail(agentErrors.serverError, () => filters.order(order)))
  serve(app, agentApi.takeTorrents, ({ acknowledged }) => ({ reports: filters.torrents.take(acknowledged) }))
}
