import { BACKUP_LOG_BEHIND_MS, BACKUP_OLD_DAYS, type Backups } from '@causeway/contract'

const DAY_MS = 86_400_000

/** Less than this share of the backup before tells that something is missing. */
const SMALL = 0.5

export type BackupWarning = 'never' | 'failed' | 'late' | 'old' | 'smaller' | 'logBehind'

/** Faults of the last backup. */
export function backupWarning({ last, failure, schedule, backups, targets }: Backups, now: number): BackupWarning | undefined {
  if (failure) return 'failed'
  if (last === null) return 'never'
  if (schedule?.isLate) return 'late'
  if (now - Date.parse(last.takenAt) > BACKUP_OLD_DAYS * DAY_MS) return 'old'
  const [newest, before] = backups
  if (newest && before && newest.bytes < before.bytes * SMALL) return 'smaller'
  return targets?.states.some(({ log }) => log != null && isBehind(log, now)) ? 'logBehind' : undefined
}

function isBehind({ sentUntil, failure }: { sentUntil: string | null; failure: string | null }, now: number): boolean {
  return sentUntil === null ? failure !== null : now - Date.parse(sentUntil) > BACKUP_LOG_BEHIND_MS
}
