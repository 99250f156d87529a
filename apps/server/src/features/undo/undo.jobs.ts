import { z } from 'zod'
import { systemCaller } from '../../ctx.ts'
import type { Tx } from '../../db/driver/connect.ts'
import { startJob } from '../../jobs/jobs.queries.ts'
import { jobKind } from '../../jobs/kinds.ts'
import { kindOf } from '../history/entries.actions.ts'
import { recordUndo } from './record.actions.ts'
import { undoRows } from './rows.actions.ts'
import { findNextPart, lockEntries, markNotUndone, noteStop, rollBackTo, setSavepoint } from './undo.queries.ts'

const PAUSES_MS = [1000, 10_000, 60_000]

const payload = z.object({
  /** Jobs whose batches are undone, the newest first, or entries one by one in this order. */
  jobIds: z.array(z.string()),
  entries: z.array(z.number()),
  overwrite: z.union([z.literal('all'), z.array(z.string())]),
  names: z.array(z.object({ id: z.string(), value: z.string() })),
  /** Ends before the first entry with a conflict; else conflicts are left as they are. */
  stops: z.boolean(),
})
type Payload = z.output<typeof payload>

/** Each batch undoes one entry together with the mark that it is undone, so that none is undone twice. */
export const undoEntries = jobKind<Payload>({
  name: 'undoEntries',
  group: 'users', // it undoes what jobs of this group have done, and must not overtake them
  payload,
  pausesMs: PAUSES_MS,
  batch: async (ctx, tx, job) => {
    const { jobIds, entries, overwrite, names, stops } = job.payload
    const { cursor } = job
    const id = jobIds.length > 0 ? await findNextPart(tx, jobIds) : entries[cursor]
    if (id === undefined) return { cursor, count: 0, isLast: true }
    const next = { cursor: cursor + 1, isLast: jobIds.length === 0 && cursor + 1 >= entries.length }
    const [held] = await lockEntries(tx, [id])
    const kind = kindOf(held?.kind ?? null)
    if (!held || !kind || held.undoneBy !== null) return { ...next, count: jobIds.length > 0 ? 0 : 1 }
    await setSavepoint(tx)
    const undone = await undoRows(ctx, systemCaller, tx, held, {
      overwrite: overwrite === 'all' ? 'all' : new Set(overwrite),
      names: new Map(names.map((name) => [name.id, name.value])),
      onTaken: 'leave',
    })
    if (stops && (undone.conflicts.length > 0 || undone.taken.length > 0)) {
      await rollBackTo(tx)
      await noteStop(tx, job.id, id)
      return { cursor, count: 0, isLast: true, failure: `It stopped at entry ${id}, whose things were changed since.` }
    }
    await recordUndo(ctx, tx, systemCaller, { ...held, kind }, undone, { jobId: job.id })
    return { ...next, count: jobIds.length > 0 ? held.count : 1 }
  },
  // What is left can be undone by another undo.
  whenOver: async (_, tx, job, outcome) => {
    if (outcome !== 'done') await markNotUndone(tx, job.id, job.done)
  },
})

export const undoJobs = [undoEntries]

export function startUndo(tx: Tx, work: Payload, total: number, now: Date): Promise<string> {
  return startJob(tx, undoEntries, { payload: work, total }, now).then((id) => {
    if (id === undefined) throw new Error('A job without an id of its own is always made.')
    return id
  })
}
