import { z } from 'zod'
import type { Ctx } from '../../ctx.ts'
import { jobKind, type RecurringJob } from '../../jobs/kinds.ts'
import { startJob } from '../../jobs/jobs.queries.ts'
import { closeNext } from './closing-rule.actions.ts'
import { isHeldBack, listOpenNodes } from './closing-rule.queries.ts'

/** A job that failed or was cancelled is followed by the next one no sooner. */
const HELD_BACK_MS = 6 * 3_600_000
const EVERY_MS = 60_000

const restart = z.object({
  nodeId: z.number(),
  name: z.string(),
  state: z.enum(['asked', 'watched']),
  sinceMs: z.number(),
  startsAsked: z.number(),
  usersBefore: z.number(),
  usersBack: z.number(),
  readingBefore: z.number(),
  first: z.object({ coreEpoch: z.string().nullable(), reading: z.number(), downloadBytes: z.number() }).nullable(),
})

/** Each batch is a look, so that whichever server makes the next one finds everything in the database. */
export const deliverClosingRule = jobKind({
  name: 'deliverClosingRule',
  group: 'closing rule',
  payload: z.object({ restart: restart.nullish(), lastLookMs: z.number().optional() }),
  pausesMs: [1000, 5000, 15_000, 60_000],
  batch: (ctx, tx, { payload }) => closeNext(ctx, tx, payload),
})

/** Nodes that a former version of the server has started run without the rule until this finds them. */
export async function findOpenNodes(ctx: Ctx): Promise<void> {
  const now = ctx.now()
  await ctx.db.transaction().execute(async (tx) => {
    const open = await listOpenNodes(tx)
    if (open.length === 0 || (await isHeldBack(tx, deliverClosingRule.name, new Date(now.getTime() - HELD_BACK_MS)))) return
    ctx.log.info({ nodes: open.length }, 'restarting nodes that run without the closing rule, one at a time')
    await startJob(tx, deliverClosingRule, { payload: {}, total: open.length }, now)
  })
}

const recurring: RecurringJob[] = [{ name: 'findOpenNodes', everyMs: EVERY_MS, run: findOpenNodes }]
export const closingRuleJobs = { kinds: [deliverClosingRule], recurring }
