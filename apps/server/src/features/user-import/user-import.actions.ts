import { errors, MOST_IMPORTED, type importUsers, type Input } from '@causeway/contract'
import type { Caller, Ctx } from '../../ctx.ts'
import type { Db } from '../../db/driver/connect.ts'
import { fail, refuseField } from '../../http/errors.ts'
import { write } from '../audit/audit.actions.ts'
import { countOutcomes, planImport, readImport } from './import.rules.ts'
import { worldOf } from './import-batch.actions.ts'
import { importUsersJob } from './user-import.jobs.ts'

/** The effect that each line of the file would have now. */
export async function planOfImport(db: Db, csv: string) {
  const { columns, ignored, planned } = await planFile(db, csv)
  return { columns, ignored, counts: countOutcomes(planned), lines: planned.map(({ told }) => told) }
}

/** Plans the job that creates and updates. @throws listChanged where the file does something else now than was seen */
export function startImport(ctx: Ctx, caller: Caller, { csv, expected }: Input<typeof importUsers>) {
  return write(ctx, caller, async (tx, record) => {
    const { lines, planned } = await planFile(tx, csv)
    const counts = countOutcomes(planned)
    if (expected && JSON.stringify(sorted(expected)) !== JSON.stringify(sorted(counts))) fail(errors.listChanged)
    const wanted = lines.filter((_, index) => ['create', 'update'].includes(planned[index]?.told.outcome ?? ''))
    if (wanted.length === 0) return { affectedRows: 0 }
    const jobId = await importUsersJob.start(tx, wanted, ctx.now())
    const details = { first: wanted.slice(0, 20).flatMap(({ cells }) => cells.username ?? []), jobId }
    record({ action: 'importUsers', target: `${wanted.length} users`, count: wanted.length, details })
    return { affectedRows: wanted.length, jobId }
  })
}

function sorted(counts: Record<string, number>): [string, number][] {
  return Object.entries(counts).toSorted(([one], [other]) => (one < other ? -1 : 1))
}

async function planFile(db: Db, csv: string) {
  const read = readImport(csv)
  if (!read.columns.includes('username')) refuseField('csv', 'needs a head with the column username')
  if (read.lines.length > MOST_IMPORTED) refuseField('csv', `must have at most ${MOST_IMPORTED} lines`)
  return { ...read, planned: planImport(read.lines, await worldOf(db, read.lines)) }
}
