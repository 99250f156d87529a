import { agentApi, errors, type BlockOrder, type Input } from '@causeway/contract'
import type * as api from '@causeway/contract'
import type { Caller, Ctx } from '../../ctx.ts'
import { fail } from '../../http/errors.ts'
import { write } from '../audit/audit.actions.ts'
import { askAll, askNode, NODES_AT_A_TIME, targets } from '../connections/connections.actions.ts'
import { Holder } from '../../lib/addresses.ts'
import { protectedProblem } from './networks.rules.ts'
import { protectedAddresses } from './node-plugins.actions.ts'

const TIMEOUT_MS = 20_000
type Order = Input<typeof api.executeNodePlugin>

/**
 * Blocks addresses on nodes, or lets them in again. The history keeps how many, not which.
 * @throws nodeNotFound, invalidNodePluginConfig where an address must be let through
 */
export async function executeOnNodes(ctx: Ctx, caller: Caller, { command, targetNodes }: Order) {
  const nodes = await targets(ctx, targetNodes)
  const order = orderOf(command)
  await write(ctx, caller, async (tx, record) => {
    const holder = new Holder(order.block.map(({ ip }) => ip))
    const problem = protectedProblem('command.ips', holder, await protectedAddresses(tx, caller))
    if (problem !== undefined) fail(errors.invalidNodePluginConfig, { message: problem })
    const count = order.block.length + order.unblock.length
    record({ action: 'executeNodePlugin', target: command.command, count: Math.max(1, count) })
  })
  const outcomes = await askAll(nodes, NODES_AT_A_TIME, async (node) => {
    const ask = () => ctx.agents.call(node, agentApi.setBlocks, order, { timeoutMs: TIMEOUT_MS })
    const answer = await askNode(ctx, node, ask, { capability: 'filters' })
    return { nodeUuid: node.uuid, nodeName: node.name, error: 'reply' in answer ? answer.reply.problem : answer.error }
  })
  return { eventSent: outcomes.some(({ error }) => error === null), nodes: outcomes }
}

function orderOf(command: Order['command']): BlockOrder {
  switch (command.command) {
    case 'blockIps':
      return { block: command.ips.map(({ ip, timeout }) => ({ ip, seconds: timeout })), unblock: [], isAnew: false }
    case 'unblockIps':
      return { block: [], unblock: command.ips, isAnew: false }
    case 'recreateTables':
      return { block: [], unblock: [], isAnew: true }
  }
}
