import type { Ctx } from '../../ctx.ts'
import { deleteExpiredSignIns } from './attempts.queries.ts'

const DAY_MS = 86_400_000
// Sessions are kept this long after their end: the address they came from counts as known (attempts.actions.ts).
const SESSIONS_KEPT_DAYS = 30

export async function cleanUpSignIns(ctx: Ctx): Promise<void> {
  const now = ctx.now()
  await deleteExpiredSignIns(ctx.db, new Date(now.getTime() - DAY_MS), new Date(now.getTime() - SESSIONS_KEPT_DAYS * DAY_MS), now)
}
