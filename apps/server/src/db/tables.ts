import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type {
  BuiltInRole,
  CertificateFailure,
  DeliveryState,
  EventName,
  ExpiryNames,
  Generation,
  JobStatus,
  JoinFailure,
  MoveInPanel,
  NoticeCondition,
  NoticeDigest,
  NoticeLanguage,
  NoticeMessageState,
  NoticeWayKind,
  Permission,
  ExcludedType,
  HostMapper,
  NodeIp,
  RenamedTag,
  ResponseRules,
  NodePart,
  NodePhase,
  RolloutFailure,
  RolloutNodeState,
  RolloutState,
  SquadHostOverrides,
  HwidSettings,
  SquadHwidSettings,
  SquadRemarks,
  SquadSettings,
  TemplateType,
  TrafficLimitStrategy,
  UnreachedReason,
  UserStatus,
  ViewPage,
} from '@causeway/contract'

/** The purpose of the browser's answer to a challenge. */
export type PasskeyPurpose = 'registration' | 'signIn' | 'secondStep' | 'proof'

// The whole data model on one page. Names are the API's own words; a test holds this page against the migrated database.
// Bytes and ids are numbers (they stay below 2^53), instants are Date when read and Date or ISO text when written.

type Id = Generated<number>
type Uuid = Generated<string>
type Instant = ColumnType<Date, Date | string, Date | string>
type DefaultInstant = ColumnType<Date, Date | string | undefined, Date | string>
type MaybeInstant = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
/** Read as parsed JSON, written as JSON text. */
type Json = ColumnType<unknown, string, string>
type MaybeJson = ColumnType<unknown, string | null | undefined, string | null>
type Strings = JSONColumnType<string[]>
type Tags = JSONColumnType<string[], string | undefined>

export interface Timestamps {
  createdAt: DefaultInstant
  updatedAt: DefaultInstant
}

export interface Tables {
  /** `role` is that of the wire. */
  admins: {
    id: Id
    uuid: Uuid
    username: string
    passwordHash: string
    role: Generated<string>
    builtInRole: ColumnType<BuiltInRole | null, BuiltInRole | null | undefined, BuiltInRole | null>
    roleId: number | null
    /** null: every user is seen. */
    resellerId: number | null
  } & Timestamps
  /** Squads whose users administrators and tokens see, and what they may promise; null bounds nothing. */
  resellers: {
    id: Id
    uuid: Uuid
    name: string
    squadUuids: string[]
    maxUsers: number | null
    maxBytes: number | null
    /** The longest expiry from now. */
    maxDays: number | null
  } & Timestamps
  roles: { id: Id; uuid: Uuid; name: string; permissions: ColumnType<Permission[], string, string> } & Timestamps
  invitations: {
    uuid: Uuid
    tokenHash: string
    note: string
    builtInRole: BuiltInRole | null
    roleId: number | null
    resellerId: number | null
    invitedBy: string
    createdAt: DefaultInstant
    expiresAt: Instant
    acceptedAt: MaybeInstant
    recalledAt: MaybeInstant
  }
  sessions: {
    uuid: Uuid
    adminId: number
    address: string | null
    userAgent: string | null
    createdAt: DefaultInstant
    expiresAt: Instant
    revokedAt: MaybeInstant
    /** The time of the last proof of identity; null for a program that speaks the wire. */
    provenAt: MaybeInstant
  }
  /** A second factor by one-time codes. The secret is wrapped; it counts once a code has confirmed it. */
  authenticators: {
    adminId: number
    secret: string
    confirmedAt: MaybeInstant
    lastStep: Generated<number>
    createdAt: DefaultInstant
  }
  recoveryCodes: { adminId: number; codeHash: string }
  passkeys: {
    id: string
    adminId: number
    name: string
    publicKey: Buffer
    counter: number
    transports: Generated<string[]>
    createdAt: DefaultInstant
    lastUsedAt: MaybeInstant
  }
  passkeyChallenges: { challengeHash: string; purpose: PasskeyPurpose; adminId: number | null; expiresAt: Instant }
  apiTokens: {
    uuid: Uuid
    tokenName: string
    expiresAt: MaybeInstant
    permissions: ColumnType<Permission[] | null, string | null | undefined, string | null>
    isShownOnce: Generated<boolean>
    generation: Generation | null
    /** As a program of 3.x has asked for them; null: it has not. */
    scopes: ColumnType<string[] | null, string | null | undefined, string | null>
    /** SHA-256 of the text of a token that another installation signed. */
    textHash: string | null
    madeBy: string | null
    resellerId: number | null
  } & Timestamps
  apiTokenUses: { tokenUuid: string; lastUsedAt: Instant; lastUsedFrom: string | null; lastUserAgent: string | null }
  signInAttempts: { id: Id; address: string; account: string; at: DefaultInstant }
  adminIdentities: {
    uuid: Generated<string>
    provider: string
    subject: string
    label: string
    adminId: number
    createdAt: DefaultInstant
  }
  oauth2States: { stateHash: string; provider: string; browserHash: string; expiresAt: Instant }
  secrets: { name: string; wrapped: Buffer; createdAt: DefaultInstant }
  auditLog: {
    id: Id
    at: DefaultInstant
    actorKind: string
    actorUuid: string | null
    actorName: string | null
    address: string | null
    action: string
    target: string | null
    before: MaybeJson
    after: MaybeJson
    details: MaybeJson
    kind: string | null
    name: string | null
    count: Generated<number>
    jobId: string | null
    undoes: number | null
    undoneBy: number | null
    touched: string[] | null
    resellerId: Generated<number | null>
  }

  configProfiles: {
    id: Id
    uuid: Uuid
    name: string
    config: Json
    viewPosition: Generated<number>
    tags: Tags
  } & Timestamps
  configProfileInbounds: {
    id: Id
    uuid: Uuid
    profileId: number
    tag: string
    type: string
    network: string | null
    security: string | null
    port: number | null
    rawInbound: MaybeJson
  }
  snippets: { id: Id; uuid: Uuid; name: string; snippet: Json } & Timestamps
  configProfileRollouts: {
    id: Id
    uuid: Uuid
    /** Null for updates of nodes, which have a part and its version. */
    profileId: number | null
    jobId: string | null
    config: MaybeJson
    /** Of a roll-out of a snippet, with its next content. */
    snippetId: number | null
    snippet: MaybeJson
    part: NodePart | null
    version: string | null
    /** Nothing is begun before. */
    beginsAt: MaybeInstant
    renamed: JSONColumnType<RenamedTag[]>
    followingHosts: JSONColumnType<string[], string | undefined>
    reason: string | null
    actorKind: string
    actorName: string | null
    state: ColumnType<RolloutState, 'running' | undefined, RolloutState>
    isPaused: Generated<boolean>
    isProofWaived: Generated<boolean>
    error: string | null
    startedAt: DefaultInstant
    endedAt: MaybeInstant
  }
  configProfileRolloutInbounds: { rolloutId: number; inboundId: number; tag: string; rawInbound: Json }
  configProfileRolloutNodes: {
    rolloutId: number
    nodeId: number
    wave: number
    state: ColumnType<RolloutNodeState, RolloutNodeState | undefined, RolloutNodeState>
    since: DefaultInstant
    usersBefore: Generated<number>
    usersBack: Generated<number>
    firstReading: number | null
    baseReading: number | null
    lastReading: number | null
    coreEpoch: string | null
    startsAsked: Generated<number>
    downloadBytes: Generated<number>
    failure: RolloutFailure | null
    said: string | null
  }
  internalSquads: { id: Id; uuid: Uuid; name: string; viewPosition: Generated<number>; tags: Tags } & Timestamps
  internalSquadInbounds: { squadId: number; inboundId: number }
  internalSquadMembers: { squadId: number; userId: number }

  /** Parts that members get in place of the settings of the installation; null parts replace nothing. */
  externalSquads: {
    uuid: Uuid
    name: string
    subscriptionSettings: ColumnType<SquadSettings | null, string | null, string | null>
    hostOverrides: ColumnType<SquadHostOverrides | null, string | null, string | null>
    responseHeadersAdd: ColumnType<Record<string, string>, string | undefined, string>
    responseHeadersRemove: ColumnType<string[], string | undefined, string>
    hwidSettings: ColumnType<SquadHwidSettings | null, string | null, string | null>
    customRemarks: ColumnType<SquadRemarks | null, string | null, string | null>
    subpageConfigUuid: string | null
    viewPosition: Generated<number>
    tags: Tags
  } & Timestamps
  externalSquadTemplates: { squadUuid: string; templateType: TemplateType; templateUuid: string }
  /** The one of all zeros is the default; it is stored once it was changed. */
  subscriptionPageConfigs: {
    uuid: Uuid
    name: string
    config: Json
    viewPosition: Generated<number>
    tags: Tags
  } & Timestamps

  infraProviders: { id: Id; uuid: Uuid; name: string; faviconLink: string | null; loginUrl: string | null } & Timestamps
  infraBillingNodes: {
    id: Id
    uuid: Uuid
    nodeId: number
    providerId: number
    /** The instant as it was sent. Its day, and the day of the month that the bill was made for, are kept by a trigger. */
    nextBillingAt: Instant
    nextBillingOn: Generated<string>
    billingDay: Generated<number>
  } & Timestamps
  infraBillingRecords: {
    id: Id
    uuid: Uuid
    providerId: number
    amount: ColumnType<string, number | string, number | string>
    /** The instant as it was sent; what counts is its day, kept by a trigger. */
    billedAt: Instant
    billedOn: Generated<string>
  }

  nodes: {
    id: Id
    uuid: Uuid
    name: string
    address: string
    port: number | null
    isDisabled: Generated<boolean>
    isTrafficTrackingActive: Generated<boolean>
    trafficLimitBytes: Generated<number>
    notifyPercent: Generated<number>
    trafficResetDay: Generated<number>
    countryCode: Generated<string>
    consumptionMultiplier: Generated<number>
    activeConfigProfileId: number | null
    providerId: number | null
    pluginId: number | null
    viewPosition: Generated<number>
    tags: Tags
    note: string | null
    ips: JSONColumnType<NodeIp[], string | undefined, string>
  } & Timestamps
  nodePlugins: {
    id: Id
    uuid: Uuid
    name: string
    viewPosition: Generated<number>
    config: ColumnType<unknown, string | null, string | null>
    tags: Tags
  } & Timestamps
  geoFiles: {
    name: string
    kind: 'geoip' | 'geosite'
    bytes: number
    digest: string
    lists: string[]
    content: Buffer
    revision: number
    uploadedAt: Instant
    uploadedBy: string | null
  }
  geoFilePieces: { name: string; offset: number; content: Buffer; receivedAt: Instant }
  sharedLists: { id: Id; name: string; items: ColumnType<string[], string, string> } & Timestamps
  torrentReports: {
    id: Id
    uuid: string
    nodeId: number
    userId: number
    ip: string
    isBlocked: boolean
    blockSeconds: number
    match: ColumnType<unknown, string, string>
    at: Instant
    createdAt: DefaultInstant
  }
  nodeInbounds: { nodeId: number; inboundId: number }
  nodeStates: {
    nodeId: number
    isConnected: Generated<boolean>
    isConnecting: Generated<boolean>
    isNodeOnline: Generated<boolean>
    isXrayRunning: Generated<boolean>
    lastStatusChange: MaybeInstant
    lastStatusMessage: string | null
    xrayVersion: string | null
    nodeVersion: string | null
    xrayUptime: Generated<string>
    usersOnline: Generated<number>
    /** The most users online at a time: since `usersPeakSince`, and in the five minutes before it. */
    usersPeak: Generated<number>
    usersPeakBefore: Generated<number>
    usersPeakSince: MaybeInstant
    cpuCount: number | null
    cpuModel: string | null
    totalRam: string | null
    trafficUsedBytes: Generated<number>
    warning: string | null
    startRequestedAt: MaybeInstant
    startsAsked: Generated<number>
    isRestartForced: Generated<boolean>
    compareRequestedAt: MaybeInstant
    runningConfigHash: string | null
    closedPorts: number[] | null
    coreEpoch: string | null
    coreStartedAt: MaybeInstant
    sampleSequence: Generated<number>
    accountedThroughAt: MaybeInstant
    stopRequestedAt: MaybeInstant
    requestTicket: Generated<number>
    trafficNotifiedAt: MaybeInstant
    certificateExpiresAt: MaybeInstant
    testsConfig: Generated<boolean>
    isUpdatable: Generated<boolean>
    /** Empty where the node has no geo files from here; null where its agent takes none. */
    geoVersion: string | null
    /** What the fleet is to do, until it is done. Then the release that the part came from, or why it was refused. */
    filtersRequestedAt: Instant | null
    filtersAt: MaybeInstant
    filterProblem: string | null
    partWanted: NodePart | null
    isPartReturned: Generated<boolean>
    partDigest: string | null
    partError: string | null
    isSettling: Generated<boolean>
  }
  /** A row for each change, written by a trigger. */
  nodePhases: { nodeId: number; beganAt: Instant; phase: NodePhase; reason: string | null }
  /** One a node: the newest code, and how far joining has come. */
  nodeJoins: {
    nodeId: number
    codeHash: Buffer
    madeAt: Instant
    expiresAt: Instant
    fetchedAt: MaybeInstant
    downloadedAt: MaybeInstant
    signedAt: MaybeInstant
    installedAt: MaybeInstant
    reachedAt: MaybeInstant
    startedAt: MaybeInstant
    servingAt: MaybeInstant
    failure: JoinFailure | null
    failureDetail: string | null
    failedAt: MaybeInstant
    unreached: UnreachedReason | null
    isCalling: Generated<boolean>
  }
  /** Signed for keys that nodes have made. By uuid, so that a node that is deleted and comes back has them. */
  nodeCertificates: {
    fingerprint: string
    nodeUuid: string
    signedAt: Instant
    endsAt: Instant
    seenAt: MaybeInstant
    revokedAt: MaybeInstant
    isCalling: Generated<boolean>
  }
  nodeLeases: { nodeId: number; owner: string; generation: number; expiresAt: Instant }
  /** `day`: what a reset by itself was made for; null of those by hand. */
  nodeTrafficResets: { id: Id; nodeId: number; trafficBytes: number; resetAt: DefaultInstant; day: string | null }

  users: {
    id: Id
    uuid: Uuid
    shortUuid: string
    username: string
    status: ColumnType<UserStatus, UserStatus | undefined, UserStatus>
    trafficLimitBytes: Generated<number>
    /** Part of the limit that the next reset takes back. */
    extraTrafficBytes: Generated<number>
    trafficLimitStrategy: ColumnType<TrafficLimitStrategy, TrafficLimitStrategy | undefined, TrafficLimitStrategy>
    expireAt: Instant
    description: string | null
    tag: string | null
    telegramId: number | null
    email: string | null
    hwidDeviceLimit: number | null
    trojanPassword: string
    vlessUuid: string
    ssPassword: string
    subRevokedAt: MaybeInstant
    externalSquadUuid: string | null
    /** The administrator or token that made it. */
    madeBy: string | null
  } & Timestamps
  /** Connected users and their addresses, kept for minutes. */
  connectionReadings: {
    id: Generated<string>
    kind: 'user' | 'node'
    subjectId: number
    done: Generated<number>
    total: number
    result: MaybeJson
    finishedAt: MaybeInstant
    expiresAt: Instant
  }
  /** Metadata that programs keep with a user or node. */
  userMetadata: { userId: number; metadata: Json }
  nodeMetadata: { nodeId: number; metadata: Json }
  /** Columns that change with every poll; one row per user, inserted with the user. */
  userUsage: {
    userId: number
    usedTrafficBytes: Generated<number>
    lifetimeUsedTrafficBytes: Generated<number>
    onlineAt: MaybeInstant
    firstConnectedAt: MaybeInstant
    lastConnectedNodeId: number | null
    lastTrafficResetAt: MaybeInstant
    lastTriggeredThreshold: Generated<number>
    /** Days are dates as text. Sums are of closed days before `sumsDay`; null: nothing was moved on them. */
    trafficDay: string | null
    dayBytes: Generated<number>
    sumsDay: string | null
    weekBytes: Generated<number>
    thirtyDaysBytes: Generated<number>
    monthBytes: Generated<number>
  }
  /** To which day the sums of `userUsage` have been turned, and up to which user; null: all. */
  trafficTurns: { isOnly: Generated<boolean>; day: string; throughUserId: number | null }
  /**
   * The order by traffic, where there are many users: what each moved and has used when it was last brought in step. Empty after
   * a crash.
   */
  userTraffic: {
    userId: number
    todayBytes: Generated<number>
    weekBytes: Generated<number>
    thirtyDaysBytes: Generated<number>
    monthBytes: Generated<number>
    usedTrafficBytes: Generated<number>
    lifetimeUsedTrafficBytes: Generated<number>
  }
  /** Of which day the order is, since when, and when it was last asked for; no row: none is kept. */
  trafficOrder: { isOnly: Generated<boolean>; day: string | null; madeAt: MaybeInstant; tookMs: number; askedAt: MaybeInstant }
  /** Columns that change with every fetch of the subscription; the first fetch inserts the row. */
  userAccesses: { userId: number; subLastOpenedAt: MaybeInstant; subLastUserAgent: string | null }
  userCounts: { id: Id; status: UserStatus; delta: number }
  userTrafficResets: { id: Id; userId: number; usedBytes: number; resetAt: DefaultInstant }
  hwidDevices: {
    userId: number
    hwid: string
    platform: string | null
    osVersion: string | null
    deviceModel: string | null
    userAgent: string | null
  } & Timestamps

  /** `day` is a UTC date as text, YYYY-MM-DD. */
  userNodeUsage: { day: string; nodeId: number; userId: number; uploadBytes: Generated<number>; downloadBytes: Generated<number> }
  /** Bytes by quarters of an hour, each of which belongs to one day in every zone. */
  nodeUsageQuarters: {
    nodeId: number
    quarter: Instant
    uploadBytes: Generated<number>
    downloadBytes: Generated<number>
    updatedAt: DefaultInstant
  }
  /** Kept by a trigger from the quarters, by days of the installation. */
  nodeUsageDays: { day: string; nodeId: number; uploadBytes: Generated<number>; downloadBytes: Generated<number> }
  /** Bytes that all users of a node moved on a finished day, and the number of users. */
  nodeUserDays: { nodeId: number; day: string; users: number; bytes: number }
  /** How many users moved anything in the whole days of a period of so many, of which the last is `countedThrough`. */
  nodeUserCounts: { nodeId: number; days: number; countedThrough: string; users: number }
  /** Users with the most traffic on those days. */
  nodeTopUsers: { nodeId: number; days: number; userId: number; bytes: number }
  /** The most users online at once in a quarter of an hour, for the whole service. */
  onlineQuarters: { quarter: Instant; usersOnline: number }
  nodeTagUsage: {
    nodeId: number
    direction: 'inbound' | 'outbound'
    tag: string
    uploadBytes: Generated<number>
    downloadBytes: Generated<number>
  }
  /** `names` is JSON; `counted` holds uplink and downlink of each in this order, 8 bytes for either. */
  counterBaselines: { nodeId: number; chunk: number; names: string; counted: Buffer }
  deliveries: {
    nodeId: number
    username: string
    queuedAt: DefaultInstant
    attempts: Generated<number>
    nextAttemptAt: DefaultInstant
    lastError: string | null
    ticket: Generated<number>
  }
  changedUsers: { id: Id; username: string }
  untold: { channel: string; payload: string }
  /** One row for each late change of what the list of hosts shows. */
  hostChanges: { token: Generated<string>; at: DefaultInstant }
  acknowledgedUsers: { nodeId: number; username: string; userId: number; vlessUuid: string; tags: string[] }
  bookedCores: { nodeId: number; coreId: string; bookedAt: DefaultInstant }
  fleetServers: { owner: string; expiresAt: Instant }

  /** `search` is what stands in the address of the page. */
  savedViews: { id: Id; uuid: Uuid; page: ViewPage; name: string; search: JSONColumnType<Record<string, string>> } & Timestamps
  hosts: {
    id: Id
    uuid: Uuid
    viewPosition: Generated<number>
    remark: string
    address: string
    port: number
    path: string | null
    sni: string | null
    host: string | null
    alpn: string | null
    fingerprint: string | null
    isDisabled: Generated<boolean>
    securityLayer: ColumnType<'DEFAULT' | 'TLS' | 'NONE', 'DEFAULT' | 'TLS' | 'NONE' | undefined, 'DEFAULT' | 'TLS' | 'NONE'>
    xHttpExtraParams: MaybeJson
    muxParams: MaybeJson
    sockoptParams: MaybeJson
    serverDescription: string | null
    /** The first of the tags; a trigger keeps both in step. */
    tag: string | null
    tags: Tags
    isHidden: Generated<boolean>
    overrideSniFromAddress: Generated<boolean>
    vlessRouteId: number | null
    shuffleHost: Generated<boolean>
    mihomoX25519: Generated<boolean>
    allowInsecure: Generated<boolean>
    keepSniBlank: Generated<boolean>
    xrayJsonTemplateUuid: string | null
    excludedInternalSquads: JSONColumnType<string[], string | undefined, string>
    excludeFromSubscriptionTypes: JSONColumnType<ExcludedType[], string | undefined, string>
    finalMask: MaybeJson
    pinnedPeerCertSha256: string | null
    verifyPeerCertByName: string | null
    mihomoIpVersion: string | null
    mapper: JSONColumnType<HostMapper, string | undefined, string>
    disabledUntil: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    configProfileId: number | null
    configProfileInboundId: number | null
  }
  hostNodes: { hostId: number; nodeId: number }
  subscriptionRequests: {
    id: Id
    userId: number
    requestIp: string | null
    userAgent: string | null
    requestAt: Instant
    ruleName: string | null
    responseType: Generated<string>
  }
  subscriptionSettings: {
    uuid: Uuid
    profileTitle: string
    supportLink: string
    profileUpdateInterval: number
    isProfileWebpageUrlEnabled: Generated<boolean>
    serveJsonAtBaseSubscription: Generated<boolean>
    addUsernameToBaseSubscription: Generated<boolean>
    isShowCustomRemarks: Generated<boolean>
    happAnnounce: string | null
    happRouting: string | null
    expiredUsersRemarks: Strings
    limitedUsersRemarks: Strings
    disabledUsersRemarks: Strings
    customResponseHeaders: JSONColumnType<Record<string, string> | null>
    randomizeHosts: Generated<boolean>
    responseRules: ColumnType<ResponseRules | null, string | null | undefined, string | null>
    hwidSettings: ColumnType<HwidSettings | null, string | null | undefined, string | null>
    emptyHostsRemarks: ColumnType<string[], string | undefined, string>
    emptySquadsRemarks: ColumnType<string[], string | undefined, string>
    hwidExceededRemarks: ColumnType<string[], string | undefined, string>
    hwidMissingRemarks: ColumnType<string[], string | undefined, string>
  } & Timestamps
  /** One row. */
  /** `answer` is wrapped by the master key, as it may hold a new token; null until it was sent. */
  idempotencyKeys: { caller: string; key: string; contentHash: string; answer: string | null; at: DefaultInstant }
  clock: { isOnly: Generated<boolean>; trustedAt: Instant; doubtedAt: MaybeInstant }
  installation: {
    uuid: Uuid
    timeZone: string
    sessionGeneration: ColumnType<Generation, Generation | undefined, Generation>
    signInNetworks: Generated<string[]>
    isSecondFactorRequired: Generated<boolean>
    isCutOffImmediate: Generated<boolean>
    accent: string | null
    updatedAt: DefaultInstant
    /** Null: no backup is made by itself. */
    backupHour: number | null
    keepDailyBackups: Generated<number>
    keepWeeklyBackups: Generated<number>
    keepMonthlyBackups: Generated<number>
    backupRecipient: string | null
    backupLockedKey: string | null
    backupFolder: string | null
    isBackupLogSent: Generated<boolean>
    /** Address and credentials, wrapped by the master key. */
    backupStore: string | null
  }
  /** At most one row; without it subscribers see the product's own page. */
  subscriptionPages: { uuid: string; config: Json; publishedAt: Instant }
  subscriptionTemplates: {
    uuid: Uuid
    templateType: TemplateType
    name: string
    isDefault: boolean
    /** Kept by a trigger from type and name. */
    label: Generated<string>
    templateYaml: string | null
    templateJson: MaybeJson
    viewPosition: Generated<number>
    tags: Tags
  } & Timestamps

  /** Contents of profiles and templates after each save. */
  revisions: {
    id: Id
    kind: 'profile' | 'template' | 'responseRules' | 'snippet'
    subjectUuid: string
    number: number
    at: DefaultInstant
    actorKind: string
    actorName: string | null
    reason: string | null
    content: string
  }

  jobs: {
    id: Uuid
    number: Id
    kind: string
    group: string
    isRecurring: Generated<boolean>
    status: ColumnType<JobStatus, 'queued' | undefined, JobStatus>
    payload: Json
    cursor: Generated<number>
    done: Generated<number>
    total: Generated<number>
    error: string | null
    attempts: Generated<number>
    dueAt: DefaultInstant
    createdAt: DefaultInstant
    updatedAt: DefaultInstant
    startedAt: MaybeInstant
    finishedAt: MaybeInstant
  }
  /** Domain events as their transactions wrote them, until they are published. `snapshot` holds rows by table. */
  outbox: {
    id: Id
    event: EventName
    thing: string
    at: Instant
    snapshot: MaybeJson
    facts: Json
    transaction: Generated<string>
  }
  /** Published events, in the order of `position`. `data` is JSON text. */
  domainEvents: { position: Id; uuid: Uuid; event: EventName; thing: string; at: Instant; data: string; facts: Json }
  webhooks: {
    id: Id
    uuid: Uuid
    name: string
    url: string
    events: ColumnType<EventName[] | null, string | null, string | null>
    expiryNames: ExpiryNames
    isPaused: Generated<boolean>
    isFromEnvironment: Generated<boolean>
    secret: string
    previousSecret: string | null
    previousSecretEndsAt: MaybeInstant
  } & Timestamps
  /** Columns that change with every delivery. `position` is the cursor. */
  webhookStates: {
    webhookId: number
    position: number
    missed: Generated<number>
    lastSuccessAt: MaybeInstant
    failures: Generated<number>
    failingSince: MaybeInstant
    lastError: string | null
    stoppedAt: MaybeInstant
    hasNewSecret: Generated<boolean>
  }
  webhookDeliveries: {
    id: Id
    uuid: Uuid
    webhookId: number
    position: number
    thing: string
    event: string
    state: ColumnType<DeliveryState, DeliveryState | undefined, DeliveryState>
    attempts: Generated<number>
    firstAttemptAt: MaybeInstant
    nextAttemptAt: Instant
    endedAt: MaybeInstant
    status: number | null
    error: string | null
  }
  webhookAttempts: {
    deliveryId: number
    number: number
    at: Instant
    durationMs: number
    status: number | null
    answer: string | null
    error: string | null
  }
  /** `settings` are by the kind of the way. */
  noticeWays: {
    id: Id
    uuid: Uuid
    name: string
    kind: NoticeWayKind
    settings: Json
    secret: string | null
    language: NoticeLanguage
    origin: string | null
    isPaused: Generated<boolean>
    isFromEnvironment: Generated<boolean>
  } & Timestamps
  noticeWayStates: {
    wayId: number
    lastSuccessAt: MaybeInstant
    failures: Generated<number>
    failingSince: MaybeInstant
    lastError: string | null
    restsUntil: MaybeInstant
  }
  noticeRules: {
    id: Id
    uuid: Uuid
    condition: NoticeCondition
    amount: number | null
    ways: Strings
    quietFrom: string | null
    quietTo: string | null
    zone: string | null
    mostPerHour: number | null
    digest: ColumnType<NoticeDigest, NoticeDigest | undefined, NoticeDigest>
    isPaused: Generated<boolean>
    isFromEnvironment: Generated<boolean>
    madeWithWayId: number | null
  } & Timestamps
  /** One row. `position` is the cursor over published events. */
  noticeReader: { isOnly: Generated<boolean>; position: Generated<number> }
  noticeTroubles: {
    ruleId: number
    thing: string
    facts: Json
    sinceAt: Instant
    losses: Generated<number>
    backAt: MaybeInstant
    toldAt: MaybeInstant
  }
  noticeMessages: {
    id: Id
    uuid: Uuid
    wayId: number
    ruleId: number | null
    title: string
    lines: Json
    state: ColumnType<NoticeMessageState, NoticeMessageState | undefined, NoticeMessageState>
    attempts: Generated<number>
    at: Instant
    nextAttemptAt: Instant
    endedAt: MaybeInstant
    error: string | null
    answer: string | null
  }
  notices: {
    id: Id
    ruleId: number
    wayId: number
    occasion: string
    text: string
    facts: Json
    at: Instant
    dueAt: Instant
    messageId: number | null
  }
  /** Up to when moments such as "expires in 24 hours" have been looked for. */
  eventLooks: { name: string; throughAt: Instant }
  /** Users that a job for selected users concerns. */
  jobTargets: { jobId: string; userId: number }
  /** Of the server itself, by an ACME directory. `dueAt` also keeps a second server from trying at the same time. */
  serverCertificates: {
    name: string
    directory: string | null
    chain: string | null
    wrappedKey: string | null
    startsAt: MaybeInstant
    endsAt: MaybeInstant
    attempts: Generated<number>
    failure: CertificateFailure | null
    detail: string | null
    failedAt: MaybeInstant
    dueAt: Instant
    challengeToken: string | null
    challengeAnswer: string | null
  }
  /** One row: the last rehearsal and import of another installation, and where the moment of moving is. */
  moveIn: {
    id: Generated<number>
    panel: MoveInPanel | null
    source: string | null
    report: MaybeJson
    reportedAt: MaybeInstant
    failure: string | null
    stoppedAt: MaybeInstant
    importedAt: MaybeInstant
    isHeld: Generated<boolean>
    startedAt: MaybeInstant
    bytesAtStart: MaybeJson
    endedAt: MaybeInstant
  }
  serverProcesses: { id: string; role: string; startedAt: Instant; seenAt: Instant; memoryBytes: number; cpuPercent: number }
}
