import { agentApi } from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { AgentError } from '../../ground/agents.ts'
import { filtersOf, NO_FILTERS } from '../node-plugins/filters.rules.ts'
import { findActivePlugin } from '../node-plugins/node-plugins.queries.ts'
import { insertTorrentReports } from '../node-plugins/torrents.queries.ts'
import type { Link } from './sampling.actions.ts'
import type { NodeTask } from './tasks.queries.ts'

const OTHER_AGENT = 'The agent of this node cannot filter. Run the one of this server there.'
/** Tables of a hundred thousand networks take seconds. */
const TIMEOUT_MS = 30_000
/** Of as many reports as an agent keeps. */
const MAX_REPLY_BYTES = 4_000_000

interface Outcome {
  filtersAt: Date | null
  filterProblem: string | null
}

/** Tells an agent what its node filters, or that it filters nothing. Gives what is to be noted; undefined where nothing changes. */
export async function sendFilters(ctx: Ctx, node: NodeTask, link: Link): Promise<Outcome | undefined> {
  const outcome = await send(ctx, node, link)
  const isKnown = outcome.filterProblem === node.filterProblem && outcome.filtersAt === null && node.filtersAt === null
  return isKnown && node.filtersRequestedAt === null ? undefined : outcome
}

async function send(ctx: Ctx, node: NodeTask, link: Link): Promise<Outcome> {
  if (!link.capabilities.has('filters')) {
    return { filtersAt: null, filterProblem: node.pluginId === null ? null : OTHER_AGENT }
  }
  const plugin = node.pluginId === null ? undefined : await findActivePlugin(ctx.db, node.id)
  try {
    const filters = plugin ? filtersOf(plugin) : NO_FILTERS
    const { problem } = await ctx.agents.call(node, agentApi.setFilters, filters, { timeoutMs: TIMEOUT_MS })
    // Where nothing is to be filtered, nothing is the matter.
    return plugin ? { filtersAt: ctx.now(), filterProblem: problem } : { filtersAt: null, filterProblem: null }
  } catch (error) {
    if (!(error instanceof AgentError) || error.kind !== 'failed') throw error
    return { filtersAt: null, filterProblem: error.message }
  }
}

/** Keeps what a node has caught since it was last asked. @throws AgentError */
export async function takeTorrents(ctx: Ctx, node: NodeTask, link: Link): Promise<void> {
  if (!link.capabilities.has('filters')) return
  const asked = { acknowledged: link.torrents }
  const { reports } = await ctx.agents.call(node, agentApi.takeTorrents, asked, { maxReplyBytes: MAX_REPLY_BYTES })
  link.torrents = reports.map(({ id }) => id)
  await insertTorrentReports(ctx.db, node.id, reports)
}
