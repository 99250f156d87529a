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
    rehearsal: {
      at: new Date(Date.now() - 3_590_000).toISOString(),
      seconds: 4,
      usersByStatus: { ACTIVE: 4000, EXPIRED: 277 },
      rowsByTable: { users: 4277, nodes: 12, auditLog: 90_120 },
    },
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
    targets: {
      recipient: null,
      lockedKey: null,
      folder: null,
      store: null,
      isLogSent: false,
      states: [],
      restoreCommand: 'causeway restore /mnt/backups',
    },
    failure: null,
    ...given,
  }
}

const RECIPIENT = 'age15hlhve4mwyfxxwgspaw0uc7w8ec06nxfxmxgdhdakfkk9syrnykqdf30w9'

/** Copies go to a folder that works, and to a store that is full. */
export function sampleTargets(): NonNullable<Backups['targets']> {
  const store = {
    endpoint: 'https://s3.example.com',
    region: 'eu-central-1',
    bucket: 'panel',
    prefix: 'causeway',
    isPathStyle: true,
    authority: null,
    accessKeyId: 'AKIDEXAMPLE',
  }
  const at = new Date(Date.now() - 3_500_000).toISOString()
  const stored = {
    name: 'causeway-2026-11-26T04-30-00Z',
    takenAt: new Date(Date.now() - 3_600_000).toISOString(),
    bytes: 52_000_000,
    storedBytes: 9_400_000,
    users: 4277,
    hasMasterKey: true,
    damaged: [],
    isScheduled: true,
    rehearsedAt: at,
  }
  return {
    recipient: RECIPIENT,
    lockedKey: null,
    folder: '/mnt/backups',
    store,
    isLogSent: true,
    states: [
      {
        target: 'folder',
        place: '/mnt/backups',
        at,
        failure: null,
        backups: [stored],
        log: { sentUntil: new Date(Date.now() - 12_000).toISOString(), isRestorable: true, failure: null },
      },
      {
        target: 's3',
        place: 'https://s3.example.com/panel/causeway',
        at,
        failure: 'https://s3.example.com/panel/causeway is full. Make room there, or keep fewer backups.',
        backups: [{ ...stored, name: 'causeway-2026-11-25T04-30-00Z' }],
        log: null,
      },
    ],
    restoreCommand: 'causeway restore s3://panel/causeway --endpoint https://s3.example.com --region eu-central-1',
  }
}
