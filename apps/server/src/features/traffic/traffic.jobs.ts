import type { Ctx } from '../../ctx.ts'
import { addPartition, deleteUsageBefore, dropPartition, listPartitions, monthAfter } from './partitions.queries.ts'

const MONTHS_AHEAD = 2
const DAY_MS = 86_400_000

/** Usage per user, node and day: months get their partition before they begin, and go when they are old enough. */
export async function keepUsagePartitions(ctx: Ctx): Promise<void> {
  const thisMonth = ctx.now().toISOString().slice(0, 7)
  const existing = await listPartitions(ctx.db)
  for (let ahead = 0; ahead <= MONTHS_AHEAD; ahead++) {
    const month = monthAfter(thisMonth, ahead)
    if (!existing.includes(month)) await ctx.db.transaction().execute((tx) => addPartition(tx, month))
  }
  const oldestDay = new Date(ctx.now().getTime() - ctx.config.USAGE_RETENTION_DAYS * DAY_MS).toISOString().slice(0, 10)
  for (const month of existing) {
    const isOver = `${monthAfter(month)}-01` <= oldestDay
    if (isOver) await ctx.db.transaction().execute((tx) => dropPartition(tx, month))
  }
  await deleteUsageBefore(ctx.db, oldestDay)
}
