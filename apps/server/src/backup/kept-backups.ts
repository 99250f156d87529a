import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { lockFile } from '../postgres/file-lock.ts'

// Backups that are there, by what each says of itself.

/** Of a backup: what it holds. */
export const DETAILS = 'backup.json'
/** Of a data folder: the newest backup made of it, wherever that is. */
export const LAST_BACKUP = 'last-backup.json'
/** Of a data folder: what targets were found to have. */
export const TARGET_STATES = 'backup-targets.json'
/** Beside backups: drafts, and those that are being deleted. */
const DRAFT = '.part'
const DELETED = '.deleted'
export const DRAFT_LOCK = 'backup.lock'

export const details = z.object({
  takenAt: z.coerce.date(),
  bytes: z.number(),
  seconds: z.number(),
  users: z.number(),
  newestChangeAt: z.coerce.date().nullable(),
  hasMasterKey: z.boolean(),
  damaged: z.array(z.string()),
  isScheduled: z.boolean().optional(),
  emptied: z.array(z.string()).optional(),
  /** Where the log ends that was sent beside it, by its position in the words of PostgreSQL. */
  wal: z.object({ chain: z.string(), lsn: z.string() }).optional(),
  /** Of those that were compared with their source. */
  rehearsal: z
    .object({
      at: z.coerce.date(),
      seconds: z.number(),
      usersByStatus: z.record(z.string(), z.number()),
      keysDigest: z.string(),
      newestEntry: z.string().nullable(),
      trafficBytes: z.string(),
      rowsByTable: z.record(z.string(), z.number()),
    })
    .optional(),
})
export type Details = z.output<typeof details>
const lastBackup = details.extend({ folder: z.string() })

/** Where PostgreSQL's own account, which root gives it, may pass through. */
export function makeBackupDir(backupDir: string): void {
  mkdirSync(backupDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 })
}

export function sentenceOfDamage(damaged: readonly string[]): string | undefined {
  if (damaged.length === 0) return undefined
  return `The disk has spoilt the database: ${damaged.length} of its pages are not as they were written (${damaged[0]}). They are so in this backup too. Keep older ones, and look after the disk.`
}

export function sentenceOfEmptied(emptied: readonly string[]): string | undefined {
  if (emptied.length === 0) return undefined
  return `Since the last backup the table ${emptied[0]}${emptied.length > 1 ? ` and ${emptied.length - 1} more` : ''} has lost all of its rows, and the history does not say why. They are missing in this backup too. Keep older ones until you know.`
}

/** A folder that lists by its time. */
export function nameOfBackup(now: Date): string {
  return `causeway-${now.toISOString().slice(0, 19).replaceAll(':', '-')}Z`
}

export function writeDetails(folder: string, given: Details): void {
  writeFileSync(path.join(folder, DETAILS), `${JSON.stringify(given)}\n`, { mode: 0o600 })
}

/** Says in the data folder that there is a backup of it. One that cannot be noted is a backup all the same. */
export function noteLastBackup(
  dataDir: string,
  backup: Details & { folder: string },
  onNotice: (sentence: string) => void = () => {},
): void {
  const file = path.join(dataDir, LAST_BACKUP)
  try {
    writeFileSync(`${file}${DRAFT}`, `${JSON.stringify(backup)}\n`, { mode: 0o600 })
    renameSync(`${file}${DRAFT}`, file)
  } catch (error) {
    onNotice(`The backup is made, but ${file} could not be written, so the dashboard does not know of it: ${String(error)}`)
  }
}

/** The newest first. What has no details is no backup, or is not whole. */
export function listBackups(backupDir: string) {
  return foldersIn(backupDir)
    .filter((name) => !name.endsWith(DRAFT) && !name.endsWith(DELETED))
    .flatMap((name) => {
      const found = readDetails(path.join(backupDir, name, DETAILS))
      return found ? [{ name, ...found }] : []
    })
    .toSorted((one, other) => other.takenAt.getTime() - one.takenAt.getTime())
}

/** The newest backup that was made of this data folder, by the dashboard or the command. */
export function findLastBackup(dataDir: string) {
  const found = readFile(path.join(dataDir, LAST_BACKUP), lastBackup)
  return found && { ...found, isThere: existsSync(path.join(found.folder, DETAILS)) }
}

/** Takes its name away first: half a backup looks like none. */
export async function deleteBackup(backupDir: string, name: string): Promise<void> {
  const doomed = path.join(backupDir, `${name}${DELETED}`)
  renameSync(path.join(backupDir, name), doomed)
  await rm(doomed, { recursive: true, force: true, maxRetries: 5 })
}

/** Removes what servers left that were killed while they made or deleted a backup. */
export function removeLeftovers(backupDir: string): void {
  for (const name of foldersIn(backupDir)) {
    const folder = path.join(backupDir, name)
    const lock = path.join(folder, DRAFT_LOCK)
    // Without a lock it was about to get its name.
    const isOurs = name.endsWith(DRAFT) && [lock, path.join(folder, DETAILS)].some((file) => existsSync(file))
    const isCutOff = isOurs && !(existsSync(lock) && isHeld(lock))
    if (name.endsWith(DELETED) || isCutOff) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

export function isHeld(file: string): boolean {
  const lock = lockFile(file)
  lock.close()
  return lock.state === 'held'
}

function foldersIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
}

/** The details that a backup keeps of itself. */
export function readDetails(file: string): Details | undefined {
  return readFile(file, details)
}

function readFile<Read>(file: string, schema: z.ZodType<Read>): Read | undefined {
  try {
    return schema.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data
  } catch {
    return undefined
  }
}
