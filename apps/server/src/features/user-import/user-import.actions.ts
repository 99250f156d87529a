import { errors, MOST_IMPORTED, type importUsers, type Input } from '@causeway/contract'
import type { Caller, Ctx } from '../../ctx.ts'
import type { Db } from '../../db/driver/connect.ts'
import { MAX_SINGLE_DELIVERIES, queueAllForNodes, queueForNodes } from '../../ground/delivery.queries.ts'
import { everyone, type Scope } from '../../lib/scope.ts'
import { fail, refuseField } from '../../http/errors.ts'
import { write } from '../audit/audit.actions.ts'
import { countOutcomes, planImport, readImport } from './import.rules.ts'
import { importBatch, worldOf } from './import-batch.actions.ts'
import { importUsersJob } from './user-import.jobs.ts'

/** The effect that each line of the file would have now. */
export async function planOfImport(db: Db, { scope }: Caller, csv: string) {
  const { columns, ignored, planned } = await planFile(db, scope, csv)
  return { columns, ignored, counts: countOutcomes(planned), lines: planned.map(({ told }) => told) }
}

/** Plans the job that creates and updates; a reseller's import is done at once. @throws listChanged where the file does something else now than was seen */
export function startImport(ctx: Ctx, caller: Caller, { csv, expected }: Input<typeof importUsers>) {
  return write(ctx, caller, async (tx, record) => {
    const { lines, planned } = await planFile(tx, caller.scope, csv)
    const counts = countOutcomes(planned)
    if (expected && JSON.stringify(sorted(expected)) !== JSON.stringify(sorted(counts))) fail(errors.listChanged)
    const wanted = lines.filter((_, index) => ['create', 'update'].includes(planned[index]?.told.outcome ?? ''))
    if (wanted.length === 0) return { affectedRows: 0 }
    if (caller.scope !== everyone) {
      // Bounds are checked at the end of a change: a job would find out later.
      const { concerned, refused } = await importBatch(ctx, tx, wanted, { scope: caller.scope, record })
      await (concerned.length > MAX_SINGLE_DELIVERIES ? queueAllForNodes(tx) : queueForNodes(tx, concerned))
      return { affectedRows: wanted.length - refused.length }
    }
    const jobId = await importUsersJob.start(tx, wanted, ctx.now())
    const details = { first: wanted.slice(0, 20).flatMap(({ cells }) => cells.username ?? []), jobId }
    record({ action: 'importUsers', target: `${wanted.length} users`, count: wanted.length, details })
    return { affectedRows: wanted.length, jobId }
  })
}

function sorted(counts: Record<string, number>): [string, number][] {
  return Object.entries(counts).toSorted(([one], [other]) => (one < other ? -1 : 1))
}

async function planFile(db: Db, scope: Scope, csv: string) {
  const read = readImport(csv)
  if (!read.columns.includes('username')) refuseField('csv', 'needs a head with the column username')
  if (read.lines.length > MOST_IMPORTED) refuseField('csv', `must have at most ${MOST_IMPORTED} lines`)
  return { ...read, planned: planImport(read.lines, await worldOf(db, scope, read.lines)) }
}
