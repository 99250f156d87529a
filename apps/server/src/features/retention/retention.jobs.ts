import { PHASES_KEPT_DAYS } from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import type { RecurringJob } from '../../jobs/kinds.ts'
import { DAY_MS } from '../../lib/days.ts'
import { mendAhead, reviewClock } from '../clock/clock.actions.ts'
import { QUARTERS_KEPT_DAYS } from '../usage/usage.rules.ts'
import { deleteOldRevisions } from '../revisions/revisions.queries.ts'
import { deleteOldRollouts } from '../rollouts/rollouts.queries.ts'
import { deleteFinishedJobs, deleteOlder, deleteOldPhases, type Ageing } from './retention.queries.ts'

/** Rows deleted at a time, so that no transaction waits for a table that was not cleaned for a year. */
const BATCH_SIZE = 5000
/** Hourly figures are shown for thirty days. */
const ONLINE_KEPT_DAYS = 35
/** Reports hold addresses of users. */
const TORRENTS_KEPT_DAYS = 30

/** Deletes old rows of growing tables, while the clock is believed. Interrupted at any point, the next run continues. */
export async function forgetByAge(ctx: Ctx): Promise<void> {
  if (!(await reviewClock(ctx))) return
  // A jump of seconds may have passed between two looks at the clock.
  await ctx.db.transaction().execute((tx) => mendAhead(tx, ctx.now()))
  const before = (days: number) => new Date(ctx.now().getTime() - days * DAY_MS)
  const { AUDIT_RETENTION_DAYS, TRAFFIC_RESET_RETENTION_DAYS, METRICS_RETENTION_DAYS, JOB_RETENTION_DAYS } = ctx.config
  await forgetOlder(ctx, 'auditLog', before(AUDIT_RETENTION_DAYS))
  await forgetOlder(ctx, 'userTrafficResets', before(TRAFFIC_RESET_RETENTION_DAYS))
  await forgetOlder(ctx, 'nodeTrafficResets', before(TRAFFIC_RESET_RETENTION_DAYS))
  await forgetOlder(ctx, 'nodeUsageQuarters', before(Math.min(METRICS_RETENTION_DAYS, QUARTERS_KEPT_DAYS)))
  await forgetOlder(ctx, 'nodeUsageDays', before(METRICS_RETENTION_DAYS))
  await forgetOlder(ctx, 'onlineQuarters', before(ONLINE_KEPT_DAYS))
  await forgetOlder(ctx, 'torrentReports', before(TORRENTS_KEPT_DAYS))
  await forgetOlder(ctx, 'idempotencyKeys', before(1))
  await inBatches(() => deleteOldPhases(ctx.db, before(PHASES_KEPT_DAYS), BATCH_SIZE))
  await deleteOldRevisions(ctx.db, before(ctx.config.REVISION_RETENTION_DAYS), ctx.config.REVISIONS_KEPT)
  await deleteOldRollouts(ctx.db, before(ctx.config.REVISION_RETENTION_DAYS), ctx.config.REVISIONS_KEPT)
  await deleteFinishedJobs(ctx.db, before(JOB_RETENTION_DAYS))
}

async function forgetOlder(ctx: Ctx, table: Ageing, before: Date): Promise<void> {
  await inBatches(() => deleteOlder(ctx.db, table, before, BATCH_SIZE))
}

async function inBatches(deleteSome: () => Promise<number>): Promise<void> {
  for (let found = BATCH_SIZE; found === BATCH_SIZE;) found = await deleteSome()
}

export const retentionJobs: RecurringJob[] = [{ name: 'forgetByAge', everyMs: 3_600_000, run: forgetByAge }]
