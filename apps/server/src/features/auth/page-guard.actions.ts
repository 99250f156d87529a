import type { Ctx } from '../../ctx.ts'
import type { PageGuard } from '../../http/page-guard.ts'
import { countAttempt, NO_ACCOUNT, refuseGuessers } from './attempts.actions.ts'
import { authenticatePage } from './sessions.actions.ts'

/** Guards the pages outside the dashboard: job queues and metrics. */
export function pageGuard(ctx: Ctx, key: Uint8Array): PageGuard {
  const { METRICS_USER, METRICS_PASS } = ctx.config
  return {
    basic: METRICS_USER && METRICS_PASS ? { user: METRICS_USER, password: METRICS_PASS } : null,
    realm: 'Causeway',
    authenticatePage: (token, request) => authenticatePage(ctx, key, token, request),
    beforeBasic: ({ address }) => refuseGuessers(ctx, { address, isAtPages: true }),
    afterWrongBasic: ({ address }) => countAttempt(ctx, { address, isAtPages: true }, NO_ACCOUNT),
  }
}
