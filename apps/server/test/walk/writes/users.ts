import type { Writes } from '../declared.ts'
import { ADDED, DELETED, NOW, SOME_TEXT, SOME_UUID, added, every } from '../rows.ts'
import { DAYS } from '../traces.ts'
import { NODES } from '../inhabitants.ts'

const MADE = '2025-05-05T05:05:05.000Z'
const RESET = '2025-06-06T06:06:06.000Z'

/** Every field that is edited, none of them as it is by itself. */
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
const credentials = { trojanPassword: 'trojan-password', ssPassword: 'ss-password-1' }
const VLESS = '6f1c0f2e-35b1-4c8f-9b57-0f6a2a9c1d11'

export const userWrites = {
  createUser: ({ squads }) => ({
    input: {
      ...fields,
      ...credentials,
      username: 'gus',
      status: 'LIMITED',
      shortUuid: 'short-gus',
      vlessUuid: VLESS,
      createdAt: MADE,
      lastTrafficResetAt: RESET,
      activeInternalSquads: [squads.silver, squads.bronze],
      uuid: 'e5b6c0a2-8f53-4e6b-a3c9-7f2d1b4a5c66',
    },
    changes: {
      users: {
        gus: added({
          ...fields,
          ...credentials,
          status: 'LIMITED',
          shortUuid: 'short-gus',
          vlessUuid: SOME_UUID,
          createdAt: MADE,
          madeBy: 'admin',
        }),
      },
      userUsage: { gus: added({ lastTrafficResetAt: RESET }) },
      userTraffic: { gus: ADDED },
      internalSquadMembers: { 'silver gus': ADDED, 'bronze gus': ADDED },
      auditLog: { 'createUser gus': ADDED },
    },
  }),
  updateUser: ({ users, squads }) => ({
    input: { ...fields, uuid: users.ben, status: 'DISABLED', activeInternalSquads: [squads.silver] },
    changes: {
      users: { ben: { ...fields, status: 'DISABLED', updatedAt: NOW } },
      userUsage: { ben: { lastTriggeredThreshold: 0 } },
      internalSquadMembers: { 'gold ben': DELETED, 'silver ben': ADDED },
      changedUsers: { ben: ADDED },
      auditLog: { 'updateUser ben': ADDED },
    },
  }),
  deleteUser: ({ users }) => ({
    input: { uuid: users.ben },
    changes: {
      users: { ben: DELETED },
      userUsage: { ben: DELETED },
      userTraffic: { ben: DELETED },
      userAccesses: { ben: DELETED },
      userTrafficResets: { 'ben 14': DELETED },
      userNodeUsage: every(DELETED, DAYS, Object.keys(NODES), ['ben']),
      internalSquadMembers: { 'gold ben': DELETED },
      hwidDevices: { 'ben phone': DELETED },
      torrentReports: { 'beta ben': DELETED },
      subscriptionRequests: { 'ben App/1': DELETED, 'ben App/1 #2': DELETED },
      changedUsers: { ben: ADDED },
      auditLog: { 'deleteUser ben': ADDED },
    },
  }),
  enableUser: ({ users }) => ({
    input: { uuid: users.dan },
    changes: {
      users: { dan: { status: 'ACTIVE', updatedAt: NOW } },
      changedUsers: { dan: ADDED },
      auditLog: { 'enableUser dan': ADDED },
    },
  }),
  disableUser: ({ users }) => ({
    input: { uuid: users.ben },
    changes: {
      users: { ben: { status: 'DISABLED', updatedAt: NOW } },
      changedUsers: { ben: ADDED },
      auditLog: { 'disableUser ben': ADDED },
    },
  }),
  resetUserTraffic: ({ users }) => ({
    input: { uuid: users.eve },
    changes: {
      users: { eve: { status: 'ACTIVE', updatedAt: NOW } },
      userUsage: { eve: { usedTrafficBytes: 0, lastTrafficResetAt: NOW, lastTriggeredThreshold: 0 } },
      userTrafficResets: { 'eve 5400': added({ resetAt: NOW }) },
      changedUsers: { eve: ADDED },
      auditLog: { 'resetUserTraffic eve': ADDED },
    },
  }),
  revokeUserSubscription: ({ users }) => ({
    input: { uuid: users.ben, shortUuid: 'another-link' },
    changes: {
      users: {
        ben: {
          shortUuid: 'another-link',
          trojanPassword: SOME_TEXT,
          vlessUuid: SOME_UUID,
          ssPassword: SOME_TEXT,
          subRevokedAt: NOW,
          updatedAt: NOW,
        },
      },
      changedUsers: { ben: ADDED },
      auditLog: { 'revokeUserSubscription ben': ADDED },
    },
  }),
  createHwidDevice: ({ users }) => ({
    input: { userUuid: users.ben, hwid: 'watch', platform: 'wearOS', osVersion: '5', deviceModel: 'Round', userAgent: 'Happ/9' },
    changes: {
      hwidDevices: { 'ben watch': added({ platform: 'wearOS', osVersion: '5', deviceModel: 'Round', userAgent: 'Happ/9' }) },
      auditLog: { 'createHwidDevice ben': ADDED },
    },
  }),
  deleteHwidDevice: ({ users }) => ({
    input: { userUuid: users.ann, hwid: 'phone' },
    changes: { hwidDevices: { 'ann phone': DELETED }, auditLog: { 'deleteHwidDevice ann': ADDED } },
  }),
  // No agent of the world answers, so that the history alone changes.
  dropConnections: ({ users }) => ({
    input: { dropBy: { by: 'userUuids', userUuids: [users.ann] }, targetNodes: { target: 'allNodes' } },
    changes: { auditLog: { 'dropConnections ann': added({ details: { users: 1 } }) } },
  }),
  dropIpConnections: () => ({
    input: { dropBy: { by: 'ipAddresses', ipAddresses: ['198.51.100.1'] }, targetNodes: { target: 'allNodes' } },
    changes: { auditLog: { 'dropConnections 1 addresses': added({ details: { users: 0 } }) } },
  }),
  deleteAllHwidDevices: ({ users }) => ({
    input: { userUuid: users.ann },
    changes: {
      hwidDevices: { 'ann phone': DELETED, 'ann tablet': DELETED },
      auditLog: { 'deleteAllHwidDevices ann': ADDED },
    },
  }),
} satisfies Writes
