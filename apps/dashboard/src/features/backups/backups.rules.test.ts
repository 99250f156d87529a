import type { Backups } from '@causeway/contract'
import { expect, test } from 'vitest'
import { backupWarning } from './backups.rules.ts'

const now = Date.parse('2026-11-26T12:00:00Z')
const backups = (takenAt: string | null): Backups => ({
  hasOwnDatabase: false,
  folder: '/data/backups',
  freeBytes: 1,
  command: '',
  last:
    takenAt === null
      ? null
      : { takenAt, bytes: 1, seconds: 1, users: 1, hasMasterKey: true, damaged: [], folder: '/data/backups/a', isThere: true },
  backups: [],
  jobId: null,
})

test('the last backup is old after seven days, and there may never have been one', () => {
  expect(backupWarning(backups(null), now)).toBe('never')
  expect(backupWarning(backups('2026-11-19T12:00:00Z'), now)).toBeUndefined()
  expect(backupWarning(backups('2026-11-19T11:59:59Z'), now)).toBe('old')
})

test('BACK-005 a failed, a late and a much smaller one are told apart', () => {
  const fine = backups('2026-11-26T04:00:00Z')
  const schedule = { hour: 4, keepDaily: 7, keepWeekly: 4, keepMonthly: 12, timeZone: 'UTC', nextAt: null, isLate: true }
  const kept = (bytes: number) => ({
    name: String(bytes),
    takenAt: '',
    bytes,
    seconds: 1,
    users: 1,
    hasMasterKey: true,
    damaged: [],
  })
  expect(backupWarning({ ...fine, failure: 'no room' }, now)).toBe('failed')
  expect(backupWarning({ ...fine, schedule }, now)).toBe('late')
  expect(backupWarning({ ...fine, backups: [kept(49), kept(100)] }, now)).toBe('smaller')
  expect(backupWarning({ ...fine, backups: [kept(50), kept(100)] }, now)).toBeUndefined()
})
