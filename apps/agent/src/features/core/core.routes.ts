import { agentApi, agentErrors, FORCE_RESTART_HEADER, HASH_PAYLOAD_HEADER } from '@causeway/contract/agent'
import type { FastifyInstance } from 'fastify'
import type { HeldParts } from '../../parts/held-parts.ts'
import { orFail, serve } from '../../serve.ts'
import type { Core } from '../../xray/core.ts'
import { coreStarter } from './core.actions.ts'
import { capabilitiesOf, isForced, readHashPayload } from './core.rules.ts'

export function coreRoutes(
  app: FastifyInstance,
  {
    core,
    isHashCheckDisabled,
    updates,
  }: { core: Core; isHashCheckDisabled: boolean; updates?: { parts: HeldParts } | undefined },
): void {
  const capabilities = capabilitiesOf({ isUpdated: updates !== undefined })
  const startCore = coreStarter(core, isHashCheckDisabled, capabilities)

  serve(app, agentApi.start, (config, headers) =>
    startCore(config, readHashPayload(headers[HASH_PAYLOAD_HEADER]), isForced(headers[FORCE_RESTART_HEADER])),
  )
  serve(app, agentApi.stop, async () => {
    try {
      await core.exclusive(() => core.stop())
      return { isStopped: true }
    } catch (error) {
      // The wire knows no failure of this call (docs/wire.md 21).
      app.log.error({ err: error }, 'failed to stop the core cleanly')
      return { isStopped: false }
    }
  })
  serve(app, agentApi.status, () => ({ isRunning: core.running !== undefined, version: core.running ? core.version : null }))
  serve(app, agentApi.healthcheck, () => ({
    isAlive: true,
    xrayInternalStatusCached: core.running !== undefined,
    xrayVersion: core.version,
    capabilities,
    geoVersion: updates?.parts.geoVersion,
  }))
  serve(app, agentApi.getCore, () => core.state())
  serve(app, agentApi.takeSample, ({ acknowledged }) =>
    orFail(agentErrors.usersStatsError, async () => {
      core.samples.acknowledge(acknowledged)
      // The current one first: should the core die meanwhile, its last sample is already among the ended ones.
      const current = await core.samples.take()
      return { current: current ?? null, ended: core.samples.endedSamples() }
    }),
  )
}
