import { NODE_USERS_PERIODS } from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { holdTimeZone } from '../../ground/installation.queries.ts'
import { DAY_MS, dayIn } from '../../lib/days.ts'
import {
  deleteUserDaysBefore,
  findLastUserDay,
  gatherUserSums,
  keepTopUsers,
  keepUserDays,
  listUncountedNodes,
} from './top-users.queries.ts'
import { dayBefore, lastWholeDay, topUsersOf } from './top-users.rules.ts'

/** Computes the top users of each node, once for each finished day, one node after the other. */
export async function countTopUsers(ctx: Ctx): Promise<void> {
  const zone = await holdTimeZone(ctx.db)
  const through = lastWholeDay(zone, ctx.now())
  for (const nodeId of await listUncountedNodes(ctx.db, through)) await countNode(ctx, nodeId, through)
  const oldest = new Date(ctx.now().getTime() - ctx.config.USAGE_RETENTION_DAYS * DAY_MS)
  await deleteUserDaysBefore(ctx.db, dayIn(zone, oldest))
}

/** A period of seven days has six whole ones; the running one is added at each read. */
function countNode(ctx: Ctx, nodeId: number, through: string): Promise<void> {
  const periods = NODE_USERS_PERIODS.map((days) => ({ days, from: dayBefore(through, days - 2) }))
  const from = periods.at(-1)?.from ?? through
  return ctx.db.transaction().execute(async (tx) => {
    await gatherUserSums(tx, { nodeId, from, to: through }, periods)
    const counted = await findLastUserDay(tx, nodeId)
    await keepUserDays(tx, { nodeId, from: counted === undefined || counted < from ? from : dayBefore(counted, -1), to: through })
    for (const { days } of periods) await keepTopUsers(tx, nodeId, days, through, topUsersOf(days).candidates)
  })
}
