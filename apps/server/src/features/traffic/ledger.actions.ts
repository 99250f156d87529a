import { setImmediate as turn } from 'node:timers/promises'
import type { Ctx } from '../../ctx.ts'
import type { Tx } from '../../db/driver/connect.ts'
import { pipelined } from '../../db/driver/pipeline.ts'
import { lockUsage } from '../../ground/user-writes.queries.ts'
import { queueAllForNodes, queueForNodes } from '../../ground/delivery.queries.ts'
import { holdTimeZone } from '../../ground/installation.queries.ts'
import { dayIn } from '../../lib/days.ts'
import { holdLease, type Lease } from '../../ground/leases.queries.ts'
import { chargeUsers, type UserCharge } from './charges.queries.ts'
import {
  chargeNode,
  closeCores,
  limitExceeded,
  listOwners,
  lockLedgerPosition,
  MOST_BOOKED_CORES,
  readLedger,
  writeBaselines,
  writeLedgerPosition,
} from './ledger.queries.ts'
import type { Bytes } from './baselines.rules.ts'
import {
  book,
  chargedBytes,
  counterName,
  deltasOf,
  mostBytes,
  withinReason,
  type Booking,
  type Delta,
  type Ledger,
  type Reading,
} from './ledger.rules.ts'

/** The ledger of a node as its owner caches it between readings. Rebuilt from the database after any doubt. */
export interface OpenLedger {
  current: Ledger | undefined
}

export function newOpenLedger(): OpenLedger {
  return { current: undefined }
}

// Owners of counters are cached with them, as far as the node has acknowledged their users. A change of owners clears
// the cache.

/** From now on this user's name on the node may count for another user. */
export function forgetOwner(open: OpenLedger, username: string): void {
  const baseline = open.current?.baselines.counters.get(counterName('user', username))
  if (baseline) baseline.userId = undefined
}

export function forgetOwners(open: OpenLedger): void {
  open.current?.baselines.forgetOwners()
}

export interface ReadingFacts {
  lease: Lease
  consumptionMultiplier: number
  /** When the core that runs was started, as far as known. */
  coreStartedAt: Date | null
  /** The server itself has started the core. One that came up alone may have the users of an earlier day. */
  isNewRunExpected: boolean
  /** When the question was sent: everything before is in the answer. */
  askedAt: Date
}

/** Where the ledger of a node stands, read from the database when this server does not know. */
export async function openLedger(ctx: Ctx, nodeId: number, open: OpenLedger): Promise<Ledger> {
  open.current ??= await readLedger(ctx.db, nodeId)
  if (!open.current) throw new Error(`Node ${nodeId} is gone.`)
  return open.current
}

/**
 * Books a reading: deltas, baselines, users, days and the node in one transaction under the node's lease. Users that have
 * used up their limit are cut off right after. `undefined`: something later is booked already.
 */
export async function bookReading(
  ctx: Ctx,
  open: OpenLedger,
  reading: Reading,
  facts: ReadingFacts,
): Promise<Booking | undefined> {
  const { nodeId } = facts.lease
  const ledger = await openLedger(ctx, nodeId, open)
  // Until the commit is certain, what this server remembers may be behind, and it moves before.
  open.current = undefined
  const booking = book(ledger, reading)
  if (!booking) return undefined
  const exceeded = await ctx.db.transaction().execute(async (whole) => {
    const tx = await pipelined(whole)
    const [, position, zone] = await Promise.all([holdLease(tx, facts.lease), lockLedgerPosition(tx, nodeId), holdTimeZone(tx)])
    if (position?.sampleSequence !== ledger.sequence || position.coreEpoch !== ledger.coreId)
      throw new Error(`The ledger of node ${nodeId} has moved on.`)
    const most = mostBytes(position.accountedThroughAt, facts.askedAt)
    const deltas = withinReason(booking.deltas, most)
    const days = { at: facts.askedAt, day: dayIn(zone, facts.askedAt), today: dayIn(zone, ctx.now()) }
    const { charges, usersOnline } = await chargesOf(
      tx,
      { ...booking, deltas },
      { nodeId, multiplier: facts.consumptionMultiplier },
    )
    const [ids, parts] = await Promise.all([chargeUsers(tx, nodeId, charges, days), inTurns(booking.baselines.takeMoved())])
    // All of them leave before any is answered: none can follow the end of the transaction that another's failure brings.
    await Promise.all([
      writeBaselines(tx, nodeId, parts, booking.isNewRun),
      closeCores(tx, nodeId, booking.closedCores),
      chargeNode(tx, nodeId, deltas, { at: facts.askedAt, most }),
      writeLedgerPosition(tx, nodeId, {
        sampleSequence: booking.sequence,
        coreEpoch: booking.coreId,
        coreStartedAt: facts.coreStartedAt,
        accountedThroughAt: facts.askedAt,
        usersOnline,
        ...warningOf(booking, facts.askedAt),
      }),
    ])
    // In the booking's transaction: the new run is noticed only once.
    if (booking.isNewRun && booking.coreId !== null && !facts.isNewRunExpected) await queueAllForNodes(tx, { nodeIds: [nodeId] })
    return ids
  })
  // With a run end the names that the node has nothing of any more.
  if (booking.isNewRun) booking.baselines.forgetOwners()
  open.current = {
    sequence: booking.sequence,
    coreId: booking.coreId,
    baselines: booking.baselines,
    bookedCores: new Set([...ledger.bookedCores, ...booking.closedCores].slice(-MOST_BOOKED_CORES)),
  }
  await cutOffExceeded(ctx, exceeded)
  return booking
}

/** Counters without a user count for the node alone. */
async function chargesOf(
  tx: Tx,
  { deltas, baselines }: Pick<Booking, 'deltas' | 'baselines'>,
  { nodeId, multiplier }: { nodeId: number; multiplier: number },
): Promise<{ charges: UserCharge[]; usersOnline: number }> {
  const charges: UserCharge[] = []
  const unknown: Delta[] = []
  const charge = (userId: number, { uplink, downlink }: Bytes) =>
    charges.push({ userId, uplink, downlink, charged: chargedBytes(uplink + downlink, multiplier) })
  for (const delta of deltas) {
    const userId = delta.baseline?.userId
    if (userId === undefined) unknown.push(delta)
    else charge(userId, delta)
  }
  const users = deltasOf(unknown, 'user')
  const usersOnline = charges.length + users.length
  const byName = new Map(users.map((user) => [user.name, user]))
  for (const { name, userId, isCertain } of await listOwners(tx, nodeId, [...byName.keys()])) {
    const baseline = baselines.counters.get(counterName('user', name))
    if (baseline && isCertain) baseline.userId = userId
    const bytes = byName.get(name)
    if (bytes) charge(userId, bytes)
  }
  return { charges, usersOnline }
}

/** While the database works; what else waits for this thread gets its turn between two. */
async function inTurns<T>(made: Iterable<T>): Promise<T[]> {
  const all: T[] = []
  await turn()
  for (const one of made) {
    all.push(one)
    await turn()
  }
  return all
}

const TWO_MACHINES =
  'Two machines answer as this node in turn: a copy of its disk runs. Traffic of the one that was away is not counted. Let the copy join as a node of its own.'

function warningOf({ isClearedByOthers, isOfClosedRun }: Booking, at: Date): { warning?: string } {
  if (isOfClosedRun) return { warning: TWO_MACHINES }
  return isClearedByOthers ? { warning: clearedWarning(at) } : {}
}

function clearedWarning(at: Date): string {
  const time = at.toISOString().slice(0, 19).replace('T', ' ')
  return `Another panel clears the traffic counters of this node (seen ${time} UTC). Disconnect it there: what it takes is missing here.`
}

/**
 * Limits those of these users that have used up their limit, and tells the nodes. Apart from the booking, so that no
 * node waits for another's users. Usage is locked before the user, as everywhere. Otherwise a concurrent reset would
 * be judged by the usage before it.
 */
export async function cutOffExceeded(ctx: Ctx, userIds: number[]): Promise<void> {
  if (userIds.length === 0) return
  await ctx.db.transaction().execute(async (tx) => {
    await lockUsage(tx, userIds)
    await queueForNodes(tx, await limitExceeded(tx, userIds, ctx.now()))
  })
}
