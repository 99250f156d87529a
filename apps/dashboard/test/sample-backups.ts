import type { Backups } from '@causeway/contract'

/** A panel that was backed up an hour ago. */
export function sampleBackups(given: Partial<Backups> = {}): Backups {
  const backup = {
    takenAt: new Date(Date.now() - 3_600_000).toISOString(),
    bytes: 52_000_000,
    seconds: 12,
    users: 4277,
    hasMasterKey: true,
    damaged: [],
  }
  return {
    hasOwnDatabase: false,
    folder: '/srv/causeway/backups',
    freeBytes: 8 * 2 ** 30,
    command: '30 4 * * * DATA_DIR=/srv/causeway /usr/bin/node /opt/causeway/apps/server/src/causeway.ts backup > /dev/null',
    last: { ...backup, folder: '/srv/causeway/backups/causeway-2026-11-26T04-30-00Z', isThere: true },
    backups: [{ ...backup, name: 'causeway-2026-11-26T04-30-00Z' }],
    jobId: null,
    schedule: {
      hour: 4,
      keepDaily: 7,
      keepWeekly: 4,
      keepMonthly: 12,
      timeZone: 'Asia/Tehran',
      nextAt: new Date(Date.now() + 7_200_000).toISOString(),
      isLate: false,
    },
    failure: null,
    ...given,
  }
}
