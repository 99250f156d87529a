import { clockTime, dateIn, dayIn, periodAround } from '../../lib/days.ts'

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

function quoted(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
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

export interface Keeping {
  keepDailyBackups: number
  keepWeeklyBackups: number
  keepMonthlyBackups: number
}

interface Taken {
  takenAt: Date
  damaged: readonly string[]
  isScheduled?: boolean | undefined
}

/**
 * Scheduled backups that are no longer kept: the newest of each of so many days, weeks and months stays, counting only those
 * that have one. A backup of spoilt pages takes no place of a good one, and goes once a good one is newer.
 */
export function noLongerKept<Backup extends Taken>(backups: readonly Backup[], zone: string, keeping: Keeping): Backup[] {
  const scheduled = backups
    .filter(({ isScheduled }) => isScheduled === true)
    .toSorted((one, other) => other.takenAt.getTime() - one.takenAt.getTime())
  const good = scheduled.filter(({ damaged }) => damaged.length === 0)
  const places = [
    [keeping.keepDailyBackups, 'DAY'],
    [keeping.keepWeeklyBackups, 'WEEK'],
    [keeping.keepMonthlyBackups, 'MONTH'],
  ] as const
  const kept = new Set<Backup>()
  for (const [most, period] of places) {
    const seen = new Set<string>()
    for (const backup of good) {
      const { day } = periodAround(zone, period, backup.takenAt)
      if (seen.has(day) || seen.size === most) continue
      seen.add(day)
      kept.add(backup)
    }
  }
  const newestGood = good[0]?.takenAt.getTime() ?? -Infinity
  return scheduled.filter((each) => !kept.has(each) && (each.damaged.length === 0 || each.takenAt.getTime() < newestGood))
}

const LATE_MS = 3 * HOUR_MS

/** Whether a scheduled backup is still missing some hours after it was due. */
export function isLate(zone: string, hour: number, now: Date, takenAt: Date | undefined): boolean {
  const due = lastDue(zone, hour, new Date(now.getTime() - LATE_MS)).at
  return takenAt === undefined || takenAt < due
}
