import { errors, type HistoryAction } from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import type { Scope } from '../../lib/scope.ts'
import type { Tx } from '../../db/driver/connect.ts'
import { queueForNodes } from '../../ground/delivery.queries.ts'
import { lockUsers } from '../../ground/user-writes.queries.ts'
import { fail } from '../../http/errors.ts'
import type { AuditEntry } from '../audit/audit.actions.ts'
import { watchRows } from '../audit/rows.queries.ts'
import type { UsersChangeKind } from './bulk-users.jobs.ts'
import { listTargets, type Which } from './which.queries.ts'

/** More users than these are changed by a job: in one transaction they would keep the caller and each other waiting. */
export const MAX_AT_ONCE = 10_000

interface AtOnce<Payload> {
  which: Which
  scope: Scope
  action: HistoryAction
  payload: Payload
}

/**
 * Changes users in the caller's transaction. So are changes of resellers, whose bounds are checked at its end: a job would find out
 * later. @throws tooManyUsersAtOnce
 */
export async function changeAtOnce<Payload>(
  ctx: Ctx,
  tx: Tx,
  record: (entry: AuditEntry) => void,
  kind: UsersChangeKind<Payload>,
  { which, scope, action, payload }: AtOnce<Payload>,
): Promise<number> {
  const found = await listTargets(tx, which, scope)
  if (found.length > MAX_AT_ONCE) fail(errors.tooManyUsersAtOnce)
  await lockUsers(tx, found, { withUsage: true })
  // Once more under the locks: a user may have left the scope meanwhile.
  const still = new Set(await listTargets(tx, which, scope))
  const ids = found.filter((id) => still.has(id))
  if (ids.length === 0) return 0
  const rows = await watchRows(tx, kind.thing, ids)
  await queueForNodes(tx, await kind.apply(ctx, tx, ids, payload))
  record({ action, target: `${ids.length} users`, count: ids.length, rows })
  return ids.length
}
