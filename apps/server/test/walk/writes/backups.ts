import { mkdirSync, mkdtempSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { openBackups } from '../../../src/backup/backup-runs.ts'
import { writeDetails } from '../../../src/backup/kept-backups.ts'
import type { Writes } from '../declared.ts'
import { ADDED, NOW, added } from '../rows.ts'
import type { TestServer } from '../../server.ts'

const RECIPIENT = 'age15hlhve4mwyfxxwgspaw0uc7w8ec06nxfxmxgdhdakfkk9syrnykqdf30w9'
const takenAt = new Date('2026-03-01')

/** A server of an embedded database whose folders are its own, with two backups. */
export async function withBackups({ ctx }: TestServer): Promise<void> {
  const backupDir = mkdtempSync(path.join(os.tmpdir(), 'causeway-walk-'))
  for (const name of ['one', 'other']) {
    mkdirSync(path.join(backupDir, name))
    const figures = { bytes: 1, seconds: 1, users: 1, newestChangeAt: null, hasMasterKey: true, damaged: [] }
    writeDetails(path.join(backupDir, name), { takenAt, ...figures })
  }
  ctx.backups = openBackups({
    DATABASE_URL: null,
    MASTER_KEY: null,
    dataDir: path.join(backupDir, 'none'),
    backupDir,
    OUTGOING_PRIVATE_HOSTS: [],
  })
}

export const backupWrites = {
  // Its files are held against the source in features/backups.
  makeBackup: () => ({
    before: withBackups,
    input: {},
    changes: {
      jobs: { makeBackup: added({ status: 'running', total: 100 }) },
      auditLog: { 'makeBackup makeBackup': added({ details: { jobId: 'makeBackup' } }) },
    },
  }),
  updateBackupSchedule: () => ({
    before: withBackups,
    input: { hour: 4, keepWeekly: 5 },
    changes: {
      installation: { 'the only one': { backupHour: 4, keepWeeklyBackups: 5, updatedAt: NOW } },
      auditLog: { 'updateBackupSchedule the only one': ADDED },
    },
  }),
  updateBackupTargets: () => ({
    before: withBackups,
    input: { recipient: RECIPIENT, folder: '/mnt/nas' },
    changes: {
      installation: { 'the only one': { backupRecipient: RECIPIENT, backupFolder: '/mnt/nas', updatedAt: NOW } },
      auditLog: { 'updateBackupTargets the only one': ADDED },
    },
  }),
  tryBackupTarget: () => ({ before: withBackups, input: { folder: '/nowhere' }, changes: {} }),
  deleteBackup: () => ({
    before: withBackups,
    input: { name: 'one' },
    changes: { auditLog: { 'deleteBackup one': ADDED } },
  }),
} satisfies Writes
