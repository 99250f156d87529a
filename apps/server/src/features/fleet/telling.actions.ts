import { agentApi, type UserChange, type UserChangeReply } from '@causeway/contract'
import { NOBODY } from '@causeway/xray'
import type { Ctx } from '../../ctx.ts'
import { AgentError } from '../../ground/agents.ts'
import { retryPauseMs } from './connection.rules.ts'
import { cutOff } from './cut-off.actions.ts'
import {
  changesHands,
  holdsIn,
  knownTo,
  outcomeOf,
  planChange,
  type AcknowledgedUser,
  type ActiveInbound,
  type Change,
  type CoreUsers,
} from './delivery.rules.ts'
import { requestStarts } from '../../ground/delivery.queries.ts'
import { holdLease } from '../../ground/leases.queries.ts'
import { forgetOwner } from '../traffic/ledger.actions.ts'
import { listOptions, sampleNode, type Link } from './sampling.actions.ts'
import {
  deleteDeliveries,
  emptyAcknowledged,
  handOver,
  listAcknowledged,
  listActiveInbounds,
  listDueDeliveries,
  listWantedByName,
  postponeDeliveries,
  putAcknowledged,
  type NodeTask,
  type SeenDelivery,
} from './tasks.queries.ts'

/** Changes told to our own agent in one call. */
const BATCH = 1_000
/** Each may tell why, for each inbound. */
const BATCH_REPLY_BYTES = 8 * 1024 * 1024
/** Calls under way at a time to an agent that takes one change a call. */
const SIDE_BY_SIDE = 8
/** After so many failures of one task the node is started anew, which settles whatever its agent cannot do live. */
const ATTEMPTS_BEFORE_START = 5

/** Tells a node what is due about single users, and records what it acknowledged. */
export async function deliverDue(ctx: Ctx, node: NodeTask, link: Link): Promise<void> {
  const seen = await listDueDeliveries(ctx.db, node.id)
  if (seen.length === 0) return
  const names = seen.map((delivery) => delivery.username)
  const [inbounds, wanted, acknowledged] = await Promise.all([
    listActiveInbounds(ctx.db, node.id),
    listWantedByName(ctx.db, node.id, names),
    listAcknowledged(ctx.db, node.id, names),
  ])
  const wantedByName = new Map(wanted.map((user) => [user.username, user]))
  const changes = names.flatMap((name) => planChange(name, wantedByName.get(name), acknowledged.get(name), inbounds) ?? [])
  await bookBeforeHandOver(ctx, node, link, changes, acknowledged)
  const errors = await tell(ctx, node, link, changes, inbounds)
  await cutOff(
    ctx,
    node,
    link,
    changes.filter((change) => !errors.has(change.username)),
  )
  await ctx.db.transaction().execute(async (tx) => {
    await holdLease(tx, link.lease)
    const done = changes.filter((change) => !errors.has(change.username))
    for (const change of done) forgetOwner(link.ledger, change.username)
    await recordAcknowledged(tx, node.id, done)
    await deleteDeliveries(
      tx,
      node.id,
      seen.filter((delivery) => !errors.has(delivery.username)),
    )
    const failed = seen.flatMap((delivery) => failureOf(delivery, errors.get(delivery.username)))
    await postponeDeliveries(tx, node.id, failed)
    if (failed.some((failure) => failure.attempts + 1 === ATTEMPTS_BEFORE_START)) await requestStarts(tx, { nodeIds: [node.id] })
  })
  if (errors.size > 0)
    ctx.log.warn({ node: node.name, failed: errors.size, error: [...errors.values()][0] }, 'failed to deliver users')
}

function failureOf(delivery: SeenDelivery, error: string | undefined) {
  return error === undefined ? [] : [{ ...delivery, error, pauseMs: retryPauseMs(delivery.attempts + 1) }]
}

/**
 * Names that pass to another user: traffic counted so far is booked to the former one. From then on it is the new
 * one's, starting at zero.
 */
export async function bookBeforeHandOver(
  ctx: Ctx,
  node: NodeTask,
  link: Link,
  changes: readonly Change[],
  acknowledged: ReadonlyMap<string, AcknowledgedUser>,
): Promise<void> {
  const handed = changes.flatMap((change) =>
    change.kind === 'add' && changesHands(change.user, acknowledged.get(change.username)) ? [change.user] : [],
  )
  if (handed.length === 0) return
  await sampleNode(ctx, node, link)
  await ctx.db.transaction().execute(async (tx) => {
    await holdLease(tx, link.lease)
    for (const user of handed) forgetOwner(link.ledger, user.username)
    await handOver(tx, node.id, handed)
  })
}

async function recordAcknowledged(
  tx: Parameters<typeof putAcknowledged>[0],
  nodeId: number,
  changes: readonly Change[],
): Promise<void> {
  await putAcknowledged(
    tx,
    nodeId,
    changes.flatMap((change) => (change.kind === 'add' ? [change.user] : [])),
  )
  await emptyAcknowledged(
    tx,
    nodeId,
    changes.flatMap((change) => (change.kind === 'remove' ? [change.username] : [])),
  )
}

/** Tells an agent changes of different users. Gives those that do not hold, each with its reason. @throws AgentError */
export async function tell(
  ctx: Ctx,
  node: NodeTask,
  link: Link,
  wanted: readonly Change[],
  inbounds: readonly ActiveInbound[],
): Promise<Map<string, string>> {
  const changes = wanted.map((change) => knownTo(change, link.capabilities))
  const replies = link.capabilities.has('users')
    ? await tellInBatches(ctx, node, changes)
    : await tellOneByOne(ctx, node, changes)
  const errors = new Map<string, string>()
  const unsure: Change[] = []
  changes.forEach((change, index) => {
    const reply = replies[index]
    const outcome = reply ? outcomeOf(change, reply) : 'failed'
    if (outcome === 'unsure') unsure.push(change)
    if (outcome === 'failed') errors.set(change.username, reasonOf(reply))
  })
  if (unsure.length > 0) {
    const actual = await readCoreUsers(
      ctx,
      node,
      inbounds.map((inbound) => inbound.tag),
    )
    for (const change of unsure) {
      if (!holdsIn(change, actual)) errors.set(change.username, 'The agent did not apply the change to every inbound.')
    }
  }
  return errors
}

function reasonOf(reply: UserChangeReply | undefined): string {
  const failure = reply?.failures?.[0]
  return failure ? `${failure.tag}: ${failure.error}` : (reply?.error ?? 'The agent gave no answer for this user.')
}

async function tellInBatches(ctx: Ctx, node: NodeTask, changes: readonly Change[]): Promise<UserChangeReply[]> {
  const replies: UserChangeReply[] = []
  for (let from = 0; from < changes.length; from += BATCH) {
    const batch = changes.slice(from, from + BATCH).map(asUserChange)
    replies.push(
      ...(await ctx.agents.call(node, agentApi.changeUsers, { changes: batch }, { maxReplyBytes: BATCH_REPLY_BYTES })).results,
    )
  }
  return replies
}

function asUserChange(change: Change): UserChange {
  return change.kind === 'add' ? { kind: 'add', ...change.body } : { kind: 'remove', ...change.body }
}

async function tellOneByOne(ctx: Ctx, node: NodeTask, changes: readonly Change[]): Promise<UserChangeReply[]> {
  const replies: UserChangeReply[] = []
  const indexes = changes.keys()
  let isAway = false
  const work = async () => {
    for (const index of indexes) {
      const change = changes[index]
      if (isAway || !change) return
      replies[index] = await tellOne(ctx, node, change).catch((error: unknown) => {
        isAway = true
        throw error
      })
    }
  }
  // Nothing may still be on its way when the caller goes on: it would arrive after what is told next.
  const outcomes = await Promise.allSettled(Array.from({ length: SIDE_BY_SIDE }, work))
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
  return replies
}

async function tellOne(ctx: Ctx, node: NodeTask, change: Change): Promise<UserChangeReply> {
  try {
    return change.kind === 'add'
      ? await ctx.agents.call(node, agentApi.addUser, change.body)
      : await ctx.agents.call(node, agentApi.removeUser, change.body)
  } catch (error) {
    // An agent that refuses one user may take the others; one that is away takes none.
    if (error instanceof AgentError && error.kind === 'failed') return { success: false, error: error.message }
    throw error
  }
}

/**
 * All users of a core in these inbounds, by name.
 * @throws AgentError
 */
export async function readCoreUsers(ctx: Ctx, node: NodeTask, tags: readonly string[]): Promise<CoreUsers> {
  const users: CoreUsers = new Map()
  const options = await listOptions(ctx)
  for (const tag of tags) {
    const reply = await ctx.agents.call(node, agentApi.getInboundUsers, { tag }, options)
    for (const user of reply.users) {
      if (user.username === NOBODY) continue
      const has = users.get(user.username) ?? new Map<string, string>()
      users.set(user.username, has.set(tag, user.uuid ?? user.password ?? ''))
    }
  }
  return users
}
