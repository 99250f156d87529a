import { agentApi } from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { AgentError } from '../../ground/agents.ts'
import { isCutOffImmediate } from '../../ground/installation.queries.ts'
import { cutOf } from './cut-off.rules.ts'
import type { Change } from './delivery.rules.ts'
import type { Link } from './sampling.actions.ts'
import type { NodeTask } from './tasks.queries.ts'

/** Cut off in one call. */
const BATCH = 1_000

/**
 * Ends open connections of users that lost access by these changes, where the installation is set so and the agent can. It comes
 * before the changes count as delivered: what fails on the way is done again with them. @throws AgentError
 */
export async function cutOff(ctx: Ctx, node: NodeTask, link: Link, changes: readonly Change[]): Promise<void> {
  if (!link.capabilities.has('cut')) return
  const cuts = changes.flatMap((change) => cutOf(change) ?? [])
  if (cuts.length === 0 || !(node.dropsConnections || (await isCutOffImmediate(ctx.db)))) return
  for (let from = 0; from < cuts.length; from += BATCH) {
    const error = await cut(ctx, node, cuts.slice(from, from + BATCH))
    if (error !== null) ctx.log.warn({ node: node.name, error }, 'failed to close connections of users without access')
  }
}

/** Gives why some are still open. An agent that cannot close them does not keep users from being delivered. */
async function cut(ctx: Ctx, node: NodeTask, cuts: { username: string; tags: string[] | null }[]): Promise<string | null> {
  try {
    return (await ctx.agents.call(node, agentApi.cutConnections, { cuts })).error
  } catch (error) {
    if (error instanceof AgentError && error.kind === 'failed') return error.message
    throw error
  }
}
