import { periodAround } from '../lib/days.ts'

export interface Keeping {
  keepDailyBackups: number
  keepWeeklyBackups: number
  keepMonthlyBackups: number
}

interface Taken {
  takenAt: Date
  damaged: readonly string[]
  emptied?: readonly string[] | undefined
  isScheduled?: boolean | undefined
}

/**
 * Scheduled backups that are no longer kept: the newest of each of so many days, weeks and months stays, counting only those
 * that have one. A backup of spoilt pages, or of tables emptied by hand, takes no place of a good one, and goes once a good one is newer.
 */
export function noLongerKept<Backup extends Taken>(backups: readonly Backup[], zone: string, keeping: Keeping): Backup[] {
  const scheduled = backups
    .filter(({ isScheduled }) => isScheduled === true)
    .toSorted((one, other) => other.takenAt.getTime() - one.takenAt.getTime())
  const good = scheduled.filter(isGood)
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
  return scheduled.filter((each) => !kept.has(each) && (isGood(each) || each.takenAt.getTime() < newestGood))
}

function isGood({ damaged, emptied = [] }: Taken): boolean {
  return damaged.length === 0 && emptied.length === 0
}
