import { z } from 'zod'
import { jobKind } from '../../jobs/kinds.ts'
import { DAY_MS, utcDay } from '../../lib/days.ts'
import { repeatTurn } from '../traffic/sums.queries.ts'
import { deleteNodeUsageOfDay } from './node-usage.queries.ts'

/** Rows a batch may take before it ends, so that it holds nothing for long. */
const MAX_ROWS = 20_000
/** Days without a row cost next to nothing, yet not nothing. */
const MAX_DAYS = 60

/** For so long a deleted node can be restored with what its users moved through it. */
export const FORGET_AFTER_MS = 7 * DAY_MS

/** The usage of a deleted node goes day by day: over years it is more than a request can wait for. */
export const forgetNodeUsage = jobKind({
  name: 'forgetNodeUsage',
  group: 'deleted nodes',
  payload: z.object({ nodeId: z.number(), firstDay: z.string(), days: z.number() }),
  pausesMs: [1000, 10_000, 60_000, 600_000, 3_600_000],
  mustEnd: true, // nothing else would ever find what is left
  batch: async (_, tx, { payload: { nodeId, firstDay, days }, cursor }) => {
    let [next, rows] = [cursor, 0]
    while (next < days && next - cursor < MAX_DAYS && rows < MAX_ROWS) {
      rows += await deleteNodeUsageOfDay(tx, nodeId, dayAfter(firstDay, next))
      next++
    }
    const isLast = next >= days
    if (isLast) await repeatTurn(tx)
    return { cursor: next, count: next - cursor, isLast }
  },
})

function dayAfter(firstDay: string, days: number): string {
  const at = new Date(Date.parse(firstDay) + days * DAY_MS)
  return utcDay(at.toISOString()) ?? firstDay
}

export const nodesJobs = [forgetNodeUsage]
