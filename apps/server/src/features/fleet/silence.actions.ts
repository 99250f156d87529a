import { setTimeout as sleep } from 'node:timers/promises'
import { agentApi } from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { AgentError, type Agents } from '../../ground/agents.ts'
import { NO_CORE, readSystemStats } from './sampling.actions.ts'
import type { NodeTask } from './tasks.queries.ts'

/** A start may take a minute of the agent's time, and a health check is the probe itself. */
const UNPROBED: readonly string[] = [agentApi.start.path, agentApi.healthcheck.path]

/**
 * The same agents, given up sooner when they hang. While a call takes longer than the patience, the agent's health is probed.
 * Two probes in a row without an answer end the call; an agent that is only slow keeps its time.
 */
export function withProbes(agents: Agents, patienceMs: number): Agents {
  return {
    ...agents,
    call: async (node, call, input, options = {}) => {
      if (UNPROBED.includes(call.path)) return agents.call(node, call, input, options)
      const [over, silent] = [new AbortController(), new AbortController()]
      const signals = options.signal ? [options.signal, silent.signal] : [silent.signal]
      const isHealthy = () =>
        agents.call(node, agentApi.healthcheck, undefined, { timeoutMs: patienceMs, signal: over.signal }).then(
          () => true,
          () => false,
        )
      const watch = async () => {
        for (;;) {
          await sleep(patienceMs, undefined, { signal: over.signal })
          if (!(await isHealthy()) && !(await isHealthy()) && !over.signal.aborted) silent.abort()
        }
      }
      watch().catch(() => {}) // ends with the call
      try {
        return await agents.call(node, call, input, { ...options, signal: AbortSignal.any(signals) })
      } catch (error) {
        if (!silent.signal.aborted) throw error
        throw new AgentError('silent', SILENT, { cause: error })
      } finally {
        over.abort()
      }
    },
  }
}

export const SILENT = 'The agent takes connections and answers nothing. Restart the agent on the node.'
export const NOT_RUNNING = 'Xray is not running on the node.'

/** Asks twice before a node counts as lost. Gives how long its core has been running. @throws AgentError */
export async function askUptime(ctx: Ctx, node: NodeTask, timeoutMs: number): Promise<number> {
  const ask = () => readSystemStats(ctx, node, { timeoutMs })
  const stats = await ask()
    .catch(ask)
    .catch((error: unknown) => {
      const isSilent = error instanceof AgentError && error.kind === 'timeout'
      throw isSilent ? new AgentError('silent', SILENT, { cause: error }) : error
    })
  if (!stats) throw new AgentError('failed', NOT_RUNNING, { agentCode: NO_CORE })
  return stats.uptime
}
