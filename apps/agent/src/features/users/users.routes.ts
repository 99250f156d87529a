import { agentApi, agentErrors } from '@causeway/contract/agent'
import type { FastifyInstance } from 'fastify'
import { AgentFailure, orFail, serve } from '../../serve.ts'
import type { XrayApi } from '../../xray/api.ts'
import type { Core } from '../../xray/core.ts'
import { changeUsers } from './users.actions.ts'

export function usersRoutes(app: FastifyInstance, { core }: { core: Core }): void {
  const api = (): XrayApi => {
    if (!core.running) throw new AgentFailure(agentErrors.inboundUsersError, new Error('Xray is not running.'))
    return core.running.api
  }

  serve(app, agentApi.addUser, (body) => only(changeUsers(core, [{ kind: 'add', ...body }])))
  serve(app, agentApi.removeUser, (body) => only(changeUsers(core, [{ kind: 'remove', ...body }])))
  serve(app, agentApi.changeUsers, async ({ changes }) => ({ results: await changeUsers(core, changes) }))
  serve(app, agentApi.getInboundUsers, ({ tag }) =>
    orFail(agentErrors.inboundUsersError, async () => ({ users: await api().inboundUsers(tag) })),
  )
  serve(app, agentApi.getInboundUsersCount, ({ tag }) =>
    orFail(agentErrors.inboundUsersError, async () => ({ count: await api().inboundUsersCount(tag) })),
  )
}

async function only<T>(results: Promise<T[]>): Promise<T> {
  const [result] = await results
  if (result === undefined) throw new Error('A change had no result.')
  return result
}
