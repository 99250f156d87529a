import { z } from 'zod'
import { deleteBackup, listBackups } from '../../backup/kept-backups.ts'
import { systemCaller, type Ctx } from '../../ctx.ts'
import { readInstallation } from '../../ground/installation.queries.ts'
import { jobIdOf } from '../../jobs/job-id.ts'
import { startJob } from '../../jobs/jobs.queries.ts'
import { jobKind, type RecurringJob } from '../../jobs/kinds.ts'
import { write } from '../audit/audit.actions.ts'
import { noLongerKept } from '../../backup/keeping.rules.ts'
import { lastDue } from './backups.rules.ts'
import { readShipping } from './targets.actions.ts'
import { followBackupLog } from './wal.actions.ts'

/** Progress in percent: how much there is to copy is known once it has begun. */
export const BACKUP_TOTAL = 100
/** The last percent is for the database that is started on the copy, and for targets. */
const COPIED = 99
const LOOK_MS = 500

/** Follows a process that makes a backup. One whose server was killed has ended with it, and is made anew. */
export const makeBackup = jobKind({
  name: 'makeBackup',
  group: 'backups',
  payload: z.object({ isScheduled: z.boolean().optional() }),
  pausesMs: [1000, 5000],
  batch: async (ctx, _tx, { id, done, payload }) => {
    const run = ctx.backups.find(id)
    if (!run) ctx.backups.begin(id, { ...payload, shipping: await readShipping(ctx) })
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

/**
 * Starts the scheduled backup of the day, and deletes those that the schedule no longer keeps. One that was missed while the
 * server was down is made up once.
 */
export async function followBackupSchedule(ctx: Ctx): Promise<void> {
  const { timeZone, backupHour, ...keeping } = await readInstallation(ctx.db)
  if (backupHour === null) return
  const { day } = lastDue(timeZone, backupHour, ctx.now())
  const job = { id: jobIdOf(`backup ${day}`), payload: { isScheduled: true }, total: BACKUP_TOTAL }
  await ctx.db.transaction().execute((tx) => startJob(tx, makeBackup, job, ctx.now()))
  const { backupDir } = ctx.backups
  for (const { name } of noLongerKept(listBackups(backupDir), timeZone, keeping)) {
    await deleteBackup(backupDir, name)
    await write(ctx, systemCaller, async (_tx, record) => record({ action: 'deleteBackup', target: name, name }))
  }
}

const recurring: RecurringJob[] = [
  { name: 'followBackupSchedule', everyMs: 60_000, run: followBackupSchedule },
  { name: 'followBackupLog', everyMs: 15_000, run: followBackupLog },
]
export const backupsJobs = { kinds: [makeBackup], recurring }
