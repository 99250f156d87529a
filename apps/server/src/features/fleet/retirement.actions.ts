import { agentApi } from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { AgentError, type AgentAddress } from '../../ground/agents.ts'
import { Slots } from '../../lib/slots.ts'
import { seizeLease, type Lease } from '../../ground/leases.queries.ts'
import { closeRun, newLink, readSystemStats, sampleNode, type Link } from './sampling.actions.ts'
import { findNodeTask, type NodeTask } from './tasks.queries.ts'

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
  try {
    await learnCapabilities(ctx, node, link)
    await endCore(ctx, node, link)
  } catch (error) {
    if (!(error instanceof AgentError)) throw error
    ctx.log.warn({ node: node.name, err: error }, 'deleted a node with an unreachable agent')
  }
}

type Place = Pick<AgentAddress, 'address' | 'port'>

/** The fate of the core at the node's former address. */
export interface Left {
  /** To be given back once the node stands elsewhere. */
  lease: Lease
  /** `kept`: the same core answers at the new address, or none ever ran. `away`: it may go on serving, for this reason. */
  core: 'stopped' | 'kept' | { awayBecause: string }
}

/**
 * Runs before a node's address changes: takes the lease, books the counters and stops the core, which no server would
 * find again. Where the same machine only has another address, its core is left alone.
 */
export async function leaveAddress(ctx: Ctx, nodeId: number, next: Place): Promise<Left | undefined> {
  const before = await findNodeTask(ctx.db, nodeId)
  const isMoving = before && (before.address !== next.address || before.port !== next.port)
  const hasRun = before && (before.coreStartedAt !== null || before.runningConfigHash !== null)
  if (!isMoving || !hasRun || (before.isDisabled && !before.stopRequestedAt)) return undefined
  const lease = await seizeLease(ctx.db, nodeId, 'moving', LEASE_MS)
  const node = (await findNodeTask(ctx.db, nodeId)) ?? before
  const link = newLink(lease, new Slots(1))
  try {
    await learnCapabilities(ctx, node, link)
    if (await isSameCore(ctx, node, next)) return { lease, core: 'kept' }
    await endCore(ctx, node, link)
    await closeRun(ctx, node, link)
    return { lease, core: 'stopped' }
  } catch (error) {
    if (!(error instanceof AgentError)) throw error
    ctx.log.warn({ node: node.name, err: error }, "failed to stop the core at a node's former address")
    return { lease, core: { awayBecause: error.message } }
  }
}

const bounded = { timeoutMs: CALL_TIMEOUT_MS }

async function learnCapabilities(ctx: Ctx, node: NodeTask, link: Link): Promise<void> {
  const health = await ctx.agents.call(node, agentApi.healthcheck, undefined, bounded)
  link.capabilities = new Set(health.capabilities ?? [])
}

async function endCore(ctx: Ctx, node: NodeTask, link: Link): Promise<void> {
  await sampleNode(ctx, node, link, bounded)
  await ctx.agents.call(node, agentApi.stop, undefined, bounded)
}

/** Agents of the 2.1 generation do not tell their cores apart: theirs is ended, and started again if it is the same one. */
async function isSameCore(ctx: Ctx, node: NodeTask, next: Place): Promise<boolean> {
  const here = await readSystemStats(ctx, node, bounded)
  if (!here?.coreId) return false
  const there = await readSystemStats(ctx, { ...node, ...next }, bounded).catch(() => undefined)
  return there?.coreId === here.coreId
}
