import { agentApi, agentErrors } from '@causeway/contract/agent'
import type { FastifyInstance } from 'fastify'
import type { Identity } from '../../identity.ts'
import { orFail, serve } from '../../serve.ts'

/** `show` makes a renewed identity what new connections see. */
export function certificateRoutes(app: FastifyInstance, { identity, show }: { identity: Identity; show: () => void }): void {
  const renewing = (renew: () => void) =>
    orFail(agentErrors.certificateRefused, async () => {
      renew()
      show()
      app.log.info('node certificate renewed by the server')
      return { isRenewed: true }
    })
  serve(app, agentApi.renewCertificate, (payload) => renewing(() => identity.renew(payload)))
  serve(app, agentApi.requestCertificate, () =>
    orFail(agentErrors.certificateRefused, async () => ({ request: await identity.request() })),
  )
  serve(app, agentApi.takeCertificate, (signed) => renewing(() => identity.take(signed)))
}
