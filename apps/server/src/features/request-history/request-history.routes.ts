import * as api from '@causeway/contract'
import { errors } from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { fail, refuseField } from '../../http/errors.ts'
import { on, type Route } from '../../http/mount.ts'
import { findUser } from '../users/users.queries.ts'
import { toTableView, type ColumnKind } from '../search/table-view.rules.ts'
import {
  countRequestsByApp,
  countRequestsByHour,
  listRequests,
  listRequestsOfUser,
  type RequestColumn,
} from './request-history.queries.ts'

const REQUEST_COLUMNS = {
  id: 'number',
  userUuid: 'uuid',
  requestIp: 'text',
  userAgent: 'text',
  requestAt: 'instant',
  srrRuleName: 'text',
  srrResponseType: 'text',
} as const satisfies Record<RequestColumn, ColumnKind>
const STATS_MS = 2 * 86_400_000

export function requestHistoryRoutes(ctx: Ctx): Route[] {
  return [
    on(api.listSubscriptionRequests, (query) => {
      const view = toTableView(query, REQUEST_COLUMNS)
      return 'refusal' in view ? refuseField(view.refusal.path, view.refusal.message) : listRequests(ctx.db, view)
    }),
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
