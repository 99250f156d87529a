import type { Ctx } from '../../ctx.ts'
import { deleteFinishedJobs } from './jobs.queries.ts'

const KEPT_MS = 30 * 86_400_000

/** Forgets jobs that nobody will ask about any more. */
export async function cleanUpJobs(ctx: Ctx): Promise<void> {
  await deleteFinishedJobs(ctx.db, new Date(ctx.now().getTime() - KEPT_MS))
}
