import { systemCaller, type Ctx } from '../../ctx.ts'
import type { RecurringJob } from '../../jobs/kinds.ts'
import { write } from '../audit/audit.actions.ts'
import { enableHosts, hasHostsDue, lockHostsDue } from './hosts.queries.ts'

const EVERY_MS = 10_000

/** Enables hosts that were disabled until a time that has come. */
export async function returnHosts(ctx: Ctx): Promise<void> {
  if (!(await hasHostsDue(ctx.db, ctx.now()))) return
  await write(ctx, systemCaller, async (tx, record) => {
    const due = await lockHostsDue(tx, ctx.now())
    if (due.length === 0) return
    await enableHosts(
      tx,
      due.map(({ id }) => id),
    )
    record({
      action: 'returnHosts',
      target: `${due.length} hosts`,
      count: due.length,
      name: due.length === 1 ? (due[0]?.remark ?? null) : null,
      details: { first: due.slice(0, 20).map(({ remark }) => remark) },
    })
  })
}

export const hostsJobs: RecurringJob[] = [{ name: 'returnHosts', everyMs: EVERY_MS, run: returnHosts }]
