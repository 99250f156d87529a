import { BACKUP_OLD_DAYS, type Backups } from '@causeway/contract'

const DAY_MS = 86_400_000

/** What is wrong with the last backup. Nothing is known of backups of a database that is elsewhere. */
export function backupWarning({ hasOwnDatabase, last }: Backups, now: number): 'never' | 'old' | undefined {
  if (hasOwnDatabase) return undefined
  if (last === null) return 'never'
  return now - Date.parse(last.takenAt) > BACKUP_OLD_DAYS * DAY_MS ? 'old' : undefined
}
