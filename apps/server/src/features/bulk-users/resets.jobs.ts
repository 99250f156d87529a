import { createHash } from 'node:crypto'
import { z } from 'zod'
import { trafficLimitStrategy } from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { findJob } from '../../jobs/jobs.queries.ts'
import type { RecurringJob } from '../../jobs/kinds.ts'
import { periodStart } from '../../lib/days.ts'
import { resetBatch } from './batches.actions.ts'
import { countUsersOfStrategy, hasReset } from './resets.queries.ts'
import { nextUsersOfStrategy } from './targets.queries.ts'
import { userJob } from './user-batches.actions.ts'

const STRATEGIES = ['DAY', 'WEEK', 'MONTH'] as const

export const resetByStrategy = userJob({
  name: 'resetByStrategy',
  group: 'traffic resets', // they conflict with nothing that administrators ask for, and wait for none of it
  payload: z.object({ strategy: trafficLimitStrategy, since: z.coerce.date(), isSkipped: z.boolean().optional() }),
  batch: async (ctx, tx, { payload }, span) => {
    if (payload.isSkipped) return { ids: [], concerned: [] }
    const ids = await nextUsersOfStrategy(tx, payload.strategy, payload.since, span)
    return { ids, concerned: await resetBatch(ctx, tx, ids) }
  },
})

/**
 * Starts the reset of each strategy once per calendar period, in the server's time zone. A period missed while the server was
 * down is caught up once; the very first period seen is not, as it had begun before.
 */
export async function startTrafficResets(ctx: Ctx): Promise<void> {
  const now = ctx.now()
  for (const strategy of STRATEGIES) {
    const since = periodStart(strategy, now)
    const id = periodId(strategy, since)
    if (!(await findJob(ctx.db, id))) await startReset(ctx, { id, strategy, since })
  }
}

interface Reset {
  id: string
  strategy: (typeof STRATEGIES)[number]
  since: Date
}

async function startReset(ctx: Ctx, { id, strategy, since }: Reset): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const isFirst = !(await hasReset(tx, strategy))
    const total = isFirst ? 0 : await countUsersOfStrategy(tx, strategy)
    await resetByStrategy.start(
      tx,
      { id, total, payload: { strategy, since, ...(isFirst ? { isSkipped: true } : {}) } },
      ctx.now(),
    )
  })
}

/** One id per strategy and period, so that its job cannot be made twice. */
function periodId(strategy: string, since: Date): string {
  const hex = createHash('sha256').update(`reset ${strategy} ${since.toISOString()}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

const recurring: RecurringJob[] = [{ name: 'startTrafficResets', everyMs: 15_000, run: startTrafficResets }]
export const resetsJobs = { kinds: [resetByStrategy.kind], recurring }
