import { errors } from '@causeway/contract'
import type { Caller, Ctx } from '../../ctx.ts'
import { everyone } from '../../lib/scope.ts'
import { fail } from '../../http/errors.ts'
import { queueForNodes } from '../../ground/delivery.queries.ts'
import { watchRows } from '../audit/rows.queries.ts'
import { findUser, lockUser } from '../users/users.queries.ts'
import { changeAtOnce } from './at-once.actions.ts'
import { extendBatch } from './batches.actions.ts'
import { holdTimeZone } from '../../ground/installation.queries.ts'
import { write } from '../audit/audit.actions.ts'
import { extendUsers } from './bulk-users.jobs.ts'
import type { Target } from './change.actions.ts'
import { previewExpiry } from './extend.queries.ts'
import type { Extension } from './extend.rules.ts'
import { insertTargetsFound } from './targets.queries.ts'
import { idsOf } from './which.queries.ts'

/** One job for all targets; filters are resolved now. An empty selection makes no job. */
export function startExtension(ctx: Ctx, caller: Caller, { which, expected }: Target, by: Omit<Extension, 'timeZone'>) {
  const { scope } = caller
  return write(ctx, caller, async (tx, record) => {
    const now = ctx.now()
    const { users: total } = await previewExpiry(tx, which, scope, now, undefined)
    if (expected !== undefined && total !== expected) fail(errors.listChanged)
    const payload = { ...by, timeZone: await holdTimeZone(tx), from: now, isForAll: which === 'all' }
    if (scope !== everyone)
      return { affectedRows: await changeAtOnce(ctx, tx, record, extendUsers, { which, scope, action: 'extendUsers', payload }) }
    const jobId = total === 0 ? undefined : await extendUsers.start(tx, { payload, total }, now)
    const found = jobId !== undefined && which !== 'all' ? await insertTargetsFound(tx, jobId, idsOf(which, scope)) : total
    if (found !== total) fail(errors.listChanged)
    record({ action: 'extendUsers', target: `${total} users`, count: total, details: { ...by, jobId } })
    return { affectedRows: total, ...(jobId ? { jobId } : {}) }
  })
}

/** One user at once, as the job does it with many. @throws userNotFound */
export function extendOne(ctx: Ctx, caller: Caller, uuid: string, days: number) {
  return write(ctx, caller, async (tx, record) => {
    const { id } = (await lockUser(tx, uuid)) ?? fail(errors.userNotFound)
    const rows = await watchRows(tx, 'user', [id])
    const by = { months: 0, days, timeZone: await holdTimeZone(tx), from: ctx.now() }
    await queueForNodes(tx, await extendBatch(ctx, tx, [id], by))
    record({ action: 'extendUser', target: uuid, rows })
    return (await findUser(tx, uuid)) ?? fail(errors.userNotFound)
  })
}
