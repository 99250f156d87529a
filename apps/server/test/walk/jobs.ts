import { changeUsers, NODE_USERS_PERIODS, type UsersChange } from '@causeway/contract'
import { sql } from 'kysely'
import { updateAllUsers } from '../../src/features/bulk-users/bulk-users.jobs.ts'
import type { JobRuns } from './declared.ts'
import { ADDED, DELETED, NOW, SOME_TEXT, added, every } from './rows.ts'
import { NODES, USERS } from './inhabitants.ts'
import { DAYS } from './traces.ts'
import type { TestServer } from '../server.ts'
import { withBackups } from './writes/backups.ts'

/** The clock of the server that runs jobs: the day after the last of the traces. */
export const JOBS_AT = '2026-03-04T12:00:00.000Z'

const EVERYONE = Object.keys(USERS)
/** Of the clock, which is looked at before what is old by it goes. */
const LOOKED_AT = { true: { trustedAt: JOBS_AT } }
const ended = (status: string) => ({ status, updatedAt: JOBS_AT })
const judged = (...first: string[]) => added({ details: { first } })
/** By the bytes that the traces say a user moved: each as much as the one before, and this much more. */
const rising = (least: number, step: number) => EVERYONE.map((name, index) => [name, least + step * index] as const)
const sums = (bytes: number) => ({
  trafficDay: '2026-03-04',
  sumsDay: '2026-03-04',
  weekBytes: bytes,
  thirtyDaysBytes: bytes,
  monthBytes: bytes,
})

const squadNamed = ({ ctx }: TestServer, name: string) =>
  ctx.db.selectFrom('internalSquads').select('uuid').where('name', '=', name).executeTakeFirstOrThrow()

/** One change of users by name. */
async function changeOf(server: TestServer, names: string[], change: UsersChange) {
  const found = await server.ctx.db.selectFrom('users').select('uuid').where('username', 'in', names).execute()
  await server.call(changeUsers, { uuids: found.map(({ uuid }) => uuid), expected: names.length, change })
}

/** By what recurs, and by the kinds that no call of the walk begins. */
export const jobRuns: JobRuns = {
  // Of more users than an answer waits for.
  updateAllUsers: {
    start: ({ ctx }) =>
      ctx.db.transaction().execute((tx) => {
        const job = { payload: { fields: { tag: 'ALL' } }, total: EVERYONE.length }
        return updateAllUsers.start(tx, job, ctx.now())
      }),
    changes: {
      users: every({ tag: 'ALL', updatedAt: JOBS_AT }, EVERYONE),
      jobs: { updateAllUsers: added({ status: 'done', done: 9, total: 9 }) },
      auditLog: { 'updateAllUsers 9 users': added({ details: { jobId: 'updateAllUsers' } }) },
    },
  },
  changeSquadsOfUsers: {
    start: async (server) => {
      const { uuid } = await squadNamed(server, 'bronze')
      await changeOf(server, ['ann', 'cat'], { kind: 'squads', mode: 'add', squads: [uuid] })
    },
    // Cat is in it already.
    changes: {
      internalSquadMembers: { 'bronze ann': ADDED },
      changedUsers: { ann: ADDED },
      jobs: { changeSquadsOfUsers: added({ status: 'done', done: 2, total: 2 }) },
      auditLog: {
        'bulkUpdateUsersSquads 2 users': added({ details: { jobId: 'changeSquadsOfUsers', mode: 'add', squads: ['bronze'] } }),
        'changeSquadsOfUsers 2 users': added({ details: { jobId: 'changeSquadsOfUsers' } }),
      },
    },
  },
  deleteChosenUsers: {
    start: (server) => changeOf(server, ['dora', 'emil'], { kind: 'delete' }),
    changes: {
      users: every(DELETED, ['dora', 'emil']),
      userUsage: every(DELETED, ['dora', 'emil']),
      userTraffic: every(DELETED, ['dora', 'emil']),
      userTrafficResets: { 'dora 35': DELETED, 'emil 49': DELETED },
      userNodeUsage: every(DELETED, DAYS, Object.keys(NODES), ['dora', 'emil']),
      internalSquadMembers: { 'silver dora': DELETED, 'bronze emil': DELETED },
      jobs: { deleteChosenUsers: added({ status: 'done', done: 2, total: 2 }) },
      auditLog: {
        'bulkDeleteUsers 2 users': added({ details: { jobId: 'deleteChosenUsers' } }),
        'deleteChosenUsers 2 users': added({ details: { jobId: 'deleteChosenUsers' } }),
      },
    },
  },
  // Dan is disabled, and Finn was said to have expired by a clock that has been set back since.
  expireUsers: {
    before: async ({ ctx: { db } }) => {
      await db.updateTable('users').set({ expireAt: '2026-02-02' }).where('username', 'in', ['ann', 'eve', 'dan']).execute()
      await db.updateTable('users').set({ expireAt: '2090-02-02' }).where('username', '=', 'finn').execute()
    },
    changes: {
      users: { ann: ended('EXPIRED'), eve: ended('EXPIRED'), finn: ended('ACTIVE') },
      changedUsers: { ann: ADDED, finn: ADDED },
      auditLog: { 'expireUsers 2 users': judged('ann', 'eve'), 'returnUsers 1 users': judged('finn') },
    },
  },
  limitUsers: {
    before: ({ ctx: { db } }) =>
      db.updateTable('users').set({ trafficLimitBytes: 900 }).where('username', 'in', ['ann', 'dan']).execute(),
    changes: {
      users: { ann: ended('LIMITED') },
      changedUsers: { ann: ADDED },
      auditLog: { 'limitUsers 1 users': judged('ann') },
    },
  },
  // Without a reader there are no events, nor moments of them (features/domain-events).
  emitMoments: { changes: {} },
  reviewThresholds: { changes: {} },
  forgetEvents: { changes: {} },
  // Without a rule nothing is told (features/notices).
  reviewNotices: { changes: {} },
  reviewUsersForNotices: { changes: {} },
  forgetNotices: { changes: {} },
  // The walk holds the kept numbers against the users after everything.
  foldUserCounts: {
    before: ({ ctx: { db } }) =>
      sql`insert into "userCounts" ("status", "delta") select 'ACTIVE', 0 from generate_series(1, 101)`.execute(db),
    changes: {},
  },
  correctUserCounts: {
    before: ({ ctx: { db } }) => db.insertInto('userCounts').values({ status: 'ACTIVE', delta: 5 }).execute(),
    changes: {},
  },
  // Those of the month, as the first of it has been passed since the last reset.
  startTrafficResets: {
    before: ({ ctx: { db } }) => {
      const reset = (strategy: string) => ({
        kind: 'resetByStrategy',
        group: 'traffic resets',
        dueAt: '2026-02-01',
        finishedAt: '2026-02-01',
        payload: JSON.stringify({ strategy, since: '2026-02-01', day: '2026-02-01', maxId: 9 }),
      })
      return db.insertInto('jobs').values(['DAY', 'WEEK', 'MONTH'].map(reset)).execute()
    },
    changes: {
      users: every(ended('ACTIVE'), ['eve', 'emil']),
      userUsage: every({ usedTrafficBytes: 0, lastTrafficResetAt: JOBS_AT, lastTriggeredThreshold: 0 }, ['eve', 'emil']),
      userTrafficResets: every(added({ resetAt: JOBS_AT }), ['eve 5400', 'emil 6300']),
      changedUsers: { eve: ADDED, emil: ADDED },
      jobs: {
        resetByStrategy: added({ status: 'done' }),
        'resetByStrategy #2': added({ status: 'done', done: 2, total: 2 }),
        'resetByStrategy #3': added({ status: 'done' }),
      },
    },
  },
  // Of the embedded database alone, by a process of its own (src/backup/wal).
  followBackupLog: { changes: {} },
  followBackupSchedule: {
    before: async (server) => {
      await withBackups(server)
      await server.ctx.db.updateTable('installation').set({ backupHour: 4 }).execute()
    },
    changes: { jobs: { makeBackup: added({ status: 'running', total: 100 }) } },
  },
  // It is the fourth: the day of Beta, and no other's.
  // Two's while is over, and three's is not.
  returnHosts: {
    before: async ({ ctx: { db } }) => {
      const until = (remark: string, at: string) =>
        db.updateTable('hosts').set({ isDisabled: true, disabledUntil: at }).where('remark', '=', remark).execute()
      await until('two', '2026-03-04T11:59:00Z')
      await until('three', '2026-03-04T12:01:00Z')
    },
    changes: {
      hosts: { two: { isDisabled: false, disabledUntil: null } },
      auditLog: { 'returnHosts 1 hosts': judged('two') },
    },
  },
  resetNodesTraffic: {
    before: async ({ ctx: { db } }) => {
      await db.updateTable('nodes').set({ createdAt: '2025-01-01' }).execute()
      await db.updateTable('nodes').set({ trafficResetDay: 4 }).where('name', '=', 'beta').execute()
    },
    changes: {
      nodeStates: { beta: { trafficUsedBytes: 0 } },
      nodeTrafficResets: { 'beta 2000': added({ resetAt: JOBS_AT, day: '2026-03-04' }) },
      auditLog: { 'resetNodesTraffic 1 nodes': judged('beta') },
    },
  },
  // Of 9,000 bytes Alpha has used 1,000 and Beta 2,000.
  reviewNodesTraffic: {
    before: ({ ctx: { db } }) =>
      db.updateTable('nodes').set({ notifyPercent: 20 }).where('name', 'in', ['alpha', 'beta']).execute(),
    changes: { nodeStates: { beta: { trafficNotifiedAt: JOBS_AT } } },
  },
  keepUsagePartitions: {
    before: ({ ctx: { db } }) => {
      // 400 days before, and one more.
      const rows = ['2025-01-28', '2025-01-27'].map((day) => ({ day, nodeId: 1, userId: 1, uploadBytes: 1 }))
      return db.insertInto('userNodeUsage').values(rows).execute()
    },
    changes: { clock: LOOKED_AT, userNodeUsage: { '2025-01-27 alpha ann': DELETED } },
  },
  turnTrafficSums: {
    changes: {
      trafficTurns: { true: { day: '2026-03-04' } },
      userUsage: Object.fromEntries(rising(16_524, 13_200).map(([name, bytes]) => [name, sums(bytes)])),
    },
  },
  // Of so few users none is kept.
  orderTraffic: { changes: { trafficOrder: { true: DELETED }, userTraffic: every(DELETED, EVERYONE) } },
  countTopUsers: {
    before: async ({ ctx: { db } }) => {
      await db.updateTable('nodeUserCounts').set({ countedThrough: '2026-03-02' }).where('nodeId', '=', 1).execute()
      await db.deleteFrom('nodeUserDays').where('nodeId', '=', 1).where('day', '=', '2026-03-03').execute()
    },
    changes: {
      nodeUserDays: { 'alpha 2026-03-03': added({ users: 9, bytes: 50_526 }) },
      nodeUserCounts: {
        ...every(added({ users: 9, countedThrough: '2026-03-03' }), ['alpha'], NODE_USERS_PERIODS.map(String)),
        'alpha 7': { users: 9, countedThrough: '2026-03-03' },
      },
      nodeTopUsers: Object.fromEntries(
        NODE_USERS_PERIODS.flatMap((days) =>
          rising(3636, 3300).map(([name, bytes], index) => {
            const wasCounted = days === 7 && index < 3
            return [`alpha ${days} ${name}`, wasCounted ? { bytes } : added({ bytes })]
          }),
        ),
      ),
    },
  },
  forgetSignIns: {
    before: async ({ ctx: { db } }) => {
      await db.updateTable('sessions').set({ expiresAt: '2026-01-01' }).where('userAgent', '=', 'laptop').execute()
      await db.updateTable('oauth2States').set({ expiresAt: '2026-01-01' }).where('stateHash', '=', 'laptop').execute()
      await db.updateTable('signInAttempts').set({ at: '2026-03-04T11:59:00Z' }).where('account', '!=', 'laptop').execute()
    },
    changes: {
      sessions: { laptop: DELETED },
      oauth2States: { "laptop's": DELETED },
      signInAttempts: { laptop: DELETED },
    },
  },
  // Alpha is the one connected node that runs a configuration from before the closing rule.
  findOpenNodes: {
    before: async ({ ctx: { db } }) => {
      await db.updateTable('nodeStates').set({ isConnected: true, runningConfigHash: 'before' }).where('nodeId', '=', 1).execute()
    },
    changes: {
      jobs: { deliverClosingRule: added({ status: 'running', total: 1 }) },
      nodeStates: { alpha: { startRequestedAt: NOW, startsAsked: 2, requestTicket: 2 } },
    },
  },
  renewAuthority: {
    at: '2060-01-01T00:00:00.000Z',
    changes: { secrets: { fleetKeys: { wrapped: SOME_TEXT } }, auditLog: { 'renewAuthority authority of the fleet': ADDED } },
  },
  noteOnline: {
    before: ({ ctx: { db } }) =>
      db.updateTable('userUsage').set({ onlineAt: '2026-03-04T11:59:30.000Z' }).where('userId', '<', 3).execute(),
    changes: { onlineQuarters: { [JOBS_AT]: added({ usersOnline: 2 }) } },
  },
  // Ann was online a year later by a clock that was ahead for a while.
  reviewClock: {
    before: async ({ ctx: { db } }) => {
      await db.updateTable('clock').set({ doubtedAt: '2027-03-04T12:00:00Z' }).execute()
      await db.updateTable('userUsage').set({ onlineAt: '2027-03-04T12:00:00Z' }).where('userId', '=', 1).execute()
    },
    changes: { clock: { true: { trustedAt: JOBS_AT, doubtedAt: null } }, userUsage: { ann: { onlineAt: JOBS_AT } } },
  },
  forgetConnections: {
    before: async ({ ctx: { db } }) => {
      const reading = { kind: 'user', total: 1, result: '{}', finishedAt: '2026-03-04T11:58:00Z' } as const
      await db
        .insertInto('connectionReadings')
        .values([
          { ...reading, subjectId: 1001, expiresAt: '2026-03-04T11:59:59Z' },
          { ...reading, subjectId: 1002, expiresAt: '2026-03-04T12:00:01Z' },
        ])
        .execute()
    },
    changes: { connectionReadings: { 'user 1001': DELETED } },
  },
  forgetByAge: {
    before: async ({ ctx: { db } }) => {
      const [old, older] = ['2024-06-01T10:00:00.000Z', '2023-06-01T10:00:00.000Z']
      await db.updateTable('auditLog').set({ at: old }).where('action', '=', 'registerAdmin').execute()
      await db.updateTable('userTrafficResets').set({ resetAt: old }).where('userId', '=', 2).execute()
      await db.updateTable('nodeTrafficResets').set({ resetAt: old }).where('nodeId', '=', 2).execute()
      await db.insertInto('nodeUsageQuarters').values({ nodeId: 1, quarter: older, uploadBytes: 1 }).execute()
      await db.updateTable('idempotencyKeys').set({ at: '2026-03-03T11:59:00Z' }).where('key', '=', 'two').execute()
      await db.updateTable('onlineQuarters').set({ quarter: '2026-01-01T10:00:00Z' }).where('usersOnline', '=', 1).execute()
      await db.updateTable('revisions').set({ at: old }).where('kind', '=', 'template').execute()
      await db.updateTable('configProfileRollouts').set({ endedAt: old }).where('reason', '=', 'first').execute()
      const { number } = await db
        .selectFrom('jobs')
        .select('number')
        .where('kind', '=', 'resetUsers')
        .orderBy('number')
        .executeTakeFirstOrThrow()
      await db.updateTable('jobs').set({ finishedAt: '2026-01-01', status: 'done' }).where('number', '=', number).execute()
    },
    changes: {
      clock: LOOKED_AT,
      auditLog: { 'registerAdmin admin': DELETED },
      userTrafficResets: { 'ben 14': DELETED },
      nodeTrafficResets: { 'beta 18': DELETED },
      nodeUsageQuarters: { 'alpha 2023-06-01T10:00:00.000Z': DELETED },
      nodeUsageDays: { 'alpha 2023-06-01': DELETED },
      onlineQuarters: { '2026-01-01T10:00:00.000Z': DELETED },
      idempotencyKeys: { two: DELETED },
      // The newest of each is what it holds.
      revisions: { 'template SINGBOX 1': DELETED },
      configProfileRollouts: { 'Main first': DELETED },
      configProfileRolloutNodes: { 'Main first alpha': DELETED },
      configProfileRolloutInbounds: every(DELETED, ['Main first'], ['M_VLESS', 'M_TROJAN', 'M_SS']),
      jobs: { resetUsers: DELETED },
      jobTargets: every(DELETED, ['resetUsers'], ['ann', 'ben']),
    },
  },
}
