import type { Writes } from '../declared.ts'
import { ADDED, DELETED, NOW, SOME_TEXT, SOME_UUID, added, every } from '../rows.ts'
import { DAYS } from '../traces.ts'
import { NODES, USERS } from '../inhabitants.ts'

const fields = {
  trafficLimitBytes: 777,
  trafficLimitStrategy: 'WEEK',
  expireAt: '2077-01-01T00:00:00.000Z',
  description: 'what is said of the user',
  tag: 'NEW',
  telegramId: 77,
  email: 'new@example.com',
  hwidDeviceLimit: 7,
} as const
const revoked = {
  shortUuid: SOME_TEXT,
  trojanPassword: SOME_TEXT,
  vlessUuid: SOME_UUID,
  ssPassword: SOME_TEXT,
  subRevokedAt: NOW,
  updatedAt: NOW,
}
const reset = { usedTrafficBytes: 0, lastTrafficResetAt: NOW, lastTriggeredThreshold: 0 }
const ended = (users: number) => added({ status: 'done', done: users, total: users })
/** What was asked for, and the one batch that did it. */
const recorded = (action: string, kind: string, users: number, details: object = {}) => ({
  [`${action} ${users} users`]: added({ details: { ...details, jobId: kind } }),
  [`${kind} ${users} users${action === kind ? ' #2' : ''}`]: added({ details: { jobId: kind } }),
})

export const bulkUserWrites = {
  bulkDeleteUsers: ({ users }) => ({
    input: { uuids: [users.ann, users.dora] },
    changes: {
      users: { ann: DELETED, dora: DELETED },
      userUsage: { ann: DELETED, dora: DELETED },
      userTraffic: { ann: DELETED, dora: DELETED },
      userAccesses: { ann: DELETED },
      userTrafficResets: { 'ann 7': DELETED, 'dora 35': DELETED },
      userNodeUsage: every(DELETED, DAYS, Object.keys(NODES), ['ann', 'dora']),
      internalSquadMembers: { 'gold ann': DELETED, 'silver ann': DELETED, 'silver dora': DELETED },
      hwidDevices: { 'ann phone': DELETED, 'ann tablet': DELETED },
      torrentReports: { 'alpha ann': DELETED },
      subscriptionRequests: { 'ann App/0': DELETED, 'ann App/0 #2': DELETED },
      changedUsers: { ann: ADDED },
      auditLog: { 'bulkDeleteUsers 2 users': ADDED },
    },
  }),
  bulkDeleteUsersByStatus: () => ({
    input: { status: 'EXPIRED' },
    changes: {
      users: { fay: DELETED, finn: DELETED },
      userUsage: { fay: DELETED, finn: DELETED },
      userTraffic: { fay: DELETED, finn: DELETED },
      userTrafficResets: { 'fay 56': DELETED, 'finn 63': DELETED },
      userNodeUsage: every(DELETED, DAYS, Object.keys(NODES), ['fay', 'finn']),
      internalSquadMembers: { 'gold fay': DELETED, 'bronze finn': DELETED },
      jobs: { deleteUsersByStatus: ended(2) },
      auditLog: recorded('bulkDeleteUsersByStatus', 'deleteUsersByStatus', 2, { status: 'EXPIRED' }),
    },
  }),
  bulkResetUsersTraffic: ({ users }) => ({
    input: { uuids: [users.ann, users.eve] },
    changes: {
      users: { eve: { status: 'ACTIVE', updatedAt: NOW } },
      userUsage: { ann: reset, eve: reset },
      userTrafficResets: { 'ann 900': added({ resetAt: NOW }), 'eve 5400': added({ resetAt: NOW }) },
      changedUsers: { eve: ADDED },
      jobs: { resetUsers: ended(2) },
      auditLog: recorded('bulkResetUsersTraffic', 'resetUsers', 2),
    },
  }),
  bulkRevokeUsersSubscription: ({ users }) => ({
    input: { uuids: [users.ann, users.dan] },
    changes: {
      users: { ann: revoked, dan: revoked },
      changedUsers: { ann: ADDED },
      jobs: { revokeUsers: ended(2) },
      auditLog: recorded('bulkRevokeUsersSubscription', 'revokeUsers', 2),
    },
  }),
  bulkUpdateUsers: ({ users }) => ({
    input: { uuids: [users.ann, users.dan], fields: { ...fields, status: 'DISABLED' } },
    changes: {
      users: { ann: { ...fields, status: 'DISABLED', updatedAt: NOW }, dan: { ...fields, updatedAt: NOW } },
      userUsage: { ann: { lastTriggeredThreshold: 0 }, dan: { lastTriggeredThreshold: 0 } },
      changedUsers: { ann: ADDED },
      jobs: { updateUsers: ended(2) },
      auditLog: recorded('bulkUpdateUsers', 'updateUsers', 2, { fields: { ...fields, status: 'DISABLED' } }),
    },
  }),
  bulkUpdateUsersSquads: ({ users, squads }) => ({
    input: { uuids: [users.ann, users.dan], activeInternalSquads: [squads.bronze] },
    changes: {
      internalSquadMembers: { 'gold ann': DELETED, 'silver ann': DELETED, 'bronze ann': ADDED, 'gold dan': DELETED },
      changedUsers: { ann: ADDED },
      auditLog: { 'bulkUpdateUsersSquads 2 users': ADDED },
    },
  }),
  bulkUpdateAllUsers: () => ({
    input: { tag: 'ALL' },
    changes: {
      users: every({ tag: 'ALL', updatedAt: NOW }, Object.keys(USERS)),
      auditLog: { 'bulkUpdateAllUsers 9 users': added({ details: { fields: { tag: 'ALL' } } }) },
    },
  }),
  bulkResetAllUsersTraffic: () => ({
    input: {},
    changes: {
      users: every({ status: 'ACTIVE', updatedAt: NOW }, ['eve', 'emil']),
      userUsage: every(reset, Object.keys(USERS)),
      userTrafficResets: every(
        added({ resetAt: NOW }),
        Object.keys(USERS).map((name, index) => `${name} ${900 * (index + 1)}`),
      ),
      changedUsers: { eve: ADDED, emil: ADDED },
      jobs: { resetAllUsers: ended(9) },
      auditLog: recorded('bulkResetAllUsersTraffic', 'resetAllUsers', 9),
    },
  }),
  // By the number of the first of them, as programs of 3.x name users.
  bulkExtendUsers: ({ users }) => ({
    input: { uuids: [users.ann, users.cat], extendDays: 2 },
    changes: {
      users: { ann: { expireAt: '2090-01-03T00:00:00.000Z', updatedAt: NOW } },
      jobs: { extendUsers: ended(2) },
      auditLog: recorded('extendUsers', 'extendUsers', 2, { months: 0, days: 2 }),
    },
  }),
  bulkExtendAllUsers: () => ({
    input: { extendDays: 2 },
    changes: {
      users: {
        ...every({ expireAt: '2090-01-03T00:00:00.000Z', updatedAt: NOW }, ['ann', 'ben', 'dan', 'dora', 'eve', 'emil']),
        ...every({ status: 'ACTIVE', expireAt: SOME_TEXT, updatedAt: NOW }, ['fay', 'finn']),
      },
      changedUsers: { fay: ADDED, finn: ADDED },
      jobs: { extendUsers: ended(9) },
      auditLog: recorded('extendUsers', 'extendUsers', 9, { months: 0, days: 2 }),
    },
  }),
  extendUser: ({ users }) => ({
    input: { uuid: users.ben, days: 3 },
    changes: {
      users: { ben: { expireAt: '2090-01-04T00:00:00.000Z', updatedAt: NOW } },
      auditLog: { 'extendUser ben': ADDED },
    },
  }),
  // Ben and Eve have the tag as well, and are in no line.
  importUsers: () => ({
    input: { csv: 'username,expireAt,tag\nann,,NEW\ngus,2090-01-01,NEW' },
    changes: {
      users: {
        ann: { tag: 'NEW', updatedAt: NOW },
        gus: added({
          tag: 'NEW',
          expireAt: '2090-01-01T23:59:59.000Z',
          status: 'ACTIVE',
          trafficLimitStrategy: 'NO_RESET',
          shortUuid: SOME_TEXT,
          trojanPassword: SOME_TEXT,
          ssPassword: SOME_TEXT,
          vlessUuid: SOME_UUID,
        }),
      },
      userUsage: { gus: ADDED },
      userTraffic: { gus: ADDED },
      changedUsers: { gus: ADDED },
      jobs: { importUsers: ended(2) },
      auditLog: {
        'importUsers 2 users': added({ details: { first: ['ann', 'gus'], jobId: 'importUsers' } }),
        'createImportedUsers 1 users': added({ details: { jobId: 'importUsers' } }),
        'updateImportedUsers 1 users': added({ details: { jobId: 'importUsers' } }),
      },
    },
  }),
  // Ben is in gold as Ann is, and not in the list.
  changeUsers: ({ users }) => ({
    input: { uuids: [users.ann, users.cat, users.eve], change: { kind: 'addTraffic', bytes: 50, isOnce: true }, expected: 3 },
    changes: {
      // Cat has no limit. Ann's traffic is never reset, so that what she gets for once stays.
      users: {
        ann: { trafficLimitBytes: 1050, updatedAt: NOW },
        eve: { trafficLimitBytes: 3050, extraTrafficBytes: 50, updatedAt: NOW },
      },
      userUsage: { ann: { lastTriggeredThreshold: 0 }, eve: { lastTriggeredThreshold: 0 } },
      jobs: { addTrafficToUsers: ended(3) },
      auditLog: recorded('bulkAddTraffic', 'addTrafficToUsers', 3, { bytes: 50, isOnce: true }),
    },
  }),
  addUserTraffic: ({ users }) => ({
    input: { uuid: users.eve, bytes: 9000, isOnce: true },
    changes: {
      users: { eve: { status: 'ACTIVE', trafficLimitBytes: 12000, extraTrafficBytes: 9000, updatedAt: NOW } },
      userUsage: { eve: { lastTriggeredThreshold: 0 } },
      changedUsers: { eve: ADDED },
      auditLog: { 'addUserTraffic eve': ADDED },
    },
  }),
  extendUsers: ({ users }) => ({
    input: { uuids: [users.ann, users.cat, users.fay], months: 1, days: 2 },
    changes: {
      // Cat never expires. How far Fay gets from now is for extend.rules.test.ts.
      users: {
        ann: { expireAt: '2090-02-03T00:00:00.000Z', updatedAt: NOW },
        fay: { status: 'ACTIVE', expireAt: SOME_TEXT, updatedAt: NOW },
      },
      changedUsers: { fay: ADDED },
      jobs: { extendUsers: ended(3) },
      auditLog: recorded('extendUsers', 'extendUsers', 3, { months: 1, days: 2 }),
    },
  }),
} satisfies Writes
