import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { wireInstant, wireInt, wireText } from './wire.ts'

// Backups of the whole installation. All of this is our own addition.

const tag = 'Backups'
const name = wireText(200).describe('Folder of the backup, such as causeway-2026-11-26T04-30-00Z')

/** Older than this, the last backup is said to be old. */
export const BACKUP_OLD_DAYS = 7

const backup = z.object({
  takenAt: wireInstant.describe('everything acknowledged before is in it'),
  bytes: z.number(),
  seconds: z.number().describe('how long it took'),
  users: z.number().describe('users found by the database that was started on it'),
  hasMasterKey: z.boolean(),
  damaged: z.array(z.string()).describe('pages of the database that its disk has spoilt'),
})
export const keptBackup = backup.extend({
  name: z.string(),
  isScheduled: z.boolean().optional().describe('made by itself, and deleted by itself once the schedule does not keep it'),
})
export type KeptBackup = z.output<typeof keptBackup>

/** Backups that the server makes by itself, and how many of them it keeps. */
const backupScheduleFields = z.object({
  hour: wireInt.min(0).max(23).nullable().describe('of every day, in the time zone of the installation; null makes no backups'),
  keepDaily: wireInt.min(1).max(366).describe('days of which the newest backup stays'),
  keepWeekly: wireInt.min(0).max(520).describe('weeks, the same'),
  keepMonthly: wireInt.min(0).max(240).describe('months, the same'),
})

export const backupSchedule = backupScheduleFields.extend({
  timeZone: z.string(),
  nextAt: wireInstant.nullable(),
  isLate: z.boolean().describe('hours after its time there is still no backup'),
})
export type BackupSchedule = z.output<typeof backupSchedule>

export const backups = z.object({
  hasOwnDatabase: z.boolean().describe('the database is that of DATABASE_URL: backups are archives, which causeway import reads'),
  folder: z.string().describe('where backups are put: BACKUP_DIR'),
  freeBytes: z.number().nullable().describe('room in that folder; null while it is not there'),
  command: z.string().describe('makes a backup from a terminal or cron'),
  last: backup
    .extend({ folder: z.string(), isThere: z.boolean() })
    .nullable()
    .describe('the newest one, by the dashboard or the command, wherever it was put'),
  backups: z.array(keptBackup).describe('those in the folder, the newest first'),
  jobId: z.string().nullable().describe('the job that makes one now'),
  schedule: backupSchedule.optional().describe('absent from servers that came before schedules'),
  failure: z.string().nullable().optional().describe('why the newest backup of all could not be made'),
})
export type Backups = z.output<typeof backups>

export const listBackups = endpoint({
  name: 'listBackups',
  title: 'List Backups',
  tag,
  access: 'backups.read',
  method: 'GET',
  path: '/api/x/backups',
  response: backups,
})

/** While one is being made, it is that one's job. */
export const makeBackup = endpoint({
  name: 'makeBackup',
  title: 'Make Backup',
  tag,
  access: 'backups.write',
  method: 'POST',
  path: '/api/x/backups',
  response: z.object({ jobId: z.string() }),
})

/** Scheduled backups that the new schedule does not keep are deleted within a minute. */
export const updateBackupSchedule = endpoint({
  name: 'updateBackupSchedule',
  title: 'Update Backup Schedule',
  tag,
  access: 'backups.write',
  method: 'PATCH',
  path: '/api/x/backups/schedule',
  body: backupScheduleFields.partial(),
  response: backups,
})

export const deleteBackup = endpoint({
  name: 'deleteBackup',
  title: 'Delete Backup',
  tag,
  access: 'backups.write',
  method: 'DELETE',
  path: '/api/x/backups/:name',
  params: z.object({ name }),
  response: z.object({ isDeleted: z.boolean() }),
})

/** A stream: the folder as a compressed archive of tar. It changes nothing, and is recorded as it holds every secret. */
export const downloadBackup = endpoint({
  name: 'downloadBackup',
  title: 'Download Backup',
  tag,
  access: 'backups.download',
  method: 'POST',
  path: '/api/x/backups/:name/actions/download',
  params: z.object({ name }),
  response: z.unknown(),
  raw: true,
})
