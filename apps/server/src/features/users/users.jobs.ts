import type { HistoryAction } from '@causeway/contract'
import { systemCaller, type Ctx } from '../../ctx.ts'
import { write } from '../audit/audit.actions.ts'
import type { RecurringJob } from '../../jobs/kinds.ts'
import { queueForNodes } from '../../ground/delivery.queries.ts'
import { lockUsers, setStatuses } from '../../ground/user-writes.queries.ts'
import { correctUserCounts, foldUserCounts, listExpired, listExpiredAhead, listOverLimit, listUuids } from './periodic.queries.ts'
import { concernsNodes, statusByItself, statusWhenBack } from '../../ground/user-status.rules.ts'

const BATCH_SIZE = 2000

/**
 * Expires users. Each batch is a transaction of its own with its node deliveries. Users expired by a clock that was
 * ahead become active again once that is set right.
 */
export async function expireUsers(ctx: Ctx): Promise<void> {
  await judge(ctx, 'expireUsers', () => listExpired(ctx.db, ctx.now(), BATCH_SIZE))
  await judge(ctx, 'returnUsers', () => listExpiredAhead(ctx.db, ctx.now(), BATCH_SIZE), statusWhenBack)
}

/** A net under the traffic ledger, which limits users as it books: catches what it did not see, such as a restored database. */
export function limitUsers(ctx: Ctx): Promise<void> {
  return judge(ctx, 'limitUsers', () => listOverLimit(ctx.db, BATCH_SIZE))
}

async function judge(
  ctx: Ctx,
  action: HistoryAction,
  findCandidates: () => Promise<number[]>,
  statusOf = statusByItself,
): Promise<void> {
  let isMore = true
  while (isMore) {
    const ids = await findCandidates()
    const changed = ids.length > 0 ? await settle(ctx, action, ids, statusOf) : 0
    isMore = ids.length === BATCH_SIZE && changed > 0
  }
}

/** Gives each of these users the status that time and traffic have made of it. */
function settle(ctx: Ctx, action: HistoryAction, ids: number[], statusOf: typeof statusByItself): Promise<number> {
  return write(ctx, systemCaller, async (tx, record) => {
    const now = ctx.now()
    // With the usage: a reset that is under way would otherwise be waited for and then judged by what was used before it.
    const users = await lockUsers(tx, ids, { withUsage: true })
    const changes = users
      .map((user) => ({ ...user, before: user.status, status: statusOf(user, now) }))
      .filter((user) => user.status !== user.before)
    await setStatuses(tx, changes, now)
    await queueForNodes(
      tx,
      changes.filter((user) => concernsNodes(user.before, user.status)).map((user) => user.username),
    )
    if (changes.length > 0)
      record({
        action,
        target: `${changes.length} users`,
        count: changes.length,
        name: changes.length === 1 ? (changes[0]?.username ?? null) : null,
        touched: await listUuids(
          tx,
          changes.map((user) => user.id),
        ),
        details: { first: changes.slice(0, 20).map((user) => user.username) },
      })
    return changes.length
  })
}

export function foldCounts(ctx: Ctx): Promise<void> {
  return foldUserCounts(ctx.db)
}

/** Counts are kept by triggers, which a restored backup or a bulk load may have passed by. */
export async function correctCounts(ctx: Ctx): Promise<void> {
  const corrections = await correctUserCounts(ctx.db)
  if (corrections.length > 0) ctx.log.warn({ corrections }, 'corrected kept counts of users')
}

export const usersJobs: RecurringJob[] = [
  { name: 'expireUsers', everyMs: 10_000, run: expireUsers },
  { name: 'limitUsers', everyMs: 30_000, run: limitUsers },
  { name: 'foldUserCounts', everyMs: 10_000, run: foldCounts },
  { name: 'correctUserCounts', everyMs: 600_000, run: correctCounts },
]
