import type { Permission } from './permissions.ts'

// The actions that the history knows: of which kind each is, and whether it can be undone. An action is named after the endpoint
// that does it, or after the kind of job. The server cannot record one that is missing here.

/** Kinds of entries, by the area of permissions they belong to. */
const kinds = {
  user: 'users',
  squad: 'squads',
  node: 'nodes',
  host: 'hosts',
  profile: 'profiles',
  template: 'settings',
  settings: 'settings',
  billing: 'billing',
  token: 'tokens',
  view: 'views',
  webhook: 'webhooks',
  notice: 'notices',
  account: 'account',
  admin: 'admins',
  job: 'jobs',
  backup: 'backups',
} as const
export type HistoryKind = keyof typeof kinds
export const historyKinds = Object.keys(kinds) as HistoryKind[] // the type of keys() does not tell

/** The permission to see entries of a kind. */
export const readPermission = (kind: HistoryKind): Permission => `${kinds[kind]}.read`
/** The permission to undo entries of a kind: that of the opposite change. */
export const writePermission = (kind: HistoryKind): Permission => `${kinds[kind]}.write`

/** Why something cannot be undone. */
export const undoObstacles = [
  'signIn',
  'password',
  'factor',
  'colleague',
  'restart',
  'certificates',
  'byTime',
  'rollout',
  'request',
  'undone',
  'notKept',
  'files',
  'nothingChanged',
  'unknownAction',
] as const
export type UndoObstacle = (typeof undoObstacles)[number]

/** `rows`: from the rows of the entry, or of its job. Else why not. */
type Undoing = 'rows' | UndoObstacle

const rowsOf = <Name extends string>(kind: HistoryKind, names: readonly Name[]) => each(kind, 'rows', names)

function each<Name extends string>(kind: HistoryKind, undo: Undoing, names: readonly Name[]) {
  const entries = names.map((name) => [name, { kind, undo }] as const)
  return Object.fromEntries(entries) as Record<Name, { kind: HistoryKind; undo: Undoing }> // from these very names
}

export const historyActions = {
  ...rowsOf('user', [
    'createUser',
    'updateUser',
    'deleteUser',
    'disableUser',
    'enableUser',
    'resetUserTraffic',
    'addUserTraffic',
    'revokeUserSubscription',
    'createHwidDevice',
    'deleteHwidDevice',
    'deleteAllHwidDevices',
    'bulkDeleteUsers',
    'bulkUpdateUsersSquads',
    'bulkAddTraffic',
    'bulkUpdateUsers',
    'bulkUpdateAllUsers',
    'bulkResetUsersTraffic',
    'bulkResetAllUsersTraffic',
    'bulkRevokeUsersSubscription',
    'bulkDeleteUsersByStatus',
    'extendUsers',
    'extendUser',
    'setUserMetadata',
    // Batches of jobs.
    'updateUsers',
    'updateAllUsers',
    'resetUsers',
    'resetAllUsers',
    'revokeUsers',
    'deleteUsersByStatus',
    'addTrafficToUsers',
    'changeSquadsOfUsers',
    'deleteChosenUsers',
    'importUsers',
    'createImportedUsers',
    'updateImportedUsers',
  ]),
  ...each('user', 'byTime', ['expireUsers', 'returnUsers', 'limitUsers']),
  ...each('user', 'request', ['dropConnections']),
  ...rowsOf('squad', [
    'createInternalSquad',
    'updateInternalSquad',
    'deleteInternalSquad',
    'addUsersToInternalSquad',
    'removeUsersFromInternalSquad',
    'addAllToSquad',
    'removeAllFromSquad',
    'reorderInternalSquads',
    'createExternalSquad',
    'updateExternalSquad',
    'deleteExternalSquad',
    'addUsersToExternalSquad',
    'removeUsersFromExternalSquad',
    'addAllToExternalSquad',
    'removeAllFromExternalSquad',
    'reorderExternalSquads',
  ]),
  ...rowsOf('host', [
    'createHost',
    'updateHost',
    'bulkUpdateHosts',
    'deleteHost',
    'reorderHosts',
    'bulkEnableHosts',
    'bulkDisableHosts',
    'bulkDeleteHosts',
    'bulkSetHostsPort',
    'bulkSetHostsInbound',
  ]),
  ...each('host', 'byTime', ['returnHosts']),
  ...rowsOf('node', [
    'createNode',
    'updateNode',
    'deleteNode',
    'disableNode',
    'enableNode',
    'reorderNodes',
    'resetNodeTraffic',
    'setNodeMetadata',
    'createNodePlugin',
    'updateNodePlugin',
    'deleteNodePlugin',
    'reorderNodePlugins',
    'createSharedList',
    'updateSharedList',
    'deleteSharedList',
  ]),
  ...each('node', 'restart', ['restartNode', 'restartAllNodes', 'deliverClosingRule']),
  ...each('node', 'byTime', ['resetNodesTraffic']),
  ...each('node', 'certificates', ['renewAuthority', 'signNodeCertificate', 'revokeNodeCertificate']),
  ...each('node', 'request', ['makeJoinCode', 'executeNodePlugin', 'syncNodePlugin', 'syncSharedList']),
  ...each('node', 'notKept', ['truncateTorrentReports']),
  ...each('node', 'files', ['uploadGeoFile', 'deleteGeoFile']),
  ...each('node', 'rollout', [
    'startNodeUpdate',
    'pauseNodeUpdate',
    'continueNodeUpdate',
    'takeBackNodeUpdate',
    'finishNodeUpdate',
  ]),
  ...rowsOf('profile', [
    'createConfigProfile',
    'updateConfigProfile',
    'deleteConfigProfile',
    'reorderConfigProfiles',
    'finishRollout',
    'createSnippet',
    'updateSnippet',
    'deleteSnippet',
  ]),
  ...each('profile', 'restart', ['syncSnippet']),
  ...each('profile', 'rollout', ['startRollout', 'pauseRollout', 'continueRollout', 'waiveRolloutProof', 'takeBackRollout']),
  ...rowsOf('template', [
    'createSubscriptionTemplate',
    'updateSubscriptionTemplate',
    'makeTemplateDefault',
    'deleteSubscriptionTemplate',
    'reorderSubscriptionTemplates',
  ]),
  ...rowsOf('settings', [
    'updateSubscriptionSettings',
    'updateInstallation',
    'publishSubscriptionPage',
    'createPageConfig',
    'updatePageConfig',
    'clonePageConfig',
    'deletePageConfig',
    'reorderPageConfigs',
  ]),
  ...each('settings', 'notKept', ['importInstallation']),
  ...each('settings', 'request', ['runMoveIn', 'rehearseMoveIn', 'stopOldPanel', 'takeNodesOver', 'giveNodesBack', 'endMoveIn']),
  ...each('settings', 'files', ['uploadMoveInFile', 'deleteMoveInFile']),
  ...rowsOf('billing', [
    'createInfraProvider',
    'updateInfraProvider',
    'deleteInfraProvider',
    'createInfraBillingNode',
    'updateInfraBillingNode',
    'deleteInfraBillingNode',
    'createInfraBillingRecord',
    'deleteInfraBillingRecord',
  ]),
  ...rowsOf('view', ['createView', 'updateView', 'deleteView']),
  ...rowsOf('webhook', ['createWebhook', 'updateWebhook', 'deleteWebhook', 'rotateWebhookSecret']),
  ...each('webhook', 'request', ['resendFailedDeliveries', 'resendWebhookDelivery']),
  ...rowsOf('notice', [
    'createNoticeWay',
    'updateNoticeWay',
    'deleteNoticeWay',
    'createNoticeRule',
    'updateNoticeRule',
    'deleteNoticeRule',
  ]),
  ...each('notice', 'request', ['resendNoticeMessage']),
  ...rowsOf('token', ['createApiToken', 'updateApiToken', 'deleteApiToken']),
  ...each('account', 'signIn', ['login', 'logout', 'endSession', 'endOtherSessions', 'registerAdmin']),
  ...each('account', 'password', ['changePassword']),
  ...each('account', 'password', ['resetPassword']),
  ...each('account', 'signIn', ['unlockSignIn']),
  ...each('admin', 'colleague', [
    'inviteAdmin',
    'recallInvitation',
    'acceptInvitation',
    'admitAdmin',
    'updateAdmin',
    'removeAdmin',
    'createRole',
    'updateRole',
    'deleteRole',
    'createReseller',
    'updateReseller',
    'deleteReseller',
  ]),
  ...each('account', 'factor', [
    'linkIdentity',
    'unlinkIdentity',
    'resetSecondFactor',
    'confirmAuthenticator',
    'removeAuthenticator',
    'makeRecoveryCodes',
    'verifyPasskeyRegistration',
    'renamePasskey',
    'deletePasskey',
  ]),
  ...each('job', 'request', ['cancelJob']),
  ...rowsOf('backup', ['updateBackupSchedule', 'updateBackupTargets']),
  ...each('backup', 'files', ['makeBackup', 'deleteBackup', 'downloadBackup']),
} as const

/** An undo is of the kind of what it undoes. */
export const UNDO_ACTION = 'undoEntry'
export const UNDO_MANY_ACTION = 'undoEntries'
export type HistoryAction = keyof typeof historyActions | typeof UNDO_ACTION | typeof UNDO_MANY_ACTION

/** What deletes things that can be restored. */
export const deletingActions = [
  'deleteUser',
  'bulkDeleteUsers',
  'bulkDeleteUsersByStatus',
  'deleteInternalSquad',
  'deleteHost',
  'bulkDeleteHosts',
  'deleteNode',
  'deleteNodePlugin',
  'deleteSharedList',
  'deleteConfigProfile',
  'deleteSnippet',
  'deleteInfraProvider',
  'deleteInfraBillingNode',
  'deleteInfraBillingRecord',
  'deleteView',
  'deleteWebhook',
  'deleteNoticeWay',
  'deleteNoticeRule',
  'deleteApiToken',
] as const satisfies HistoryAction[]

export function isHistoryAction(name: string): name is keyof typeof historyActions {
  return Object.hasOwn(historyActions, name)
}
