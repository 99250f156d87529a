import { agentApi, agentErrors } from '@causeway/contract'
import type { FastifyInstance } from 'fastify'
import type { Identity } from '../../identity.ts'
import { orFail, serve } from '../../serve.ts'

/** `show` makes a renewed identity what new connections see. */
export function certificateRoutes(app: FastifyInstance, { identity, show }: { identity: Identity; show: () => void }): void {
  serve(app, agentApi.renewCertificate, (payload) =>
    orFail(agentErrors.certificateRefused, async () => {
      identity.renew(payload)
      show()
      app.log.info('node certificate renewed by the server')
      return { isRenewed: true }
    }),
  )
}
