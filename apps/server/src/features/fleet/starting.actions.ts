import { createHash, randomBytes } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { agentApi, FORCE_RESTART_HEADER, HASH_PAYLOAD_HEADER, type StartReply } from '@causeway/contract'
import {
  AGENT_PORTS,
  certificatePaths,
  emptyNodeConfig,
  inlineCertificates,
  isObject,
  NodeConfigBuilder,
  withoutOpenDoor,
  withTorrentRule,
  inboundsOf,
  type XrayObject,
} from '@causeway/xray'
import type { Ctx } from '../../ctx.ts'
import type { Tx } from '../../db/driver/connect.ts'
import { AgentError } from '../../ground/agents.ts'
import { readCertificateFile } from '../../ground/certificate-files.ts'
import { cutOff } from './cut-off.actions.ts'
import { MOST_SINGLE_CHANGES, planComparison, type ActiveInbound, type WantedUser } from './delivery.rules.ts'
import { requestStarts } from '../../ground/delivery.queries.ts'
import { holdLease } from '../../ground/leases.queries.ts'
import { forgetOwners } from '../traffic/ledger.actions.ts'
import { torrentRuleOf } from '../node-plugins/filters.rules.ts'
import { findActivePlugin } from '../node-plugins/node-plugins.queries.ts'
import { bringGeoFiles } from './parts.actions.ts'
import { closeRun, readSystemStats, type Link } from './sampling.actions.ts'
import {
  clearRequests,
  deleteDeliveries,
  findNodeConfig,
  findNodeTask,
  listAcknowledged,
  listActiveInbounds,
  listAllDeliveries,
  pageWantedUsers,
  patchState,
  replaceAcknowledged,
  type NodeTask,
  type SeenDelivery,
} from './tasks.queries.ts'
import { bookBeforeHandOver, readCoreUsers, tell } from './telling.actions.ts'

/** Users put into a configuration without a break. */
const USERS_AT_A_TIME = 5_000

/** A node's wanted config and users, as of one moment. */
interface Wanted {
  node: NodeTask
  inbounds: ActiveInbound[]
  users: WantedUser[]
  /** Tasks that this moment already contains. */
  seen: SeenDelivery[]
  config: XrayObject
}

async function readWanted(ctx: Ctx, nodeId: number, { lease, capabilities }: Link): Promise<Wanted> {
  // Committed before the reads, and cleared with their result: a concurrent change of a user meets either.
  await ctx.db.transaction().execute(async (tx) => {
    await holdLease(tx, lease)
    await patchState(tx, nodeId, { isSettling: true })
  })
  return ctx.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      const node = await findNodeTask(tx, nodeId)
      if (!node || node.activeConfigProfileId === null) throw new Error(`Node ${nodeId} has no config profile.`)
      const config = await findNodeConfig(tx, nodeId)
      if (!isObject(config)) throw new Error('The config profile of the node is not a JSON object.')
      const plugin = capabilities.has('filters') ? await findActivePlugin(tx, nodeId) : undefined
      const torrents = plugin && torrentRuleOf(plugin)
      const inbounds = await listActiveInbounds(tx, nodeId)
      const seen = await listAllDeliveries(tx, nodeId)
      const users: WantedUser[] = []
      for await (const page of pageWantedUsers(tx, nodeId)) users.push(...page)
      return { node, inbounds, users, seen, config: torrents ? withTorrentRule(config, torrents) : config }
    })
}

interface Prepared {
  config: XrayObject
  hashPayload: string
  configHash: string
}

/** Certificate files lie on this machine and travel inside the configuration. */
async function prepare(ctx: Ctx, wanted: Wanted): Promise<Prepared> {
  const files = new Map<string, string>()
  for (const path of certificatePaths(wanted.config)) {
    try {
      files.set(path, await readCertificateFile(path, ctx.config.certificateDirs))
    } catch (error) {
      ctx.log.warn(
        { node: wanted.node.name, path, err: error },
        'a certificate file of the profile is not read here; the node gets its name instead',
      )
    }
  }
  const tags = wanted.inbounds.map((inbound) => inbound.tag)
  const builder = new NodeConfigBuilder(emptyNodeConfig(inlineCertificates(wanted.config, files), tags))
  for (const [index, user] of wanted.users.entries()) {
    builder.add(user)
    if (index % USERS_AT_A_TIME === USERS_AT_A_TIME - 1) await nextTurn() // requests are answered meanwhile
  }
  const { config, hashes } = builder.build((text) => createHash('sha256').update(text).digest('hex'))
  return {
    config: { ...config, inbounds: inboundsOf(config).map((inbound) => withoutOpenDoor(inbound, randomKey)) },
    hashPayload: Buffer.from(JSON.stringify(hashes)).toString('base64'),
    configHash: hashes.emptyConfig,
  }
}

function randomKey(bytes: number): string {
  return randomBytes(bytes).toString('base64')
}

/**
 * Makes a node run its wanted config. A core with the right configuration gets the differences of its users first.
 * The start that follows then finds nothing to do, and connections live on. The caller has booked its counters.
 * `refusal` says why the agent's core does not run; `note` records that it does.
 * @throws AgentError
 */
export async function startNode(
  ctx: Ctx,
  task: NodeTask,
  link: Link,
  isRunning: boolean,
): Promise<{ refusal: string } | { refusal: null; note(): Promise<void> }> {
  if (!isRunning) await bringGeoFiles(ctx, task, link)
  const wanted = await link.slots.run(() => readWanted(ctx, task.id, link))
  const prepared = await prepare(ctx, wanted)
  const { node } = wanted
  const keepsRunning = isRunning && !node.isRestartForced && (await runsConfig(ctx, node, link, prepared.configHash))
  if (keepsRunning) await tellDifferences(ctx, wanted, link)
  const begunAt = performance.now()
  const reply = await ctx.agents.call(node, agentApi.start, prepared.config, {
    headers: { [HASH_PAYLOAD_HEADER]: prepared.hashPayload, [FORCE_RESTART_HEADER]: String(node.isRestartForced) },
  })
  if (!reply.isStarted) return { refusal: refusalOf(reply) }
  link.capabilities = new Set(reply.nodeInformation.capabilities ?? [...link.capabilities])
  if (!keepsRunning) await closeReplacedRun(ctx, node, link, begunAt)
  return { refusal: null, note: () => recordStart(ctx, wanted, link, reply, prepared.configHash) }
}

/** Closes the books of a 2.1 agent's core that a start has certainly ended, so that the next one counts from zero. */
async function closeReplacedRun(ctx: Ctx, node: NodeTask, link: Link, begunAt: number): Promise<void> {
  if (link.capabilities.has('sample')) return // our agent names its cores
  const stats = await readSystemStats(ctx, node)
  // The uptime is cut to whole seconds.
  const isYounger = stats !== undefined && (stats.uptime + 1) * 1000 <= performance.now() - begunAt
  if (isYounger) await closeRun(ctx, node, link)
}

function refusalOf(reply: StartReply): string {
  return reply.error ?? 'Xray did not start with this configuration. Look into its log on the node.'
}

/** Our agent says what its core runs; of one of the 2.1 generation we only know what we sent last. */
async function runsConfig(ctx: Ctx, node: NodeTask, link: Link, configHash: string): Promise<boolean> {
  if (!link.capabilities.has('core')) return node.runningConfigHash === configHash
  const core = await ctx.agents.call(node, agentApi.getCore, undefined)
  return core.hashes?.emptyConfig === configHash
}

/** Makes the users of a running core those it should have. Gives how many changes it took; undefined if it was too many. */
async function tellDifferences(ctx: Ctx, wanted: Wanted, link: Link): Promise<number | undefined> {
  const { node, inbounds, users } = wanted
  const actual = await readCoreUsers(
    ctx,
    node,
    inbounds.map((inbound) => inbound.tag),
  ).catch((error: unknown) => {
    if (error instanceof AgentError && error.kind === 'failed') return undefined // an inbound that the core lacks: a start mends it
    throw error
  })
  if (!actual) return undefined
  const acknowledged = await listAcknowledged(ctx.db, node.id)
  const changes = planComparison(users, actual, acknowledged, inbounds)
  if (changes.length > MOST_SINGLE_CHANGES && !link.capabilities.has('users')) return undefined
  await bookBeforeHandOver(ctx, node, link, changes, acknowledged)
  const errors = await tell(ctx, node, link, changes, inbounds)
  if (errors.size === 0) {
    await cutOff(ctx, node, link, changes)
    return changes.length
  }
  ctx.log.warn(
    { node: node.name, failed: errors.size, error: [...errors.values()][0] },
    'users not delivered; the core is started anew',
  )
  return undefined
}

/** Compares the users of a node that runs in full. What cannot be told live is settled by a start. */
export async function compareNode(ctx: Ctx, task: NodeTask, link: Link): Promise<void> {
  const wanted = await link.slots.run(() => readWanted(ctx, task.id, link))
  const told = await tellDifferences(ctx, wanted, link)
  await ctx.db.transaction().execute(async (tx) => {
    await holdLease(tx, link.lease)
    await clearRequests(tx, wanted.node, 'compare')
    if (told === undefined) await requestStarts(tx, { nodeIds: [task.id] })
    else await recordUsers(tx, wanted, link)
  })
  if (told) ctx.log.info({ node: task.name, changes: told }, 'users of a node synchronised')
}

async function recordUsers(tx: Tx, { node, users, seen }: Wanted, link: Link): Promise<void> {
  forgetOwners(link.ledger)
  await replaceAcknowledged(tx, node.id, users)
  await patchState(tx, node.id, { isSettling: false })
  await deleteDeliveries(tx, node.id, seen)
}

async function recordStart(ctx: Ctx, wanted: Wanted, link: Link, reply: StartReply, configHash: string): Promise<void> {
  const { node } = wanted
  const machine = reply.systemInformation
  await ctx.db.transaction().execute(async (tx) => {
    await holdLease(tx, link.lease)
    await recordUsers(tx, wanted, link)
    await clearRequests(tx, node, 'start')
    await patchState(tx, node.id, {
      xrayVersion: reply.version,
      nodeVersion: reply.nodeInformation.version,
      runningConfigHash: configHash,
      // Others run the rule as they are sent it.
      closedPorts: reply.nodeInformation.closedPorts ?? [...AGENT_PORTS],
      ...(machine ? { cpuCount: machine.cpuCores, cpuModel: machine.cpuModel, totalRam: machine.memoryTotal } : {}),
    })
  })
}
