import { systemCaller, type Ctx } from '../../ctx.ts'
import { holdTimeZone } from '../../ground/installation.queries.ts'
import type { RecurringJob } from '../../jobs/kinds.ts'
import { write } from '../audit/audit.actions.ts'
import { FUTURE_MS } from '../clock/clock.rules.ts'
import { listTrackedNodes, resetNodeTraffic, setTrafficNotified } from './node-traffic.queries.ts'
import { isTrafficToldOf, resetDue } from './nodes.rules.ts'

const aheadOf = (now: Date) => new Date(now.getTime() + FUTURE_MS)

/** Counts the traffic of nodes from zero on their day of the month, at one in the morning. */
export function resetNodesTraffic(ctx: Ctx): Promise<void> {
  return write(ctx, systemCaller, async (tx, record) => {
    const [zone, now] = [await holdTimeZone(tx), ctx.now()]
    const due = (await listTrackedNodes(tx, aheadOf(now))).flatMap((node) => {
      const day = resetDue(node, now, zone)
      return day === undefined ? [] : [{ id: node.id, name: node.name, day }]
    })
    await resetNodeTraffic(tx, due, now)
    const first = due.slice(0, 20).map((node) => node.name)
    if (due.length > 0) record({ action: 'resetNodesTraffic', target: `${due.length} nodes`, details: { first } })
  })
}

/** Tells once when a node has used the share of its traffic that its administrator set. */
export function reviewNodesTraffic(ctx: Ctx): Promise<void> {
  return ctx.db.transaction().execute(async (tx) => {
    for (const node of await listTrackedNodes(tx, aheadOf(ctx.now()))) {
      const isOver = isTrafficToldOf(node)
      if (isOver === (node.trafficNotifiedAt !== null)) continue
      await setTrafficNotified(tx, node.id, isOver ? ctx.now() : null)
      const { name, trafficUsedBytes, trafficLimitBytes, notifyPercent } = node
      if (isOver)
        ctx.log.warn({ node: name, trafficUsedBytes, trafficLimitBytes, notifyPercent }, 'node passed its traffic threshold')
    }
  })
}

export const nodeTrafficJobs: RecurringJob[] = [
  { name: 'resetNodesTraffic', everyMs: 60_000, run: resetNodesTraffic },
  { name: 'reviewNodesTraffic', everyMs: 300_000, run: reviewNodesTraffic },
]
