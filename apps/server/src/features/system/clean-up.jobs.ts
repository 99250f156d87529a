import { sql } from 'kysely'
import type { Ctx } from '../../ctx.ts'

const DAY_MS = 86_400_000
/** Attempts throttle sign-in over minutes; a day leaves something to look at. */
const ATTEMPTS_KEPT_MS = DAY_MS
const SESSIONS_KEPT_MS = DAY_MS
const JOBS_KEPT_MS = 30 * DAY_MS

/** Deletes what no longer decides anything: sign-in attempts, ended sessions and OAuth2 states, finished jobs. */
export async function cleanUp(ctx: Ctx): Promise<void> {
  const before = (ms: number) => new Date(ctx.now().getTime() - ms)
  await ctx.db.deleteFrom('signInAttempts').where('at', '<', before(ATTEMPTS_KEPT_MS)).execute()
  await ctx.db.deleteFrom('sessions').where('expiresAt', '<', before(SESSIONS_KEPT_MS)).execute()
  await ctx.db.deleteFrom('oauth2States').where('expiresAt', '<', ctx.now()).execute()
  // The newest reset of each strategy stays: it says that its period has been dealt with.
  await sql`
    delete from "jobs" where "finishedAt" < ${before(JOBS_KEPT_MS)} and "id" not in (
      select distinct on ("payload"->>'strategy') "id" from "jobs" where "kind" = 'resetByStrategy'
      order by "payload"->>'strategy', "createdAt" desc
    )
  `.execute(ctx.db)
}
