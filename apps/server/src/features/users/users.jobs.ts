import { createHash } from 'node:crypto'
import { systemCaller, type Ctx } from '../../ctx.ts'
import { write } from '../audit/audit.actions.ts'
import { findJob, hasJob, startJob } from '../jobs/jobs.queries.ts'
import { queueForNodes } from '../fleet/delivery.queries.ts'
import { lockUsers, setStatuses } from '../bulk-users/batches.queries.ts'
import { correctUserCounts, countUsersOfStrategy, foldUserCounts, listExpired, listOverLimit } from './periodic.queries.ts'
import { concernsNodes, periodStart, statusByItself } from './users.rules.ts'

const BATCH_SIZE = 2000
const STRATEGIES = ['DAY', 'WEEK', 'MONTH'] as const

/** Users whose time is over. Each batch is a transaction of its own with what nodes are told. */
export function expireUsers(ctx: Ctx): Promise<void> {
  return judge(ctx, 'expireUsers', () => listExpired(ctx.db, ctx.now(), BATCH_SIZE))
}

/** A net under the traffic ledger, which limits users as it books: catches what it did not see, such as a restored database. */
export function limitUsers(ctx: Ctx): Promise<void> {
  return judge(ctx, 'limitUsers', () => listOverLimit(ctx.db, BATCH_SIZE))
}

async function judge(ctx: Ctx, action: string, findCandidates: () => Promise<number[]>): Promise<void> {
  let isMore = true
  while (isMore) {
    const ids = await findCandidates()
    const changed = ids.length > 0 ? await settle(ctx, action, ids) : 0
    isMore = ids.length === BATCH_SIZE && changed > 0
  }
}

/** Gives each of these users the status that time and traffic have made of it. */
function settle(ctx: Ctx, action: string, ids: number[]): Promise<number> {
  return write(ctx, systemCaller, async (tx, record) => {
    const now = ctx.now()
    // With the usage: a reset that is under way would otherwise be waited for and then judged by what was used before it.
    const users = await lockUsers(tx, ids, { withUsage: true })
    const changes = users
      .map((user) => ({ ...user, before: user.status, status: statusByItself(user, now) }))
      .filter((user) => user.status !== user.before)
    await setStatuses(tx, changes, now)
    await queueForNodes(
      tx,
      changes.filter((user) => concernsNodes(user.before, user.status)).map((user) => user.username),
    )
    if (changes.length > 0)
      record({ action, target: `${changes.length} users`, details: { first: changes.slice(0, 20).map((user) => user.username) } })
    return changes.length
  })
}

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

async function startReset(ctx: Ctx, { id, strategy, since }: { id: string; strategy: string; since: Date }): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const isFirst = !(await hasJob(tx, 'resetByStrategy', strategy))
    const total = isFirst ? 0 : await countUsersOfStrategy(tx, strategy)
    const payload = { strategy, since: since.toISOString(), ...(isFirst ? { isSkipped: true } : {}) }
    await startJob(tx, { kind: 'resetByStrategy', payload, total, id }, ctx.now())
  })
}

/** One id per strategy and period, so that its job cannot be made twice. */
function periodId(strategy: string, since: Date): string {
  const hex = createHash('sha256').update(`reset ${strategy} ${since.toISOString()}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

export function foldCounts(ctx: Ctx): Promise<void> {
  return foldUserCounts(ctx.db)
}

/** Counts are kept by triggers, which a restored backup or a bulk load may have passed by. */
export async function correctCounts(ctx: Ctx): Promise<void> {
  const corrections = await correctUserCounts(ctx.db)
  if (corrections.length > 0) ctx.log.warn({ corrections }, 'the kept numbers of users were off and have been corrected')
}
