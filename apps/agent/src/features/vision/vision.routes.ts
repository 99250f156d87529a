import { agentErrors, type AgentCall } from '@causeway/contract/agent'
import type { FastifyInstance } from 'fastify'
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { orFail, serve } from '../../serve.ts'
import type { Core } from '../../xray/core.ts'
import { refusal } from '../../xray/messages.ts'
import { addressBytes } from './vision.rules.ts'

const BLOCKING_OUTBOUND = 'BLOCK'

const call = (path: string) =>
  ({
    method: 'POST',
    path,
    body: z.object({ ip: z.string(), username: z.string() }),
    response: z.object({ success: z.boolean(), error: z.string().nullable() }),
  }) satisfies AgentCall

/** For programs on the node that watch traffic: shut an address out of the running core until it is restarted. */
export function visionRoutes(app: FastifyInstance, { core }: { core: Core }): void {
  serve(app, call('/vision/block-ip'), ({ ip }) =>
    orFail(agentErrors.serverError, async () => {
      const address = addressBytes(ip)
      if (!address) return { success: false, error: `${ip} is not an IP address.` }
      return outcome(core, (api) => api.addSourceRule(ruleTag(ip), address, BLOCKING_OUTBOUND))
    }),
  )
  serve(app, call('/vision/unblock-ip'), ({ ip }) =>
    orFail(agentErrors.serverError, () => outcome(core, (api) => api.removeRule(ruleTag(ip)))),
  )
}

type Api = NonNullable<Core['running']>['api']

async function outcome(
  { running }: Core,
  work: (api: Api) => Promise<void>,
): Promise<{ success: boolean; error: string | null }> {
  if (!running) return { success: false, error: 'Xray is not running.' }
  try {
    await work(running.api)
    return { success: true, error: null }
  } catch (error) {
    return { success: false, error: refusal(error) }
  }
}

/** A name for the rule, the same for blocking and unblocking; nothing secret. */
function ruleTag(ip: string): string {
  return createHash('md5').update(ip).digest('hex')
}
