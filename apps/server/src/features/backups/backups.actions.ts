import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { createGzip } from 'node:zlib'
import { errors, type BackupSchedule, type Input, type updateBackupSchedule } from '@causeway/contract'
import type { FastifyReply } from 'fastify'
import { deleteBackup, findLastBackup, listBackups } from '../../backup/kept-backups.ts'
import type { Caller, Ctx } from '../../ctx.ts'
import { fail } from '../../http/errors.ts'
import { readInstallation } from '../../ground/installation.queries.ts'
import { startJob } from '../../jobs/jobs.queries.ts'
import { ROOT } from '../../lib/product.ts'
import { freeBytes } from '../../postgres/disk-room.ts'
import { write } from '../audit/audit.actions.ts'
import { watchRows } from '../audit/rows.queries.ts'
import { BACKUP_TOTAL, makeBackup } from './backups.jobs.ts'
import { findLastFailure, findOpenBackup } from './backups.queries.ts'
import { cronLine, isLate, nextDue } from './backups.rules.ts'
import { readTargets } from './targets.actions.ts'

/** Fast: the network is slower than this, and the service needs the processor. */
const GZIP_LEVEL = 1

export async function listKept(ctx: Ctx) {
  const { hasOwnDatabase, dataDir, backupDir } = ctx.backups
  return {
    hasOwnDatabase,
    folder: backupDir,
    freeBytes: existsSync(backupDir) ? freeBytes(backupDir) : null,
    command: cronLine({
      hasOwnDatabase,
      dataDir,
      backupDir,
      node: process.execPath,
      program: path.join(ROOT, 'apps/server/src/causeway.ts'),
    }),
    last: findLastBackup(dataDir) ?? null,
    backups: listBackups(backupDir),
    jobId: (await findOpenBackup(ctx.db)) ?? null,
    schedule: await readSchedule(ctx),
    targets: await readTargets(ctx),
    failure: (await findLastFailure(ctx.db)) ?? null,
  }
}

async function readSchedule(ctx: Ctx): Promise<BackupSchedule> {
  const installation = await readInstallation(ctx.db)
  const { timeZone, backupHour: hour } = installation
  const takenAt = findLastBackup(ctx.backups.dataDir)?.takenAt
  return {
    hour,
    keepDaily: installation.keepDailyBackups,
    keepWeekly: installation.keepWeeklyBackups,
    keepMonthly: installation.keepMonthlyBackups,
    timeZone,
    nextAt: hour === null ? null : nextDue(timeZone, hour, ctx.now()).toISOString(),
    isLate: hour !== null && isLate(timeZone, hour, ctx.now(), takenAt),
  }
}

/** Scheduled backups that it does not keep go within a minute. */
export async function editSchedule(ctx: Ctx, caller: Caller, edit: Input<typeof updateBackupSchedule>) {
  const { hour, keepDaily, keepWeekly, keepMonthly } = edit
  await write(ctx, caller, async (tx, record) => {
    const { uuid } = await readInstallation(tx)
    const rows = await watchRows(tx, 'installation', [uuid])
    const given = Object.entries({
      backupHour: hour,
      keepDailyBackups: keepDaily,
      keepWeeklyBackups: keepWeekly,
      keepMonthlyBackups: keepMonthly,
    }).filter(([, value]) => value !== undefined)
    await tx
      .updateTable('installation')
      .set({ ...Object.fromEntries(given), updatedAt: ctx.now() })
      .execute()
    record({ action: 'updateBackupSchedule', target: uuid, rows })
  })
  return listKept(ctx)
}

/** One at a time: a second request gets the job of the first. */
export async function startBackup(ctx: Ctx, caller: Caller): Promise<{ jobId: string }> {
  return write(ctx, caller, async (tx, record) => {
    const open = await findOpenBackup(tx)
    const jobId = open ?? (await startJob(tx, makeBackup, { payload: {}, total: BACKUP_TOTAL }, ctx.now())) ?? ''
    if (!open) record({ action: 'makeBackup', target: jobId, details: { jobId } })
    return { jobId }
  })
}

/** @throws backupNotFound */
export async function removeBackup(ctx: Ctx, caller: Caller, name: string) {
  const { backupDir } = ctx.backups
  refuseUnknown(ctx, name)
  await deleteBackup(backupDir, name)
  await write(ctx, caller, async (_tx, record) => record({ action: 'deleteBackup', target: name, name }))
  return { isDeleted: true }
}

/** As an archive, made while it is sent: no second copy takes room. @throws backupNotFound */
export async function sendBackup(ctx: Ctx, caller: Caller, { name, reply }: { name: string; reply: FastifyReply }) {
  refuseUnknown(ctx, name)
  await write(ctx, caller, async (_tx, record) => record({ action: 'downloadBackup', target: name, name }))
  const tar = spawn('tar', ['-C', ctx.backups.backupDir, '-cf', '-', name], { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  tar.stderr.on('data', (text: Buffer) => (said += text.toString()))
  const archive = createGzip({ level: GZIP_LEVEL })
  // An archive that breaks off must not look whole: without its end the browser tells that it failed.
  const breakOff = (reason: string) => {
    ctx.log.error({ backup: name, reason }, 'failed to archive a backup')
    archive.destroy(new Error(reason))
  }
  tar.once('error', (error) => breakOff(`tar could not be started: ${error.message}`))
  tar.once('close', (code) => (code === 0 ? archive.end() : breakOff(said)))
  tar.stdout.pipe(archive, { end: false })
  archive.once('close', () => tar.kill())
  reply.header('content-disposition', `attachment; filename="${name}.tar.gz"`)
  return reply.type('application/gzip').send(archive)
}

function refuseUnknown({ backups: { backupDir } }: Ctx, name: string): void {
  if (!listBackups(backupDir).some((backup) => backup.name === name)) fail(errors.backupNotFound)
}
