import { BACKUP_LOG_BEHIND_MS } from '@causeway/contract'
import { clockTime, dateIn, dayIn } from '../../lib/days.ts'

interface Installation {
  hasOwnDatabase: boolean
  dataDir: string
  backupDir: string
  /** The Node and the program that this server runs. */
  node: string
  program: string
}

const NIGHTLY = '30 4 * * *'

/** The line for crontab that makes a backup every night. cron takes % for the end of a line. */
export function cronLine({ hasOwnDatabase, dataDir, backupDir, node, program }: Installation): string {
  const own = hasOwnDatabase ? ['DATABASE_URL=postgres://user:password@host/name'] : []
  const words = [
    ...own,
    `DATA_DIR=${quoted(dataDir)}`,
    `BACKUP_DIR=${quoted(backupDir)}`,
    quoted(node),
    quoted(program),
    'backup',
  ]
  return `${NIGHTLY} ${words.join(' ').replaceAll('%', '\\%')} > /dev/null`
}

interface StorePlace {
  endpoint: string
  region: string
  bucket: string
  prefix: string
  isPathStyle: boolean
  authority: string | null
}

/** The command that restores on another machine, from the store where there is one. It asks for what is secret. */
export function restoreLine(folder: string | null, store: StorePlace | null): string {
  if (store === null) return ['causeway', 'restore', quoted(folder ?? '/mnt/backups')].join(' ')
  const { endpoint, region, bucket, prefix, isPathStyle, authority } = store
  const words = ['causeway', 'restore', quoted(`s3://${bucket}${prefix === '' ? '' : `/${prefix}`}`)]
  words.push('--endpoint', quoted(endpoint), '--region', quoted(region))
  if (!isPathStyle) words.push('--virtual-style')
  if (authority !== null) words.push('--ca', 'authority.pem')
  return words.join(' ')
}

function quoted(text: string): string {
  return /^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

/** Whether a target has had no log of changes for so long that its owner has to look. */
export function isLogBehind({ sentUntil, failure }: { sentUntil: Date | null; failure: string | null }, now: Date): boolean {
  return sentUntil === null ? failure !== null : now.getTime() - sentUntil.getTime() > BACKUP_LOG_BEHIND_MS
}

const HOUR_MS = 3_600_000

/** The last instant, up to now, at which the clocks of a zone showed this hour, and its day there. */
export function lastDue(zone: string, hour: number, now: Date): { day: string; at: Date } {
  const { year, month, day } = dateIn(zone, now)
  const today = clockTime(zone, year, month, day, hour * HOUR_MS)
  const at = today <= now ? today : clockTime(zone, year, month, day - 1, hour * HOUR_MS)
  return { day: dayIn(zone, at), at }
}

/** The next instant at which the clocks of a zone show this hour. */
export function nextDue(zone: string, hour: number, now: Date): Date {
  const { year, month, day } = dateIn(zone, now)
  const today = clockTime(zone, year, month, day, hour * HOUR_MS)
  return today > now ? today : clockTime(zone, year, month, day + 1, hour * HOUR_MS)
}

const LATE_MS = 3 * HOUR_MS

/** Whether a scheduled backup is still missing some hours after it was due. */
export function isLate(zone: string, hour: number, now: Date, takenAt: Date | undefined): boolean {
  const due = lastDue(zone, hour, new Date(now.getTime() - LATE_MS)).at
  return takenAt === undefined || takenAt < due
}
