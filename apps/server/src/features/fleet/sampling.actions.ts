import type { SystemStats } from '@causeway/contract'
import {
  agentApi,
  agentErrors,
  ENDED_AT_A_TIME,
  type CoreSample,
  type InboundTraffic,
  type OutboundTraffic,
  type UserTraffic,
} from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { AgentError, type CallOptions } from '../../ground/agents.ts'
import type { Slots } from '../../lib/slots.ts'
import { bookReading, newOpenLedger, openLedger, type OpenLedger } from '../traffic/ledger.actions.ts'
import { countAllUsers } from '../traffic/sums.queries.ts'
import type { Bytes } from '../traffic/baselines.rules.ts'
import {
  counterName,
  isAnotherRun,
  isOneRun,
  type Booking,
  type Counters,
  type Ledger,
  type Reading,
} from '../traffic/ledger.rules.ts'
import type { Lease } from '../../ground/leases.queries.ts'
import type { NodeTask } from './tasks.queries.ts'

/** The cached state of a node's owner between calls. All of it can be read again. */
export interface Link {
  lease: Lease
  /** Turns at work that is heavy for this process: configurations and bookings. Never held while waiting for a node. */
  slots: Slots
  ledger: OpenLedger
  /** Own additions that the agent has; none with agents of the 2.1 generation. */
  capabilities: ReadonlySet<string>
  /** Of the geo files that the agent has from here; empty without any, null where it takes none. */
  geoVersion: string | null
  /** Highest sequence number used for a question so far. */
  sequence: number
  /** Ended cores whose last counters are booked, to be told to the agent with the next question. */
  acknowledge: string[]
  /** A start was asked for, so that another run of the core is no surprise. */
  expectsNewRun: boolean
  /** Torrent reports that arrived, to be told to the agent with the next question. */
  torrents: string[]
  /** The last reading of a 2.1 agent's core uptime, by a monotonic clock. */
  uptime: { uptimeMs: number; at: number } | undefined
}

export function newLink(lease: Lease, slots: Slots): Link {
  return {
    lease,
    slots,
    ledger: newOpenLedger(),
    capabilities: new Set(),
    geoVersion: null,
    sequence: 0,
    acknowledge: [],
    expectsNewRun: false,
    torrents: [],
    uptime: undefined,
  }
}

export interface Sampled {
  isCoreRunning: boolean
  uptimeSeconds: number
  /** The core is not the one of the reading before. */
  isNewRun: boolean
  /** Another panel clears the counters, or a copy of the machine answers. */
  isDisturbed: boolean
}

const NOT_RUNNING: Sampled = { isCoreRunning: false, uptimeSeconds: 0, isNewRun: false, isDisturbed: false }
/** The agent's code for "no core runs". */
export const NO_CORE = agentErrors.systemStatsError.code
/** Questions in a row for the last readings of ended cores; the next ones are asked for at the next poll. */
const MOST_ROUNDS = 8
/** Bytes per user in an answer, and for deleted users that the core still counts. */
const BYTES_PER_USER = 400
const BYTES_OF_OTHERS = 16 * 1024 * 1024

/** How long a list of users may be that a node gives. */
export async function listOptions(ctx: Ctx, options: CallOptions = {}): Promise<CallOptions> {
  return { ...options, maxReplyBytes: BYTES_OF_OTHERS + BYTES_PER_USER * (await countAllUsers(ctx.db)) }
}

/** Reads all counters of a node and books them. @throws AgentError */
export async function sampleNode(ctx: Ctx, node: NodeTask, link: Link, options: CallOptions = {}, round = 1): Promise<Sampled> {
  const ledger = await openLedger(ctx, node.id, link.ledger)
  link.sequence = Math.max(link.sequence, ledger.sequence) + 1
  return link.capabilities.has('sample')
    ? sampleExactly(ctx, node, link, options, round)
    : sampleByUptime(ctx, node, link, ledger, options)
}

async function sampleExactly(ctx: Ctx, node: NodeTask, link: Link, options: CallOptions, round: number): Promise<Sampled> {
  const askedAt = ctx.now()
  const acknowledged = link.acknowledge
  const reply = await ctx.agents.call(node, agentApi.takeSample, { acknowledged }, await listOptions(ctx, options))
  const reading: Reading = {
    sequence: link.sequence,
    ended: reply.ended.map((core) => ({ coreId: core.coreId, counters: countersOf(core) })),
    current: reply.current && { coreId: reply.current.coreId, counters: countersOf(reply.current) },
  }
  const coreStartedAt = reply.current ? new Date(askedAt.getTime() - reply.current.uptimeMs) : null
  const booking = await bookFor(ctx, node, link, reading, { askedAt, coreStartedAt })
  link.acknowledge = reply.ended.map((core) => core.coreId)
  // An agent whose disk is full may go on handing over what it has been told to forget.
  const isMore = reply.ended.length >= ENDED_AT_A_TIME && reply.ended.some((core) => !acknowledged.includes(core.coreId))
  if (isMore && round < MOST_ROUNDS) return sampleNode(ctx, node, link, options, round + 1)
  return {
    isCoreRunning: reply.current !== null,
    uptimeSeconds: Math.floor((reply.current?.uptimeMs ?? 0) / 1000),
    isNewRun: booking?.isNewRun === true && booking.coreId !== null,
    isDisturbed: isDisturbed(booking),
  }
}

/** Agents of the 2.1 generation do not say which run of the core counters belong to: its uptime, asked twice, has to tell. */
async function sampleByUptime(ctx: Ctx, node: NodeTask, link: Link, ledger: Ledger, options: CallOptions): Promise<Sampled> {
  const askedAt = ctx.now()
  const begunAt = performance.now()
  const before = await readSystemStats(ctx, node, options)
  if (!before) return NOT_RUNNING
  const unread = { reset: false }
  const lists = await listOptions(ctx, options)
  const [{ users }, { inbounds }, { outbounds }] = await Promise.all([
    ctx.agents.call(node, agentApi.getUsersStats, unread, lists),
    ctx.agents.call(node, agentApi.getAllInboundsStats, unread, lists),
    ctx.agents.call(node, agentApi.getAllOutboundsStats, unread, lists),
  ])
  const after = await readSystemStats(ctx, node, options)
  const endedAt = performance.now()
  if (!after) return NOT_RUNNING
  const uptimeMs = after.uptime * 1000
  if (!isOneRun(before.uptime * 1000, uptimeMs, endedAt - begunAt))
    throw new AgentError('failed', 'The core restarted while its counters were being read.')

  const counters = countersOf({ users, inbounds, outbounds })
  const last = link.uptime
    ? { uptimeMs: link.uptime.uptimeMs, elapsedMs: endedAt - link.uptime.at }
    : uptimeOnRecord(node, askedAt)
  const isNew =
    ledger.coreId === null ||
    (last !== undefined &&
      isAnotherRun(
        { uptimeMs: last.uptimeMs, baselines: ledger.baselines.counters },
        { uptimeMs, counters, elapsedMs: last.elapsedMs },
      ))
  const coreId = isNew ? `run ${link.sequence}` : ledger.coreId
  const current = coreId === null ? null : { coreId, counters }
  const coreStartedAt = new Date(askedAt.getTime() - uptimeMs)
  const booking = await bookFor(ctx, node, link, { sequence: link.sequence, ended: [], current }, { askedAt, coreStartedAt })
  link.uptime = { uptimeMs, at: endedAt }
  return {
    isCoreRunning: true,
    uptimeSeconds: after.uptime,
    isNewRun: booking?.isNewRun ?? false,
    isDisturbed: isDisturbed(booking),
  }
}

/** The core's uptime at the last booking, as another server left it. */
function uptimeOnRecord(node: NodeTask, now: Date): { uptimeMs: number; elapsedMs: number } | undefined {
  if (!node.coreStartedAt || !node.accountedThroughAt) return undefined
  const accounted = node.accountedThroughAt.getTime()
  return { uptimeMs: accounted - node.coreStartedAt.getTime(), elapsedMs: now.getTime() - accounted }
}

/** `undefined` when the agent answers that no core runs. */
export async function readSystemStats(ctx: Ctx, node: NodeTask, options: CallOptions = {}): Promise<SystemStats | undefined> {
  try {
    return await ctx.agents.call(node, agentApi.getSystemStats, undefined, options)
  } catch (error) {
    if (error instanceof AgentError && error.agentCode === NO_CORE) return undefined
    throw error
  }
}

/** After an agreed end of a 2.1 agent's core: its run is closed, and whatever counts next is another. */
export async function closeRun(ctx: Ctx, node: NodeTask, link: Link): Promise<void> {
  const ledger = await openLedger(ctx, node.id, link.ledger)
  if (ledger.coreId === null || link.capabilities.has('sample')) return
  link.sequence = Math.max(link.sequence, ledger.sequence) + 1
  link.uptime = undefined
  const ended = [{ coreId: ledger.coreId, counters: ledger.baselines.counters }]
  const askedAt = ctx.now()
  await bookFor(ctx, node, link, { sequence: link.sequence, ended, current: null }, { askedAt, coreStartedAt: null })
}

function bookFor(ctx: Ctx, node: NodeTask, link: Link, reading: Reading, at: { askedAt: Date; coreStartedAt: Date | null }) {
  const { lease, slots } = link
  const facts = { lease, consumptionMultiplier: node.consumptionMultiplier, isNewRunExpected: link.expectsNewRun, ...at }
  return slots.run(() => bookReading(ctx, link.ledger, reading, facts))
}

function isDisturbed(booking: Booking | undefined): boolean {
  return booking !== undefined && (booking.isClearedByOthers || booking.isOfClosedRun)
}

function countersOf(
  core:
    | Pick<CoreSample, 'users' | 'inbounds' | 'outbounds'>
    | { users: UserTraffic[]; inbounds: InboundTraffic[]; outbounds: OutboundTraffic[] },
): Counters {
  const counters = new Map<string, Bytes>()
  const put = (name: string, { uplink, downlink }: Bytes) => counters.set(name, { uplink, downlink })
  for (const user of core.users) put(counterName('user', user.username), user)
  for (const tag of core.inbounds) put(counterName('inbound', tag.inbound), tag)
  for (const tag of core.outbounds) put(counterName('outbound', tag.outbound), tag)
  return counters
}
