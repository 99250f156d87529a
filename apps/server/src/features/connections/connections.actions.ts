import { agentApi, errors, type AgentCapability, type dropConnections, type Input } from '@causeway/contract'
import type { z } from 'zod'
import type { Caller, Ctx } from '../../ctx.ts'
import { AgentError } from '../../ground/agents.ts'
import { fail } from '../../http/errors.ts'
import { networkOf } from '../../lib/addresses.ts'
import { Slots } from '../../lib/slots.ts'
import { write } from '../audit/audit.actions.ts'
import {
  advanceReading,
  findNamedUser,
  finishReading,
  listAskedNodes,
  listNamedUsers,
  startReading,
  type AskedNode,
} from './connections.queries.ts'
import type { nodeResult, userResult } from './connections.rules.ts'

/** Programs ask every second for half a minute, so that an agent that hangs must not take longer. */
const CALL_TIMEOUT_MS = 10_000
/** A screen waits for it. */
const LOOK_TIMEOUT_MS = 3000
/** A reading that takes longer has ended with its server. */
const READING_MS = 60_000
/** How long a finished reading can be asked for; then its addresses are deleted. */
const KEPT_MS = 120_000
export const NODES_AT_A_TIME = 64
/** Until one can try the ports of the server. */
const NODES_TRIED = 5
/** Where each tells of all its users. */
const WHOLE_NODES_AT_A_TIME = 8
/** Of a node that all users are on. */
const MAX_REPLY_BYTES = 50_000_000

const NOT_CONNECTED = 'The node is not connected.'
const OTHER_AGENT = 'The agent of this node cannot do this. Run the one of this server there.'

/** Starts the reading of where a user is connected. @throws userNotFound */
export async function readUser(ctx: Ctx, uuid: string): Promise<{ jobId: string }> {
  const user = (await findNamedUser(ctx.db, uuid)) ?? fail(errors.userNotFound)
  const nodes = await listAskedNodes(ctx.db)
  return begin(ctx, { kind: 'user', subjectId: user.id, total: nodes.length }, async (id) => {
    const answers = await askAll(nodes, NODES_AT_A_TIME, async (node) => {
      const answer = await connectionsOf(ctx, node, [user.username])
      await advanceReading(ctx.db, id)
      const { uuid: nodeUuid, name: nodeName, countryCode } = node
      return { nodeUuid, nodeName, countryCode, ips: answer.users.flatMap((one) => one.ips), error: answer.error }
    })
    return {
      success: nodes.length === 0 || answers.some((answer) => answer.error === null),
      userUuid: user.uuid,
      userId: user.id,
      nodes: answers.filter((answer) => answer.ips.length > 0 || answer.error !== null),
    } satisfies z.output<typeof userResult>
  })
}

/** Starts the reading of connections to a node. @throws nodeNotFound */
export async function readNode(ctx: Ctx, uuid: string): Promise<{ jobId: string }> {
  const node = (await listAskedNodes(ctx.db, [uuid]))[0] ?? fail(errors.nodeNotFound)
  return begin(ctx, { kind: 'node', subjectId: node.id, total: 1 }, async () => {
    const { users, error } = await connectionsOf(ctx, node)
    const known = await listNamedUsers(ctx.db, { usernames: users.map(({ username }) => username) })
    const ids = new Map(known.map(({ id, username }) => [username, id]))
    return {
      success: error === null,
      nodeUuid: node.uuid,
      error,
      // Those deleted meanwhile have no number any more.
      users: users.flatMap(({ username, ips }) => {
        const userId = ids.get(username)
        return userId === undefined ? [] : [{ userId, ips }]
      }),
    } satisfies z.output<typeof nodeResult>
  })
}

/** Users with connections from at least so many networks at this moment, over all nodes that can tell. No address is kept. */
export async function countAddresses(ctx: Ctx, least: number): Promise<Map<string, number>> {
  const networks = new Map<string, Set<string>>()
  await askAll(await listAskedNodes(ctx.db), WHOLE_NODES_AT_A_TIME, async (node) => {
    for (const { username, ips } of (await connectionsOf(ctx, node)).users) {
      const known = networks.get(username) ?? new Set()
      for (const { ip } of ips) known.add(networkOf(ip))
      networks.set(username, known)
    }
  })
  return new Map([...networks].flatMap(([username, { size }]) => (size >= least ? [[username, size]] : [])))
}

/** Asks nodes for their connected users and the addresses of those; without names, all enabled nodes. No address is kept. */
export async function readAddresses(ctx: Ctx, nodeUuids?: string[]) {
  return askAll(await listAskedNodes(ctx.db, nodeUuids), WHOLE_NODES_AT_A_TIME, async (node) => ({
    name: node.name,
    ...(await connectionsOf(ctx, node)),
  }))
}

/** Which of these ports the first node reaches that is connected and whose agent can try; undefined where there is none. */
export async function reachFromNode({ db, agents }: Pick<Ctx, 'db' | 'agents'>, targets: { host: string; port: number }[]) {
  for (const node of (await listAskedNodes(db)).slice(0, NODES_TRIED)) {
    const ask = () => agents.call(node, agentApi.reachPorts, { targets }, { timeoutMs: CALL_TIMEOUT_MS })
    const answer = await askNode({ agents }, node, ask, { timeoutMs: LOOK_TIMEOUT_MS, capability: 'reach' })
    if ('reply' in answer) return { node: node.name, ports: answer.reply.results }
  }
  return undefined
}

/** How many of the enabled nodes can tell addresses at this moment. */
export async function countTellingNodes(ctx: Ctx): Promise<{ able: number; total: number }> {
  const nodes = await listAskedNodes(ctx.db)
  const look = { timeoutMs: LOOK_TIMEOUT_MS }
  const answers = await askAll(nodes, NODES_AT_A_TIME, (node) => askNode(ctx, node, async () => true, look))
  return { able: answers.filter((answer) => 'reply' in answer).length, total: nodes.length }
}

/** Answers with the job at once and carries it out behind the answer. */
async function begin(
  ctx: Ctx,
  reading: { kind: 'user' | 'node'; subjectId: number; total: number },
  read: (id: string) => Promise<object>,
): Promise<{ jobId: string }> {
  const now = ctx.now()
  const { id, isNew } = await startReading(ctx.db, { ...reading, now, expiresAt: after(now, READING_MS) })
  if (isNew) {
    void read(id)
      .then((result) => finishReading(ctx.db, id, result, ctx.now(), after(ctx.now(), KEPT_MS)))
      // It fails for callers that ask after its time.
      .catch((error: unknown) => ctx.log.error({ err: error, reading: id }, 'failed to read connections'))
  }
  return { jobId: id }
}

/**
 * Closes connections of users, or of addresses, on all nodes or some. The history keeps how many, not which addresses.
 * @throws usersNotFound where none of the users exists, nodeNotFound
 */
export async function dropConnectionsOf(ctx: Ctx, caller: Caller, { dropBy, targetNodes }: Input<typeof dropConnections>) {
  const nodes = await targets(ctx, targetNodes)
  const { usernames, ips, target } = await subjects(ctx, dropBy)
  await write(ctx, caller, async (_, record) =>
    record({ action: 'dropConnections', target, details: { users: usernames.length } }),
  )
  const answers = await askAll(nodes, NODES_AT_A_TIME, async (node) => {
    const answer = await askNode(ctx, node, () =>
      ctx.agents.call(node, agentApi.dropConnections, { usernames, ips }, { timeoutMs: 2 * CALL_TIMEOUT_MS }),
    )
    const outcome = 'reply' in answer ? answer.reply : { closed: 0, error: answer.error }
    return { isTold: 'reply' in answer, outcome: { nodeUuid: node.uuid, nodeName: node.name, ...outcome } }
  })
  return {
    eventSent: answers.some(({ isTold }) => isTold),
    nodes: answers.map(({ outcome }) => outcome),
  }
}

type Drop = Input<typeof dropConnections>

/** @throws nodeNotFound where one of those named is gone */
export async function targets(ctx: Ctx, targetNodes: Drop['targetNodes']): Promise<AskedNode[]> {
  if (targetNodes.target === 'allNodes') return listAskedNodes(ctx.db)
  const uuids = new Set(targetNodes.nodeUuids.map((uuid) => uuid.toLowerCase()))
  const nodes = await listAskedNodes(ctx.db, [...uuids])
  return nodes.length === uuids.size ? nodes : fail(errors.nodeNotFound)
}

async function subjects(ctx: Ctx, dropBy: Drop['dropBy']): Promise<{ usernames: string[]; ips: string[]; target: string }> {
  if (dropBy.by === 'ipAddresses')
    return { usernames: [], ips: dropBy.ipAddresses, target: `${dropBy.ipAddresses.length} addresses` }
  const users = await listNamedUsers(ctx.db, dropBy.by === 'userIds' ? { ids: dropBy.userIds } : { uuids: dropBy.userUuids })
  if (users.length === 0) fail(errors.usersNotFound)
  const [only] = users.length === 1 ? users : []
  return { usernames: users.map(({ username }) => username), ips: [], target: only?.uuid ?? `${users.length} users` }
}

async function connectionsOf(ctx: Ctx, node: AskedNode, usernames?: string[]) {
  const asked = usernames ? { usernames } : {}
  const answer = await askNode(ctx, node, () =>
    ctx.agents.call(node, agentApi.readConnections, asked, { timeoutMs: CALL_TIMEOUT_MS, maxReplyBytes: MAX_REPLY_BYTES }),
  )
  return 'reply' in answer ? { ...answer.reply, error: null } : { users: [], error: answer.error }
}

/** The reply of a node's agent, or a sentence why there is none. */
export async function askNode<T>(
  { agents }: Pick<Ctx, 'agents'>,
  node: AskedNode,
  ask: () => Promise<T>,
  { timeoutMs = CALL_TIMEOUT_MS, capability = 'connections' }: { timeoutMs?: number; capability?: AgentCapability } = {},
): Promise<{ reply: T } | { error: string }> {
  if (node.isDisabled || !node.isConnected) return { error: NOT_CONNECTED }
  try {
    const { capabilities } = await agents.call(node, agentApi.healthcheck, undefined, { timeoutMs })
    if (!capabilities?.includes(capability)) return { error: OTHER_AGENT }
    return { reply: await ask() }
  } catch (error) {
    if (error instanceof AgentError) return { error: error.message }
    throw error
  }
}

export function askAll<T>(nodes: AskedNode[], atATime: number, ask: (node: AskedNode) => Promise<T>): Promise<T[]> {
  const slots = new Slots(atATime)
  return Promise.all(nodes.map((node) => slots.run(() => ask(node))))
}

function after(moment: Date, ms: number): Date {
  return new Date(moment.getTime() + ms)
}
