import type { Ctx } from '../../ctx.ts'
import { queueForNodes } from '../nodes/delivery.queries.ts'
import { holdLease, type Lease } from '../nodes/leases.queries.ts'
import {
  chargeNode,
  chargeUsers,
  closeCores,
  limitExceeded,
  lockLedgerPosition,
  readLedger,
  writeBaselines,
  writeLedgerPosition,
} from './ledger.queries.ts'
import { baselinesAfter, book, chargedBytes, deltasOf, type Booking, type Ledger, type Reading } from './ledger.rules.ts'

/** What is booked of a node, as its owner remembers it between readings. Rebuilt from the database after any doubt. */
export interface OpenLedger {
  current: Ledger | undefined
}

export interface ReadingFacts {
  lease: Lease
  consumptionMultiplier: number
  /** When the core that runs was started, as far as known. */
  coreStartedAt: Date | null
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
  // Until the commit is certain, what this server remembers may be behind.
  open.current = undefined
  const booking = book(ledger, reading)
  if (!booking) return undefined
  const users = deltasOf(booking.deltas, 'user')
  const charged = users.map((user) => ({
    ...user,
    charged: chargedBytes(user.uplink + user.downlink, facts.consumptionMultiplier),
  }))
  const userIds = await ctx.db.transaction().execute(async (tx) => {
    await holdLease(tx, facts.lease)
    const position = await lockLedgerPosition(tx, nodeId)
    if (position?.sampleSequence !== ledger.sequence || position.coreEpoch !== ledger.coreId)
      throw new Error(`The ledger of node ${nodeId} has moved on.`)
    const ids = await chargeUsers(tx, nodeId, charged, facts.askedAt)
    await writeBaselines(tx, nodeId, booking)
    await closeCores(tx, nodeId, booking.closedCores)
    await chargeNode(tx, nodeId, booking, facts.askedAt)
    await writeLedgerPosition(tx, nodeId, {
      sampleSequence: booking.sequence,
      coreEpoch: booking.coreId,
      coreStartedAt: facts.coreStartedAt,
      accountedThroughAt: facts.askedAt,
      usersOnline: users.length,
      ...(booking.isClearedByOthers ? { warning: clearedWarning(facts.askedAt) } : {}),
    })
    return ids
  })
  open.current = {
    sequence: booking.sequence,
    coreId: booking.coreId,
    baselines: baselinesAfter(ledger.baselines, booking),
    bookedCores: new Set([...ledger.bookedCores, ...booking.closedCores]),
  }
  await cutOffExceeded(ctx, userIds)
  return booking
}

function clearedWarning(at: Date): string {
  const time = at.toISOString().slice(0, 19).replace('T', ' ')
  return `Another panel clears the traffic counters of this node (seen ${time} UTC). Disconnect it there: what it takes is missing here.`
}

/** In a transaction of its own: administrators' changes lock a user before its usage, bookings only the usage. */
async function cutOffExceeded(ctx: Ctx, userIds: number[]): Promise<void> {
  if (userIds.length === 0) return
  await ctx.db.transaction().execute(async (tx) => queueForNodes(tx, await limitExceeded(tx, userIds, ctx.now())))
}
