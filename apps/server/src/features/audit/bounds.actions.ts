import { errors } from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import type { ResellerScope } from '../../lib/scope.ts'
import type { Tx } from '../../db/driver/connect.ts'
import { hasForeign, lockScope, measurePromised } from '../../ground/scope/scope.queries.ts'
import { brokenBound } from '../../ground/scope/scope.rules.ts'
import { fail } from '../../http/errors.ts'

/**
 * Runs a change of a reseller under the lock of its row, so that its changes come one after the other, however many are asked for
 * at once. It is rolled back where it promises more than was agreed, or touches a user that is not of the scope afterwards.
 * @param touched the users that it changed
 */
export async function bounded<T>(
  ctx: Pick<Ctx, 'now'>,
  tx: Tx,
  given: ResellerScope,
  change: () => Promise<T>,
  touched: () => number[] = () => [],
): Promise<T> {
  const scope = await lockScope(tx, given)
  const isBound = scope.maxUsers !== null || scope.maxBytes !== null || scope.maxDays !== null
  const now = ctx.now()
  const before = isBound ? await measurePromised(tx, scope, now) : undefined
  const result = await change()
  const ids = touched()
  if (ids.length > 0 && (await hasForeign(tx, scope, ids))) fail(errors.userWithoutSquad)
  const broken = before && brokenBound(scope, before, await measurePromised(tx, scope, now))
  if (broken) fail(errors.resellerBound, { message: broken })
  return result
}
