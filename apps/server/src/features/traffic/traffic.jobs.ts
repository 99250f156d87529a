import type { Ctx } from '../../ctx.ts'
import type { RecurringJob } from '../../jobs/kinds.ts'
import { holdTimeZone } from '../../ground/installation.queries.ts'
import { DAY_MS, dayIn } from '../../lib/days.ts'
import { reviewClock } from '../clock/clock.actions.ts'
import { addPartition, deleteUsageBefore, dropPartition, listPartitions, monthAfter } from './partitions.queries.ts'
import { passOver } from './order.actions.ts'
import { beginTrafficOrder, endTrafficOrder, findTrafficOrder } from './order.queries.ts'
import { isPassDue, LEAST_ORDERED } from './order.rules.ts'
import { countAllUsers, findTurn, startTurn, turnBatch } from './sums.queries.ts'

const MONTHS_AHEAD = 2

/** Usage per user, node and day: months get their partition before they begin, and go when they are old enough by a clock that is believed. */
export async function keepUsagePartitions(ctx: Ctx): Promise<void> {
  const zone = await holdTimeZone(ctx.db)
  const thisMonth = dayIn(zone, ctx.now()).slice(0, 7)
  const existing = await listPartitions(ctx.db)
  for (let ahead = 0; ahead <= MONTHS_AHEAD; ahead++) {
    const month = monthAfter(thisMonth, ahead)
    if (!existing.includes(month)) await ctx.db.transaction().execute((tx) => addPartition(tx, month))
  }
  if (!(await reviewClock(ctx))) return
  const oldestDay = dayIn(zone, new Date(ctx.now().getTime() - ctx.config.USAGE_RETENTION_DAYS * DAY_MS))
  for (const month of existing) {
    const isOver = `${monthAfter(month)}-01` <= oldestDay
    if (isOver) await ctx.db.transaction().execute((tx) => dropPartition(tx, month))
  }
  await deleteUsageBefore(ctx.db, oldestDay)
}

/** Users whose sums are turned in one transaction: their bookings wait for it. */
const TURN_SIZE = 2000

/** With every day of the installation the sums of what users moved lately are made anew from the days. Cut off at any point, the next run goes on. */
export async function turnTrafficSums(ctx: Ctx, size = TURN_SIZE): Promise<void> {
  const today = dayIn(await holdTimeZone(ctx.db), ctx.now())
  const turn = await findTurn(ctx.db)
  if (turn?.day !== today) await startTurn(ctx.db, today)
  else if (turn.throughUserId === null) return
  for (let isMore = true; isMore;) isMore = await ctx.db.transaction().execute((tx) => turnBatch(tx, size))
}

/** Of many users, their order by what they moved in each period is kept in step with what is booked. Does over what was cut off. */
export async function orderTraffic(ctx: Ctx, least = LEAST_ORDERED, size?: number): Promise<void> {
  const today = dayIn(await holdTimeZone(ctx.db), ctx.now())
  const order = await findTrafficOrder(ctx.db)
  if ((await countAllUsers(ctx.db)) < least) {
    if (order) await ctx.db.transaction().execute((tx) => endTrafficOrder(tx))
    return
  }
  if (order && !isPassDue(order, today, ctx.now())) return
  // Until the sums are those of the day, reads scan all users.
  const turn = await findTurn(ctx.db)
  if (turn?.day !== today || turn.throughUserId !== null) return
  if (!order) await beginTrafficOrder(ctx.db)
  await passOver(ctx.db, today, ctx.now(), size)
}

export const usageJobs: RecurringJob[] = [
  { name: 'keepUsagePartitions', everyMs: 600_000, run: keepUsagePartitions },
  { name: 'turnTrafficSums', everyMs: 30_000, run: (ctx) => turnTrafficSums(ctx) },
  { name: 'orderTraffic', everyMs: 10_000, run: (ctx) => orderTraffic(ctx) },
]
