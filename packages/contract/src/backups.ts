import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { wireInstant, wireInt, wireText, wireUrl } from './wire.ts'

// Backups of the whole installation. All of this is our own addition.

const tag = 'Backups'
const name = wireText(200).describe('Folder of the backup, such as causeway-2026-11-26T04-30-00Z')

/** Older than this, the last backup is said to be old. */
export const BACKUP_OLD_DAYS = 7
/** So long a target may have had no log of changes before its owner has to look. */
export const BACKUP_LOG_BEHIND_MS = 600_000

const backup = z.object({
  takenAt: wireInstant.describe('everything acknowledged before is in it'),
  bytes: z.number(),
  seconds: z.number().describe('how long it took'),
  users: z.number().describe('users found by the database that was started on it'),
  hasMasterKey: z.boolean(),
  damaged: z.array(z.string()).describe('pages of the database that its disk has spoilt'),
  emptied: z.array(z.string()).optional().describe('tables that lost all of their rows, which the history does not explain'),
  rehearsal: z
    .object({
      at: wireInstant,
      seconds: z.number(),
      usersByStatus: z.record(z.string(), z.number()),
      rowsByTable: z.record(z.string(), z.number()),
    })
    .optional()
    .describe('the database was started on the copy, and was what was copied; absent of older backups'),
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

const recipient = z
  .string()
  .regex(/^age1[02-9ac-hj-np-z]{58}$/, 'must be a recipient of age, such as age1 and 58 characters')
  .describe('public key of age (X25519); the server does not keep the key that opens')
const folder = wireText(500).regex(/^\//, 'must be a whole path, such as /mnt/backups')
const storeFields = z.object({
  endpoint: wireUrl.max(500).describe('such as https://s3.eu-central-1.amazonaws.com'),
  region: wireText(60).min(1, 'must not be empty'),
  bucket: wireText(63).regex(/^[a-z0-9][a-z0-9.-]+[a-z0-9]$/, 'must be a name of small letters, digits, dots and hyphens'),
  prefix: wireText(200).regex(/^([\w.-]+(\/[\w.-]+)*)?$/, 'must be words divided by /, with none at the ends'),
  isPathStyle: z.boolean().describe('the bucket is in the path of the address, not in its name'),
  authority: wireText(20_000)
    .regex(/^-----BEGIN CERTIFICATE-----/, 'must be a certificate in PEM')
    .nullable()
    .describe('of a store whose certificate no public authority has signed'),
  accessKeyId: wireText(200).min(1, 'must not be empty'),
})
export const backupStore = storeFields
const storeInput = storeFields.extend({
  secretAccessKey: wireText(500).min(1, 'must not be empty').optional().describe('absent keeps the one that is held'),
})

const targetFields = z.object({
  recipient: recipient.nullable(),
  lockedKey: wireText(4000)
    .regex(/^-----BEGIN AGE ENCRYPTED FILE-----/, 'must be an armored file of age')
    .nullable()
    .describe('the key, encrypted by a passphrase; goes beside the backups'),
  folder: folder.nullable(),
  isLogSent: z.boolean().describe('targets get the log of changes as well, within a minute; of the embedded database alone'),
})

const storedBackup = backup.omit({ rehearsal: true, seconds: true }).extend({
  name: z.string(),
  storedBytes: z.number(),
  rehearsedAt: wireInstant.nullable(),
  isScheduled: z.boolean(),
})
export type StoredBackup = z.output<typeof storedBackup>

/** Places apart from the machine, and what each was found to have when a backup was last sent there. */
export const backupTargets = targetFields.extend({
  store: backupStore.nullable(),
  states: z.array(
    z.object({
      target: z.enum(['folder', 's3']),
      place: z.string(),
      at: wireInstant.describe('of the last attempt'),
      failure: z.string().nullable(),
      backups: z.array(storedBackup).describe('the newest first'),
      log: z
        .object({
          sentUntil: wireInstant.nullable().describe('everything acknowledged before is there'),
          isRestorable: z.boolean().describe('a backup is there that it leads on from; else it begins with the next one'),
          failure: z.string().nullable(),
        })
        .nullable()
        .describe('the log of changes since; null while none is sent'),
    }),
  ),
  restoreCommand: z.string().describe('restores on another machine'),
})
export type BackupTargets = z.output<typeof backupTargets>

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
  targets: backupTargets.optional().describe('absent from servers that came before targets'),
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

/** Takes the permission to download, as the owner of the recipient can read every later backup. */
export const updateBackupTargets = endpoint({
  name: 'updateBackupTargets',
  title: 'Update Backup Targets',
  tag,
  access: 'backups.download',
  method: 'PATCH',
  path: '/api/x/backups/targets',
  body: targetFields.extend({ store: storeInput.nullable() }).partial(),
  response: backups,
})

/** Writes a file there, lists, reads and compares it, and deletes it. One target at a time. */
export const tryBackupTarget = endpoint({
  name: 'tryBackupTarget',
  title: 'Try Backup Target',
  tag,
  access: 'backups.download',
  method: 'POST',
  path: '/api/x/backups/targets/actions/try',
  body: z.object({ folder: folder.optional(), store: storeInput.optional() }),
  response: z.object({ failure: z.string().nullable().describe('a sentence; null: it works') }),
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
