import { z } from 'zod'
import { jobKind } from '../../jobs/kinds.ts'

/** Progress in percent: how much there is to copy is known once it has begun. */
export const BACKUP_TOTAL = 100
/** The last percent is for the database that is started on the copy. */
const COPIED = 99
const LOOK_MS = 500

/** Follows a process that makes a backup. One whose server was killed has ended with it, and is made anew. */
export const makeBackup = jobKind({
  name: 'makeBackup',
  group: 'backups',
  payload: z.object({}),
  pausesMs: [1000, 5000],
  batch: async (ctx, _tx, { id, done }) => {
    const run = ctx.backups.find(id)
    if (!run) ctx.backups.begin(id)
    const { copiedBytes = 0, allBytes = 0, isMade = false, failure } = run ?? {}
    if (!isMade && failure === undefined) {
      const percent = allBytes === 0 ? 0 : Math.min(COPIED, Math.floor((COPIED * copiedBytes) / allBytes))
      return { cursor: 0, count: Math.max(0, percent - done), isLast: false, pauseMs: LOOK_MS }
    }
    const count = isMade ? BACKUP_TOTAL - done : 0
    return { cursor: 0, count, isLast: true, ...(failure === undefined ? {} : { failure }) }
  },
  whenOver: async (ctx, _tx, { id }, outcome) => {
    if (outcome === 'cancelled') ctx.backups.stop(id)
  },
})

export const backupsJobs = [makeBackup]
