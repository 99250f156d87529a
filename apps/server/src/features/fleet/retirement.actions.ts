import { agentApi } from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { AgentError } from '../../lib/agents.ts'
import { Slots } from '../../lib/slots.ts'
import { seizeLease } from '../../ground/leases.queries.ts'
import { newLink, sampleNode } from './sampling.actions.ts'
import { findNodeTask } from './tasks.queries.ts'

const LEASE_MS = 30_000
/** A caller waits for this, so that no call to the agent may take long. */
const CALL_TIMEOUT_MS = 4_000

/**
 * Before a node is deleted: takes it from the server that looks after it, books its counters and ends its core. An agent
 * that does not answer in time is left as it is.
 */
export async function retireNode(ctx: Ctx, nodeId: number): Promise<void> {
  const lease = await seizeLease(ctx.db, nodeId, 'being deleted', LEASE_MS)
  const node = await findNodeTask(ctx.db, nodeId)
  if (!node?.isNodeOnline) return
  const link = newLink(lease, new Slots(1))
  const bounded = { timeoutMs: CALL_TIMEOUT_MS }
  try {
    const health = await ctx.agents.call(node, agentApi.healthcheck, undefined, bounded)
    link.capabilities = new Set(health.capabilities ?? [])
    await sampleNode(ctx, node, link, bounded)
    await ctx.agents.call(node, agentApi.stop, undefined, bounded)
  } catch (error) {
    if (!(error instanceof AgentError)) throw error
    ctx.log.warn({ node: node.name, err: error }, 'a node was deleted whose agent could not be told')
  }
}
