import type { Caller, Ctx } from '../../ctx.ts'
import type { PageGuard } from '../../http/page-guard.ts'
import { countAttempt, NO_ACCOUNT, refuseGuessers } from './attempts.actions.ts'
import { authenticatePage } from './sessions.actions.ts'

/** A scraper with a wrong password must not lock the administrators behind its address out, nor the other way round. */
function apart(caller: Caller): Caller {
  return { ...caller, address: `pages of ${caller.address ?? 'unknown'}` }
}

/** Guards the pages outside the dashboard: job queues and metrics. */
export function pageGuard(ctx: Ctx, key: Uint8Array): PageGuard {
  const { METRICS_USER, METRICS_PASS } = ctx.config
  return {
    basic: METRICS_USER && METRICS_PASS ? { user: METRICS_USER, password: METRICS_PASS } : null,
    realm: 'Causeway',
    authenticatePage: (token, request) => authenticatePage(ctx, key, token, request),
    beforeBasic: (caller) => refuseGuessers(ctx, apart(caller)),
    afterWrongBasic: (caller) => countAttempt(ctx, apart(caller), NO_ACCOUNT),
  }
}
