import type { AgentCapability, HashPayload, StartReply } from '@causeway/contract/agent'
import { systemInformation } from '../../system.ts'
import { AGENT_VERSION } from '../../version.ts'
import { xrayConfig } from '../../xray/config.ts'
import type { Core } from '../../xray/core.ts'
import { restartReason } from '../../xray/tracked-users.ts'

type StartCore = (config: unknown, hashes: HashPayload | undefined, isForced: boolean) => Promise<StartReply>

/** Start requests, one at a time; a second one is refused and leaves the first alone (docs/wire.md 23). */
export function coreStarter(core: Core, isHashCheckDisabled: boolean, capabilities: AgentCapability[]): StartCore {
  let isBusy = false
  const nodeInformation = {
    version: AGENT_VERSION,
    capabilities,
    closedPorts: core.closedPorts,
  }
  const reply = (error: string | null): StartReply => ({
    isStarted: error === null,
    version: core.version,
    error,
    systemInformation: systemInformation(),
    nodeInformation,
    coreId: core.running?.coreId ?? null,
  })
  const refusal = (error: string): StartReply => ({ ...reply(error), version: null, systemInformation: null })

  return async (config, hashes, isForced) => {
    if (!hashes) return refusal('The request names no hashes of its users. The server must be of version 2.1.0 or newer.')
    if (isBusy) return refusal('Request already in progress')
    isBusy = true
    try {
      return await core.exclusive(async () => {
        const isKept = !isForced && !isHashCheckDisabled && (await isRunningAlready(core, hashes))
        if (isKept) return reply(null)
        const parsed = xrayConfig.safeParse(config)
        if (!parsed.success) return reply(`The configuration cannot be read: ${parsed.error.issues[0]?.message}`)
        try {
          await core.start(parsed.data, hashes)
          return reply(null)
        } catch (error) {
          return reply(error instanceof Error ? error.message : String(error))
        }
      })
    } finally {
      isBusy = false
    }
  }
}

/** Whether the running core is what the request asks for, and answers. */
async function isRunningAlready(core: Core, hashes: HashPayload): Promise<boolean> {
  const { running, tracked } = core
  if (!running || !tracked || core.isOpen || restartReason(tracked.hashes, hashes)) return false
  return running.api.systemStats().then(
    () => true,
    () => false,
  )
}
