import { z } from 'zod'
import { trafficLimitStrategy } from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { jobIdOf } from '../../jobs/job-id.ts'
import type { RecurringJob } from '../../jobs/kinds.ts'
import { holdTimeZone } from '../../ground/installation.queries.ts'
import { dayIn, periodAround } from '../../lib/days.ts'
import { FUTURE_MS } from '../clock/clock.rules.ts'
import { resetBatch } from './batches.actions.ts'
import { countUsersOfStrategy, findNewestReset } from './resets.queries.ts'
import { nextUsersOfStrategy } from './targets.queries.ts'
import { userJob } from './user-batches.actions.ts'

const STRATEGIES = ['DAY', 'WEEK', 'MONTH'] as const

export const resetByStrategy = userJob({
  name: 'resetByStrategy',
  group: 'traffic resets', // they conflict with nothing that administrators ask for, and wait for none of it
  payload: z.object({
    strategy: trafficLimitStrategy,
    since: z.coerce.date(),
    day: z.string().optional(), // of the first day; those before the zone was a setting have none
    isSkipped: z.boolean().optional(),
  }),
  batch: async (ctx, tx, { payload }, span) => {
    // A period that begins later was asked for by a clock that has been set back since.
    const isAhead = payload.since.getTime() > ctx.now().getTime() + FUTURE_MS
    if (payload.isSkipped || isAhead) return { ids: [], concerned: [] }
    const ids = await nextUsersOfStrategy(tx, payload.strategy, payload.since, span)
    return { ids, concerned: await resetBatch(ctx, tx, ids) }
  },
})

/**
 * Starts the reset of each strategy once per calendar period, in the time zone of the installation. A period missed while the
 * server was down is caught up once; the very first period seen is not, as it had begun before. What tells periods apart is
 * the name of their first day: a day that began in one zone does not begin again in another (docs/decisions/030).
 */
export async function startTrafficResets(ctx: Ctx): Promise<void> {
  const now = ctx.now()
  const zone = await holdTimeZone(ctx.db)
  for (const strategy of STRATEGIES) {
    const { day, since } = periodAround(zone, strategy, now)
    const newest = await findNewestReset(ctx.db, strategy, new Date(now.getTime() + FUTURE_MS))
    const last = newest && (newest.day ?? dayIn(zone, new Date(newest.since)))
    if (last === undefined || last < day) await startReset(ctx, { strategy, day, since, isFirst: last === undefined })
  }
}

interface Reset {
  strategy: (typeof STRATEGIES)[number]
  day: string
  since: Date
  isFirst: boolean
}

async function startReset(ctx: Ctx, { strategy, day, since, isFirst }: Reset): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const total = isFirst ? 0 : await countUsersOfStrategy(tx, strategy)
    const payload = { strategy, since, day, ...(isFirst ? { isSkipped: true } : {}) }
    await resetByStrategy.start(tx, { id: jobIdOf(`reset ${strategy} ${day}`), total, payload }, ctx.now())
  })
}

const recurring: RecurringJob[] = [{ name: 'startTrafficResets', everyMs: 15_000, run: startTrafficResets }]
export const resetsJobs = { kinds: [resetByStrategy.kind], recurring }
