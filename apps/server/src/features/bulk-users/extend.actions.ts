import type { Caller, Ctx } from '../../ctx.ts'
import { holdTimeZone } from '../../ground/installation.queries.ts'
import { write } from '../audit/audit.actions.ts'
import { extendUsers } from './bulk-users.jobs.ts'
import { idsOf, previewExpiry, type Which } from './extend.queries.ts'
import type { Extension } from './extend.rules.ts'
import { insertTargetsFound } from './targets.queries.ts'

/** One job for all targets; filters are resolved now. An empty selection makes no job. */
export function startExtension(ctx: Ctx, caller: Caller, which: Which, by: Omit<Extension, 'timeZone'>) {
  return write(ctx, caller, async (tx, record) => {
    const now = ctx.now()
    const { users: total } = await previewExpiry(tx, which, now, undefined)
    const payload = { ...by, timeZone: await holdTimeZone(tx), from: now, isForAll: which === 'all' }
    const jobId = total === 0 ? undefined : await extendUsers.start(tx, { payload, total }, now)
    if (jobId !== undefined && which !== 'all') await insertTargetsFound(tx, jobId, idsOf(which))
    record({ action: 'extendUsers', target: `${total} users`, details: { ...by, jobId } })
    return { affectedRows: total, ...(jobId ? { jobId } : {}) }
  })
}
