import type { Tables } from './tables.ts'

// The rows that the audit log keeps of the tables. Inserted and deleted rows are kept whole, updated ones by changed
// columns. Laying the rows before over those after takes a change back (docs/decisions/017).

interface Audited<T> {
  key: readonly (keyof T & string)[]
  /** Kept wrapped by the master key only. */
  secret?: readonly (keyof T & string)[]
  /** Kept as the text it is stored as: JSON whose order and digits matter, and decimals. */
  asText?: readonly (keyof T & string)[]
  /** The only columns kept; all, unless given. */
  only?: readonly (keyof T & string)[]
}

/** Parents come before what hangs on them: an undo inserts in this order, and deletes in the opposite one. */
const tables = {
  admins: { key: ['id'], secret: ['passwordHash'] },
  apiTokens: { key: ['uuid'] },
  configProfiles: { key: ['id'], secret: ['config'], asText: ['config'] },
  configProfileInbounds: { key: ['id'], secret: ['rawInbound'], asText: ['rawInbound'] },
  configProfileRollouts: { key: ['id'], secret: ['config', 'snippet'], asText: ['config', 'snippet'] },
  snippets: { key: ['id'], secret: ['snippet'], asText: ['snippet'] },
  internalSquads: { key: ['id'] },
  internalSquadInbounds: { key: ['squadId', 'inboundId'] },
  infraProviders: { key: ['id'] },
  nodePlugins: { key: ['id'], asText: ['config'] },
  sharedLists: { key: ['id'], asText: ['items'] },
  nodes: { key: ['id'] },
  nodeInbounds: { key: ['nodeId', 'inboundId'] },
  nodeStates: { key: ['nodeId'], only: ['nodeId', 'trafficUsedBytes'] },
  nodeTrafficResets: { key: ['id'] },
  nodeMetadata: { key: ['nodeId'], asText: ['metadata'] },
  nodeUsageDays: { key: ['day', 'nodeId'] },
  infraBillingNodes: { key: ['id'] },
  infraBillingRecords: { key: ['id'], asText: ['amount'] },
  // A template may hold outbounds of the administrator's own, with their keys.
  subscriptionTemplates: { key: ['uuid'], secret: ['templateYaml', 'templateJson'], asText: ['templateJson'] },
  subscriptionPageConfigs: { key: ['uuid'], asText: ['config'] },
  externalSquads: { key: ['uuid'] },
  externalSquadTemplates: { key: ['squadUuid', 'templateType'] },
  users: { key: ['id'], secret: ['shortUuid', 'trojanPassword', 'vlessUuid', 'ssPassword'] },
  userMetadata: { key: ['userId'], asText: ['metadata'] },
  userUsage: { key: ['userId'] },
  userAccesses: { key: ['userId'] },
  userTrafficResets: { key: ['id'] },
  userNodeUsage: { key: ['day', 'nodeId', 'userId'] },
  internalSquadMembers: { key: ['squadId', 'userId'] },
  hwidDevices: { key: ['userId', 'hwid'] },
  savedViews: { key: ['id'] },
  webhooks: { key: ['id'], secret: ['secret', 'previousSecret'] },
  webhookStates: { key: ['webhookId'], only: ['webhookId', 'position'] },
  noticeWays: { key: ['id'], secret: ['secret'] },
  noticeRules: { key: ['id'] },
  hosts: { key: ['id'], asText: ['xHttpExtraParams', 'muxParams', 'sockoptParams', 'finalMask', 'mapper'] },
  hostNodes: { key: ['hostId', 'nodeId'] },
  installation: { key: ['uuid'], secret: ['backupStore', 'backupLockedKey'] },
  subscriptionPages: { key: ['uuid'], asText: ['config'] },
  subscriptionSettings: { key: ['uuid'], asText: ['responseRules'] },
} as const satisfies { [T in keyof Tables]?: Audited<Tables[T]> }

export type AuditedTable = keyof typeof tables

interface Columns {
  key: readonly string[]
  secret?: readonly string[]
  asText?: readonly string[]
  only?: readonly string[]
}

export const audited: Record<AuditedTable, Columns> = tables

type OwnedRows = { [T in AuditedTable]?: (keyof Tables[T] & string) | typeof OF_PROFILE }

/** Rows that hang on an inbound, found by the profile of that inbound. */
export const OF_PROFILE = 'inboundId of profile'

const user = { users: 'id', internalSquadMembers: 'userId' } as const
const squad = { internalSquads: 'id', internalSquadInbounds: 'squadId' } as const
const node = { nodes: 'id', nodeInbounds: 'nodeId' } as const

/** Which rows change with a thing of the domain, and by which column they belong to it. Parents come first. */
export const auditedThings = {
  admin: { admins: 'id' },
  apiToken: { apiTokens: 'uuid' },
  billingNode: { infraBillingNodes: 'uuid' },
  billingRecord: { infraBillingRecords: 'uuid' },
  devices: { hwidDevices: 'userId' },
  host: { hosts: 'id', hostNodes: 'hostId' },
  installation: { installation: 'uuid' },
  node,
  nodePlace: { nodes: 'uuid' },
  nodeTraffic: { nodeStates: 'nodeId', nodeTrafficResets: 'nodeId' },
  nodeMetadata: { nodeMetadata: 'nodeId' },
  nodePlugin: { nodePlugins: 'id' },
  nodePluginPlace: { nodePlugins: 'uuid' },
  // Its nodes stay without it.
  wholeNodePlugin: { nodePlugins: 'id', nodes: 'pluginId' },
  sharedList: { sharedLists: 'id' },
  profilePlace: { configProfiles: 'uuid' },
  squadPlace: { internalSquads: 'uuid' },
  userMetadata: { userMetadata: 'userId' },
  wholeNode: {
    ...node,
    nodeStates: 'nodeId',
    nodeTrafficResets: 'nodeId',
    nodeMetadata: 'nodeId',
    nodeUsageDays: 'nodeId',
    infraBillingNodes: 'nodeId',
    hostNodes: 'nodeId',
  },
  // Its hosts and nodes stay without it.
  profile: {
    configProfiles: 'id',
    configProfileInbounds: 'profileId',
    nodes: 'activeConfigProfileId',
    nodeInbounds: OF_PROFILE,
    internalSquadInbounds: OF_PROFILE,
    hosts: 'configProfileId',
  },
  // Its nodes stay without it.
  provider: { infraProviders: 'id', nodes: 'providerId', infraBillingNodes: 'providerId', infraBillingRecords: 'providerId' },
  rollout: { configProfileRollouts: 'id' },
  snippet: { snippets: 'id' },
  squad,
  wholeSquad: { ...squad, internalSquadMembers: 'squadId' },
  subscriptionPage: { subscriptionPages: 'uuid' },
  subscriptionSettings: { subscriptionSettings: 'uuid' },
  subscriptionTemplate: { subscriptionTemplates: 'uuid' },
  // Squads stay without it.
  wholeTemplate: { subscriptionTemplates: 'uuid', externalSquadTemplates: 'templateUuid' },
  pageConfig: { subscriptionPageConfigs: 'uuid' },
  wholePageConfig: { subscriptionPageConfigs: 'uuid', externalSquads: 'subpageConfigUuid' },
  externalSquad: { externalSquads: 'uuid', externalSquadTemplates: 'squadUuid' },
  externalSquadPlace: { externalSquads: 'uuid' },
  // Its members stay without it.
  wholeExternalSquad: { externalSquads: 'uuid', externalSquadTemplates: 'squadUuid', users: 'externalSquadUuid' },
  view: { savedViews: 'uuid' },
  webhook: { webhooks: 'id', webhookStates: 'webhookId' },
  noticeWay: { noticeWays: 'id', noticeRules: 'madeWithWayId' },
  noticeRule: { noticeRules: 'id' },
  user,
  members: { internalSquadMembers: 'userId' },
  userTraffic: { users: 'id', userUsage: 'userId', userTrafficResets: 'userId' },
  wholeUser: {
    ...user,
    userUsage: 'userId',
    userAccesses: 'userId',
    userTrafficResets: 'userId',
    userNodeUsage: 'userId',
    hwidDevices: 'userId',
    userMetadata: 'userId',
  },
} as const satisfies Record<string, OwnedRows>

export type AuditedThing = keyof typeof auditedThings
