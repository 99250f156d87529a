import type { EndpointName } from './declared.ts'
import type { Reads } from './read.ts'
import { adminReads } from './reads/admins.ts'
import { historyReads } from './reads/history.ts'
import { fleetReads } from './reads/fleet.ts'
import { laterReads } from './reads/later.ts'
import { nodePluginReads } from './reads/node-plugins.ts'
import { serviceReads } from './reads/service.ts'
import { usageReads } from './reads/usage.ts'
import { userReads } from './reads/users.ts'

/** By endpoint. */
export const reads: Reads = {
  ...userReads,
  ...usageReads,
  ...fleetReads,
  ...nodePluginReads,
  ...serviceReads,
  ...laterReads,
  ...historyReads,
  ...adminReads,
}

const RENDERED = 'what a subscription holds is compared with recordings and judged by real clients (features/serving, e2e)'
const OF_THE_PROCESS = 'tells about the process or the program, not about rows'
const RECEIVED = 'held against what receivers got (features/webhooks, features/notices)'
const OF_TAGS = 'what was set before (features/tags)'
const OF_AGENTS = 'what agents say of live connections and of their logs (features/connections)'
const PURE = 'computes from what is sent; nothing of a table is chosen'

/** Reads whose answers are held against something better than rows. */
export const elsewhere: { [Name in EndpointName]?: string } = {
  checkConfigProfile: PURE,
  checkSnippet: PURE,
  previewHostMapper: PURE,
  getNodeJoin: 'what scripts, agents and the fleet have done before (features/joining)',
  listDomainEvents: OF_THE_PROCESS,
  listWebhooks: RECEIVED,
  listWebhookDeliveries: RECEIVED,
  getWebhook: RECEIVED,
  getWebhookDelivery: RECEIVED,
  listNoticeWays: RECEIVED,
  getNoticeWay: RECEIVED,
  listNoticeRules: RECEIVED,
  getNoticeRule: RECEIVED,
  listNoticeMessages: RECEIVED,
  encryptHappLink: PURE,
  generateKeyPairs: PURE,
  getValidator: OF_THE_PROCESS,
  previewSubscriptionPage: PURE,
  getSecondFactor: 'what was set up before (features/second-factor)',
  listIdentities: 'what was linked before (features/identities)',
  listPasskeys: 'what was added before (features/passkeys)',
  getPasskeySignInOptions: 'a challenge, new with every call (features/passkeys)',
  followEvents: 'a stream (features/events)',
  getAuthStatus: OF_THE_PROCESS,
  getBuild: OF_THE_PROCESS,
  examineInstallation: OF_THE_PROCESS,
  getHealth: OF_THE_PROCESS,
  getRelease: OF_THE_PROCESS,
  listParts: OF_THE_PROCESS,
  getMusic: OF_THE_PROCESS,
  getSubscriptionPage: 'a published page of the world is none, so the built-in one stands for it (features/subscription-page)',
  getHwidSettings: OF_THE_PROCESS,
  getMetadata: OF_THE_PROCESS,
  getHttpStats: OF_THE_PROCESS,
  getConfiguration: OF_THE_PROCESS,
  getPanelSettings: OF_THE_PROCESS,
  getPageConfig: 'the page in another form (features/subscription-page)',
  listPageConfigs: 'the page in another form (features/subscription-page)',
  getSubpageConfig: 'whether there is such a user (features/generations)',
  listTokenScopes: OF_THE_PROCESS,
  listNodeTags: OF_TAGS,
  listNodePluginTags: OF_TAGS,
  listInternalSquadTags: OF_TAGS,
  listConfigProfileTags: OF_TAGS,
  listTemplateTags: OF_TAGS,
  listExternalSquadTags: OF_TAGS,
  listPageConfigTags: OF_TAGS,
  countAddressNodes: OF_AGENTS,
  previewNodePlugin: OF_AGENTS,
  readUserConnections: OF_AGENTS,
  getUserConnections: OF_AGENTS,
  readNodeConnections: OF_AGENTS,
  getNodeConnections: OF_AGENTS,
  fetchUserIps: OF_AGENTS,
  getUserIps: OF_AGENTS,
  fetchNodeIps: OF_AGENTS,
  getNodeIps: OF_AGENTS,
  getNodeLog: OF_AGENTS,
  getConnectionKeys: RENDERED,
  getInfraProviderIcon: 'a picture of another company (features/infra-billing)',
  listTemplateCatalogue: OF_THE_PROCESS,
  readTemplateCatalogue: OF_THE_PROCESS,
  getOutlineSubscription: RENDERED,
  getRawSubscription: RENDERED,
  getRawSubscriptionByShortUuid: RENDERED,
  getSsConfSubscription: RENDERED,
  getSubscription: RENDERED,
  getSubscriptionByClientType: RENDERED,
  previewSubscription: RENDERED,
  planExternalSquad: 'what is then served (features/subscriptions)',
  getResponseRulesRevision: 'a revision of a save (features/response-rules)',
  previewResponseRules: 'what is then served (features/response-rules)',
  testResponseRules: 'the caller’s own request (features/response-rules)',
  exportUsers: 'the rows of the users list as a stream (features/users/export.routes.test.ts)',
  getMoveIn: 'where an import is, which is followed through all its steps (features/move-in)',
  listBackups: 'what lies in a folder (features/backups)',
  downloadBackup: 'a stream of files (features/backups)',
  planUserImport: 'a preview of importUsers, held against what that does (features/user-import)',
  getUserAccess: 'the chain of access is walked over a real fleet (features/user-access)',
  exportHistory: 'a stream, compared with the list (features/history)',
  getHistoryEntry: 'read field by field after changes that are known (features/history)',
  planUndo: 'a plan is the undo itself, rolled back (features/undo)',
  planUndoOfActor: 'a plan is the undo itself, rolled back (features/undo)',
  planChange: 'a plan is held against what then happens (features/plan, test/plan-truth.ts)',
  getGeoFiles: 'what was uploaded before (features/geo-files)',
  getNodeUpdates: 'what agents say of themselves, and the last update (features/rollouts, e2e/systems)',
  prepareSnippetRollout: 'roll-outs are walked with agents (features/rollouts)',
  prepareRollout: 'roll-outs are walked with agents (features/config-profiles)',
  listTopUsers: 'an order that jobs keep, held against the ledger after each of their turns (features/users/kept-order.test.ts)',
  getSquadUsageByAddress: 'getSquadUsage under another address',
  getNodesRealtimeBandwidth: 'what a sample of an agent brought, kept in memory (features/nodes)',
  listNodesRealtimeUsage: 'what a sample of an agent brought, kept in memory (features/nodes)',
}
