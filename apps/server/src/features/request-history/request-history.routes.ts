import * as api from '@causeway/contract'
import { errors } from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { fail } from '../../http/errors.ts'
import { on, type Route } from '../../http/mount.ts'
import { findUser } from '../users/users.queries.ts'
import { countRequestsByApp, countRequestsByHour, listRequests, listRequestsOfUser } from './request-history.queries.ts'

const DEFAULT_SIZE = 25
const STATS_MS = 2 * 86_400_000

export function requestHistoryRoutes(ctx: Ctx): Route[] {
  return [
    on(api.listSubscriptionRequests, ({ start = 0, size = DEFAULT_SIZE }) =>
      listRequests(ctx.db, { start: Number(start), size: Number(size) }),
    ),
    on(api.getSubscriptionRequestStats, async () => ({
      byParsedApp: await countRequestsByApp(ctx.db),
      hourlyRequestStats: await countRequestsByHour(ctx.db, new Date(ctx.now().getTime() - STATS_MS)),
    })),
    on(api.listUserSubscriptionRequests, async ({ uuid }) => {
      if (!(await findUser(ctx.db, uuid))) fail(errors.userNotFound)
      return listRequestsOfUser(ctx.db, uuid)
    }),
  ]
}
