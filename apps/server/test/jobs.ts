import type { Ctx } from '../src/ctx.ts'
import { registered } from '../src/schedule.ts'
import { listHeads } from '../src/jobs/jobs.queries.ts'
import { kindNames } from '../src/jobs/kinds.ts'
import { workOn } from '../src/jobs/run.ts'

// What the runner does, one step at a time. What recurs is not due here: nothing has planned it.

/** The next batch of the first job that is due; false when none is. */
export async function runBatch(ctx: Ctx): Promise<boolean> {
  const head = (await listHeads(ctx.db, kindNames(registered))).find(({ dueAt }) => dueAt <= ctx.now())
  if (head) await workOn(ctx, registered, head.id)
  return head !== undefined
}

/** With those that wait for days in which an undo may call them off. */
export async function runAllJobs(ctx: Ctx): Promise<void> {
  await ctx.db.updateTable('jobs').set({ dueAt: ctx.now() }).where('kind', '=', 'forgetNodeUsage').execute()
  await runJobs(ctx)
}

export async function runJobs(ctx: Ctx): Promise<void> {
  for (let isOpen = true; isOpen;) isOpen = await runBatch(ctx)
}
