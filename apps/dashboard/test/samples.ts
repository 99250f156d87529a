import {
  permissionsOfRole,
  type ApiTokenDetails,
  type BillingNode,
  type BillingRecord,
  type ConfigProfile,
  type getAccount,
  type getBandwidthStats,
  type getBuild,
  type getSystemStats,
  type Host,
  type HwidDevice,
  type Inbound,
  type InternalSquad,
  type Node,
  type NodeJoin,
  type Plan,
  type previewSubscription,
  type Provider,
  type Reply,
  type Rollout,
  type RolloutNode,
  type SubscriptionSettings,
  type User,
} from '@causeway/contract'

// Sample entities, each whole and plain: a test names only what it is about.

const LONG_AGO = '2026-01-02T03:04:05.000Z'

/** The same number gives the same id. */
export function uuid(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
}

export function sampleUser(given: Partial<User> = {}): User {
  const name = given.username ?? 'alice'
  return {
    uuid: uuid(1),
    shortUuid: 'short-1',
    username: name,
    status: 'ACTIVE',
    usedTrafficBytes: 0,
    lifetimeUsedTrafficBytes: 0,
    trafficLimitBytes: 0,
    trafficLimitStrategy: 'NO_RESET',
    subLastUserAgent: null,
    subLastOpenedAt: null,
    expireAt: '2031-05-06T10:00:00.000Z',
    onlineAt: null,
    subRevokedAt: null,
    lastTrafficResetAt: null,
    trojanPassword: 'trojan-password',
    vlessUuid: uuid(1001),
    ssPassword: 'ss-password',
    description: null,
    tag: null,
    telegramId: null,
    email: null,
    hwidDeviceLimit: null,
    firstConnectedAt: null,
    lastTriggeredThreshold: 0,
    createdAt: LONG_AGO,
    updatedAt: LONG_AGO,
    activeInternalSquads: [],
    subscriptionUrl: `https://sub.example.com/${name}`,
    lastConnectedNode: null,
    happ: { cryptoLink: 'happ://crypt/sample' },
    ...given,
  }
}

export function sampleInbound(given: Partial<Inbound> = {}): Inbound {
  return {
    uuid: uuid(101),
    profileUuid: uuid(201),
    tag: 'VLESS_TCP',
    type: 'vless',
    network: 'tcp',
    security: 'reality',
    port: 443,
    rawInbound: null,
    ...given,
  }
}

export function sampleConfigProfile(given: Partial<ConfigProfile> = {}): ConfigProfile {
  return {
    uuid: uuid(201),
    name: 'Main profile',
    config: { inbounds: [] },
    inbounds: [sampleInbound(given.uuid === undefined ? {} : { profileUuid: given.uuid })],
    nodes: [],
    createdAt: LONG_AGO,
    updatedAt: LONG_AGO,
    ...given,
  }
}

export function sampleApiToken(given: Partial<ApiTokenDetails> = {}): ApiTokenDetails {
  const never = { lastUsedAt: null, lastUsedFrom: null, lastUserAgent: null }
  return {
    uuid: uuid(906),
    tokenName: 'shop bot',
    createdAt: LONG_AGO,
    expiresAt: null,
    permissions: null,
    isShownOnce: false,
    ...never,
    ...given,
  }
}

export function sampleRollout(given: Partial<Rollout> = {}): Rollout {
  return {
    uuid: uuid(701),
    profileUuid: uuid(201),
    profileName: 'Main',
    profileUpdatedAt: LONG_AGO,
    state: 'running',
    isPaused: false,
    isProofWaived: false,
    reason: null,
    actorKind: 'admin',
    actorName: 'ann',
    error: null,
    startedAt: LONG_AGO,
    endedAt: null,
    nodes: [sampleRolloutNode()],
    ...given,
  }
}

export function sampleRolloutNode(given: Partial<RolloutNode> = {}): RolloutNode {
  const nothing = { usersBefore: 0, usersBack: 0, failure: null, said: null }
  return { uuid: uuid(401), name: 'Warsaw', countryCode: 'PL', wave: 1, state: 'waiting', ...nothing, ...given }
}

export function sampleInternalSquad(given: Partial<InternalSquad> = {}): InternalSquad {
  const inbounds = given.inbounds ?? []
  return {
    uuid: uuid(301),
    name: 'Friends',
    info: { membersCount: 0, inboundsCount: inbounds.length },
    inbounds,
    createdAt: LONG_AGO,
    updatedAt: LONG_AGO,
    ...given,
  }
}

/** Connected and at work. */
/** A node with a secret key, which no machine has joined by a line. */
export function sampleJoin(given: Partial<NodeJoin> = {}): NodeJoin {
  return { identity: { kind: 'secretKey', endsAt: null }, join: null, missing: [], ...given }
}

export function sampleNode(given: Partial<Node> = {}): Node {
  return {
    uuid: uuid(401),
    name: 'Warsaw',
    address: 'warsaw.example.com',
    port: 2222,
    isConnected: true,
    isConnecting: false,
    isDisabled: false,
    isNodeOnline: true,
    isXrayRunning: true,
    isTrafficTrackingActive: false,
    lastStatusChange: LONG_AGO,
    lastStatusMessage: null,
    xrayVersion: '26.6.1',
    nodeVersion: '2.1.0',
    xrayUptime: '3600',
    trafficResetDay: 1,
    trafficLimitBytes: 0,
    trafficUsedBytes: 0,
    notifyPercent: 0,
    usersOnline: 0,
    viewPosition: 1,
    countryCode: 'PL',
    consumptionMultiplier: 1,
    cpuCount: 2,
    cpuModel: 'Sample CPU',
    totalRam: '4 GB',
    createdAt: LONG_AGO,
    updatedAt: LONG_AGO,
    configProfile: { activeConfigProfileUuid: uuid(201), activeInbounds: [sampleInbound()] },
    provider: null,
    providerUuid: null,
    ...given,
  }
}

export function sampleHost(given: Partial<Host> = {}): Host {
  return {
    uuid: uuid(501),
    viewPosition: 1,
    remark: 'Poland',
    address: 'pl.example.com',
    port: 443,
    path: null,
    sni: null,
    host: null,
    alpn: null,
    fingerprint: null,
    isDisabled: false,
    securityLayer: 'DEFAULT',
    xHttpExtraParams: null,
    muxParams: null,
    sockoptParams: null,
    inbound: { configProfileUuid: uuid(201), configProfileInboundUuid: uuid(101) },
    serverDescription: null,
    tag: null,
    isHidden: false,
    overrideSniFromAddress: false,
    vlessRouteId: null,
    shuffleHost: false,
    mihomoX25519: false,
    allowInsecure: false,
    nodes: [],
    ...given,
  }
}

/** An owner, whose role opens everything. */
export function sampleAccount(given: Partial<Reply<typeof getAccount>> = {}): Reply<typeof getAccount> {
  const permissions = [...permissionsOfRole('owner')]
  return { uuid: uuid(1), username: 'admin', isPasswordLoginAllowed: true, permissions, ...given }
}

type Build = Reply<typeof getBuild>
export function sampleBuild(given: Partial<Build> = {}): Build {
  return {
    version: '1.2.3',
    buildTime: LONG_AGO,
    commitFull: null,
    commit: null,
    tag: null,
    branch: null,
    commitUrl: null,
    links: { repository: null, communityChat: null, supportChat: null, donation: null },
    ...given,
  }
}

type SystemStats = Reply<typeof getSystemStats>
export function sampleSystemStats(given: Partial<SystemStats> = {}): SystemStats {
  return {
    cpu: { cores: 2, physicalCores: 2 },
    memory: { total: 4e9, free: 1e9, used: 3e9, active: 2e9, available: 2e9 },
    uptime: 3600,
    timestamp: 0,
    users: {
      statusCounts: { ACTIVE: 0, DISABLED: 0, LIMITED: 0, EXPIRED: 0 },
      totalUsers: 0,
      totalTrafficBytes: '0',
    },
    onlineStats: { lastDay: 0, lastWeek: 0, neverOnline: 0, onlineNow: 0 },
    nodes: { totalOnline: 0 },
    ...given,
  }
}

type BandwidthStats = Reply<typeof getBandwidthStats>
export function sampleBandwidthStats(given: Partial<BandwidthStats> = {}): BandwidthStats {
  const none = { current: '0', previous: '0', difference: '0' }
  return {
    bandwidthLastTwoDays: none,
    bandwidthLastSevenDays: none,
    bandwidthLast30Days: none,
    bandwidthCalendarMonth: none,
    bandwidthCurrentYear: none,
    ...given,
  }
}

export function sampleHwidDevice(given: Partial<HwidDevice> = {}): HwidDevice {
  return {
    hwid: 'phone-0001',
    userUuid: uuid(1),
    platform: null,
    osVersion: null,
    deviceModel: null,
    userAgent: null,
    createdAt: LONG_AGO,
    updatedAt: LONG_AGO,
    ...given,
  }
}

export function sampleProvider(given: Partial<Provider> = {}): Provider {
  return {
    uuid: uuid(601),
    name: 'Hoster',
    faviconLink: null,
    loginUrl: 'https://hoster.example/login',
    createdAt: LONG_AGO,
    updatedAt: LONG_AGO,
    billingHistory: { totalAmount: 0, totalBills: 0 },
    billingNodes: [],
    ...given,
  }
}

export function sampleBillingNode(given: Partial<BillingNode> = {}): BillingNode {
  return {
    uuid: uuid(651),
    nodeUuid: uuid(401),
    providerUuid: uuid(601),
    provider: { uuid: uuid(601), name: 'Hoster', loginUrl: null, faviconLink: null },
    node: { uuid: uuid(401), name: 'Warsaw', countryCode: 'PL' },
    nextBillingAt: LONG_AGO,
    createdAt: LONG_AGO,
    updatedAt: LONG_AGO,
    ...given,
  }
}

export function sampleBillingRecord(given: Partial<BillingRecord> = {}): BillingRecord {
  return {
    uuid: uuid(701),
    providerUuid: uuid(601),
    amount: 12.5,
    billedAt: LONG_AGO,
    provider: { uuid: uuid(601), name: 'Hoster', faviconLink: null },
    ...given,
  }
}

export function sampleSubscriptionSettings(given: Partial<SubscriptionSettings> = {}): SubscriptionSettings {
  return {
    uuid: uuid(801),
    profileTitle: 'Title',
    supportLink: 'https://example.com',
    profileUpdateInterval: 12,
    isProfileWebpageUrlEnabled: true,
    serveJsonAtBaseSubscription: false,
    addUsernameToBaseSubscription: false,
    isShowCustomRemarks: true,
    happAnnounce: null,
    happRouting: null,
    expiredUsersRemarks: ['Your time is over'],
    limitedUsersRemarks: ['Your traffic is used up'],
    disabledUsersRemarks: ['You are switched off'],
    customResponseHeaders: null,
    randomizeHosts: false,
    emptyHostsRemarks: [],
    emptySquadsRemarks: [],
    hwidExceededRemarks: [],
    hwidMissingRemarks: [],
    hwidSettings: { enabled: false, fallbackDeviceLimit: 0, maxDevicesAnnounce: null },
    createdAt: LONG_AGO,
    updatedAt: LONG_AGO,
    ...given,
  }
}

export function samplePreview(given: Partial<Reply<typeof previewSubscription>> = {}): Reply<typeof previewSubscription> {
  const body = btoa('ss://secret@one.example:8388#one')
  return {
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'profile-title': `base64:${btoa('Title')}`,
      'x-frame-options': 'DENY',
    },
    body,
    bytes: body.length,
    format: 'links',
    device: 'unlimited',
    servers: [
      {
        hostUuid: uuid(401),
        remark: 'one',
        address: 'one.example',
        port: 8388,
        protocol: 'shadowsocks',
        network: 'tcp',
        security: '',
      },
    ],
    leftOut: [],
    ...given,
  }
}

type Losses = NonNullable<Plan['users']>

/** No losses, unless given. */
export function sampleLosses(given: Partial<Losses> = {}): Losses {
  return { some: 0, all: 0, online: 0, unsure: 0, reread: 0, cut: 0, ...given }
}

/** Of a change that does nothing. */
export function samplePlan(given: Partial<Plan> = {}): Plan {
  const nothing = { problems: [], notes: [], inbounds: [], likelyRenamed: [], hosts: [], squads: [], nodes: [] }
  const links = { follows: [], overrides: [], unsureHosts: [] }
  return { ...nothing, ...links, users: sampleLosses(), ...given }
}
