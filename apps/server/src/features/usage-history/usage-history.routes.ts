import * as api from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { on, type Route } from '../../http/mount.ts'
import { readUsageHistory } from './usage-history.actions.ts'

export function usageHistoryRoutes(ctx: Ctx): Route[] {
  return [on(api.getUsageHistory, (asked) => readUsageHistory(ctx, asked))]
}
