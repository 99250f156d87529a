import type { Endpoint } from './endpoint.ts'
import type { Permission } from './permissions.ts'

// Endpoints that administrators and tokens of a reseller may call. An endpoint that is missing here is refused to them.

/** The kind of thing that a member of the input names. Names of users and squads that a reseller does not see are read as names of none. */
export type Named = 'uuid' | 'shortUuid' | 'username' | 'squad' | 'externalSquad'

/** Members of the input that name users or squads, lists of them too; a dot leads into an inner object. */
export type NamedMembers = Readonly<Record<string, Named>>

const none: NamedMembers = {}
const user: NamedMembers = { uuid: 'uuid' }
const owner: NamedMembers = { userUuid: 'uuid' }
const users: NamedMembers = { uuids: 'uuid' }
const byShortUuid: NamedMembers = { shortUuid: 'shortUuid' }
const byUsername: NamedMembers = { username: 'username' }

/** By name. What is read of many users takes the caller's scope; what names users is given none but those of the scope. */
const open: Readonly<Record<string, NamedMembers>> = {
  // The own account
  getAccount: none,
  changePassword: none,
  listSessions: none,
  endSession: none,
  endOtherSessions: none,
  logout: none,
  getSecondFactor: none,
  startAuthenticator: none,
  confirmAuthenticator: none,
  removeAuthenticator: none,
  makeRecoveryCodes: none,
  listPasskeys: none,
  getPasskeyRegistrationOptions: none,
  verifyPasskeyRegistration: none,
  renamePasskey: none,
  deletePasskey: none,
  listIdentities: none,
  startIdentityLink: none,
  linkIdentity: none,
  unlinkIdentity: none,
  getProofOptions: none,
  proveIdentity: none,
  // One user
  createUser: { activeInternalSquads: 'squad', externalSquadUuid: 'externalSquad' },
  updateUser: { uuid: 'uuid', username: 'username', activeInternalSquads: 'squad', externalSquadUuid: 'externalSquad' },
  deleteUser: user,
  getUser: user,
  getUserById: user,
  getUserByShortUuid: byShortUuid,
  getUserByUsername: byUsername,
  resolveUser: { uuid: 'uuid', shortUuid: 'shortUuid', username: 'username' },
  enableUser: user,
  disableUser: user,
  extendUser: user,
  resetUserTraffic: user,
  addUserTraffic: user,
  revokeUserSubscription: user,
  getUserAccess: user,
  getUserAccessibleNodes: user,
  getUserUsage: user,
  getUserBandwidth: user,
  getUserBandwidthLegacy: user,
  getUserMetadata: user,
  setUserMetadata: user,
  listUserSubscriptionRequests: user,
  listUserHwidDevices: owner,
  createHwidDevice: owner,
  deleteHwidDevice: owner,
  deleteAllHwidDevices: owner,
  getConnectionKeys: user,
  getSubscriptionById: user,
  getSubscriptionByUuid: user,
  getSubscriptionByShortUuid: byShortUuid,
  getSubscriptionByUsername: byUsername,
  getRawSubscription: byShortUuid,
  getRawSubscriptionByShortUuid: byShortUuid,
  // Many users
  listUsers: none,
  exportUsers: none,
  streamUsers: none,
  listUserTags: none,
  searchAll: none,
  getUserCounts: none,
  listHwidDevices: none,
  findHwidDevices: none,
  listTopHwidUsers: none,
  getHwidStats: none,
  listUsersByTelegramId: none,
  listUsersByEmail: none,
  listUsersByTag: none,
  listTopUsers: none,
  listUsersNearLimit: none,
  listSubscriptions: none,
  getUsersImpact: users,
  previewExpiry: users,
  planUserImport: none,
  importUsers: none,
  changeUsers: {
    uuids: 'uuid',
    'change.squads': 'squad',
    'change.from': 'squad',
    'change.fields.externalSquadUuid': 'externalSquad',
  },
  extendUsers: users,
  bulkDeleteUsers: users,
  bulkDeleteUsersByStatus: none,
  bulkExtendUsers: users,
  bulkExtendAllUsers: none,
  bulkResetUsersTraffic: users,
  bulkResetAllUsersTraffic: none,
  bulkRevokeUsersSubscription: users,
  bulkUpdateUsers: { uuids: 'uuid', 'fields.externalSquadUuid': 'externalSquad' },
  bulkUpdateAllUsers: { externalSquadUuid: 'externalSquad' },
  bulkUpdateUsersSquads: { uuids: 'uuid', activeInternalSquads: 'squad' },
  // Their squads
  listInternalSquads: none,
  getInternalSquad: { uuid: 'squad' },
  getInternalSquadAccessibleNodes: { uuid: 'squad' },
  // Their own tokens, which see no more than they do
  createApiToken: none,
  createLimitedApiToken: none,
  listApiTokens: none,
  listApiTokenDetails: none,
  getApiTokenDetails: none,
  updateApiToken: none,
  deleteApiToken: none,
  listTokenScopes: none,
  // Their own changes
  listHistory: none,
  listDeleted: none,
  listHistoryActors: none,
  exportHistory: none,
  getHistoryEntry: none,
  planUndo: none,
  undoEntry: none,
  // The same for all
  getHwidSettings: none,
}

/** The most that a reseller's role gives. The fleet, its keys and the settings concern everyone's users. */
const most: ReadonlySet<Permission> = new Set<Permission>([
  'users.read',
  'users.write',
  'users.delete',
  'squads.read',
  'subscriptions.read',
  'history.read',
  'tokens.read',
  'tokens.write',
  'account.read',
  'account.write',
  'session.end',
])

export function resellerPermissions(held: ReadonlySet<Permission>): ReadonlySet<Permission> {
  return new Set([...held].filter((name) => most.has(name)))
}

export function isOpenToResellers({ name }: Pick<Endpoint, 'name'>): boolean {
  return Object.hasOwn(open, name)
}

export function namedMembers({ name }: Pick<Endpoint, 'name'>): NamedMembers {
  return open[name] ?? none
}

/** All that are open, by name. */
export const openToResellers: readonly string[] = Object.keys(open)
