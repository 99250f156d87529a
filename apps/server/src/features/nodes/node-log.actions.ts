import { agentApi, errors, type NodeLog } from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { fail } from '../../http/errors.ts'
import { askNode } from '../connections/connections.actions.ts'
import { listAskedNodes } from '../connections/connections.queries.ts'

/** A screen asks again every few seconds. */
const TIMEOUT_MS = 5000

/** The end of a log of the node, from its agent; nothing of it is kept. @throws nodeNotFound */
export async function readNodeLog({ db, agents }: Pick<Ctx, 'db' | 'agents'>, uuid: string, log: NodeLog) {
  const node = (await listAskedNodes(db, [uuid]))[0] ?? fail(errors.nodeNotFound)
  const ask = () => agents.call(node, agentApi.readLog, { log }, { timeoutMs: TIMEOUT_MS })
  const answer = await askNode({ agents }, node, ask, { timeoutMs: TIMEOUT_MS, capability: 'log' })
  return 'reply' in answer ? { lines: answer.reply.lines, error: null } : { lines: [], error: answer.error }
}
