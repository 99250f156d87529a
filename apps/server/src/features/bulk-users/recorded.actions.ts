import type { HistoryAction } from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import type { AuditedThing } from '../../db/audited.ts'
import type { Tx } from '../../db/driver/connect.ts'
import { lockUsers } from '../../ground/user-writes.queries.ts'
import { recordForJob } from '../audit/audit.actions.ts'
import { watchRows } from '../audit/rows.queries.ts'

/** A change to more users is recorded by its rule and number alone (docs/decisions/017). */
const MAX_RECORDED = 10_000

interface Recorded {
  action: HistoryAction
  thing: AuditedThing
  ids: number[]
}

/** Does a batch and records the rows it changes, so that it can be taken back. */
export async function recorded<T>(
  ctx: Ctx,
  tx: Tx,
  { id, total }: { id: string; total: number },
  { action, thing, ids }: Recorded,
  work: () => Promise<T>,
): Promise<T> {
  if (total > MAX_RECORDED || ids.length === 0) return work()
  await lockUsers(tx, ids, { withUsage: true })
  const rows = await watchRows(tx, thing, ids)
  const done = await work()
  await recordForJob(ctx, tx, { action, target: `${ids.length} users`, rows, details: { jobId: id } })
  return done
}
