import {
  clientType,
  excludedType,
  generation,
  hostMapper,
  hwidSettings,
  mihomoIpVersion,
  permissions,
  pluginConfig,
  responseRules,
  squadHostOverrides,
  squadHwidSettings,
  squadRemarks,
  squadSettings,
  templateType,
  trafficLimitStrategy,
  userStatus,
  wireInstant,
  wireUuid,
  type MoveInKind,
} from '@causeway/contract'
import { z } from 'zod'

// Kinds of lines of an archive (docs/archive.md). A line refers to others by uuid, and only to lines before it.

/** Below 2^53, as JSON numbers beyond it are not exact. */
const whole = z.number().refine(Number.isSafeInteger, 'must be a whole number below 2^53')
const atLeast = (least: number) => whole.refine((value) => value >= least, `must be at least ${least}`)
const bytes = atLeast(0)
const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/)
const maybeInstant = wireInstant.nullable()
const maybeText = z.string().nullable()
const timestamps = { createdAt: wireInstant, updatedAt: wireInstant }
const headers = z.record(z.string(), z.string())
const place = { viewPosition: whole, tags: z.array(z.string()) }

/** `hmac-scrypt`: `salt:hash` of scrypt over the hexadecimal HMAC-SHA256 of the password by `key`. */
const password = z.discriminatedUnion('form', [
  z.object({ form: z.literal('argon2id'), hash: z.string() }),
  z.object({ form: z.literal('hmac-scrypt'), hash: z.string(), key: z.string() }),
])
export type ArchivedPassword = z.output<typeof password>

export const kinds = {
  /** Keys that servers and agents trust each other by, as PEM. */
  keys: z.object({
    caCertPem: z.string(),
    caKeyPem: z.string(),
    clientCertPem: z.string(),
    clientKeyPem: z.string(),
    jwtPrivateKeyPem: z.string(),
    jwtPublicKeyPem: z.string(),
  }),
  admin: z.object({ uuid: wireUuid, username: z.string(), role: z.string(), password, ...timestamps }),
  /** `textHash`: SHA-256 of the token's text in hexadecimal, where another installation signed it. */
  apiToken: z.object({
    uuid: wireUuid,
    tokenName: z.string(),
    expiresAt: maybeInstant,
    permissions: z.array(z.enum(permissions)).nullable(),
    isShownOnce: z.boolean(),
    generation: generation.nullable(),
    scopes: z.array(z.string()).nullable(),
    textHash: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .nullable(),
    ...timestamps,
  }),
  /**
   * Links of another installation that go on: by short uuid under paths, where `clientType` is what a path answers with, and by
   * tokens that its secret signed. `renamed`: names here by those in tokens. `apps`: what it named under `/apps`, where it did.
   */
  oldLinks: z.object({
    paths: z.array(z.object({ path: z.string(), clientType: clientType.nullable() })),
    signed: z
      .object({
        path: z.string(),
        secret: z.string(),
        renamed: z.record(z.string(), z.string()),
        apps: z.array(z.record(z.string(), z.unknown())).optional(),
      })
      .nullable(),
  }),
  subscriptionSettings: z.object({
    uuid: wireUuid,
    profileTitle: z.string(),
    supportLink: z.string(),
    profileUpdateInterval: atLeast(1),
    isProfileWebpageUrlEnabled: z.boolean(),
    serveJsonAtBaseSubscription: z.boolean(),
    addUsernameToBaseSubscription: z.boolean(),
    isShowCustomRemarks: z.boolean(),
    happAnnounce: maybeText,
    happRouting: maybeText,
    expiredUsersRemarks: z.array(z.string()),
    limitedUsersRemarks: z.array(z.string()),
    disabledUsersRemarks: z.array(z.string()),
    customResponseHeaders: headers.nullable(),
    randomizeHosts: z.boolean(),
    responseRules: responseRules.nullable(),
    emptyHostsRemarks: z.array(z.string()),
    emptySquadsRemarks: z.array(z.string()),
    hwidExceededRemarks: z.array(z.string()),
    hwidMissingRemarks: z.array(z.string()),
    hwidSettings: hwidSettings.nullable(),
    ...timestamps,
  }),
  subscriptionTemplate: z.object({
    uuid: wireUuid,
    templateType,
    name: z.string(),
    templateYaml: maybeText,
    templateJson: z.unknown(),
    ...place,
    ...timestamps,
  }),
  pageConfig: z.object({ uuid: wireUuid, name: z.string(), config: z.unknown(), ...place, ...timestamps }),
  externalSquad: z.object({
    uuid: wireUuid,
    name: z.string(),
    templates: z.array(z.object({ templateType, template: wireUuid })),
    subscriptionSettings: squadSettings.nullable(),
    hostOverrides: squadHostOverrides.nullable(),
    responseHeadersAdd: headers,
    responseHeadersRemove: z.array(z.string()),
    hwidSettings: squadHwidSettings.nullable(),
    customRemarks: squadRemarks.nullable(),
    pageConfig: wireUuid.nullable(),
    ...place,
    ...timestamps,
  }),
  snippet: z.object({ name: z.string(), snippet: z.unknown(), createdAt: wireInstant }),
  sharedList: z.object({ name: z.string(), items: z.array(z.string()), ...timestamps }),
  nodePlugin: z.object({ uuid: wireUuid, name: z.string(), config: pluginConfig.nullable(), ...place, ...timestamps }),
  provider: z.object({ uuid: wireUuid, name: z.string(), faviconLink: maybeText, loginUrl: maybeText, ...timestamps }),
  profile: z.object({ uuid: wireUuid, name: z.string(), config: z.unknown(), ...place, ...timestamps }),
  /** Without a uuid it gets one. */
  inbound: z.object({
    uuid: wireUuid.optional(),
    profile: wireUuid,
    tag: z.string(),
    type: z.string(),
    network: maybeText,
    security: maybeText,
    port: whole.nullable(),
    rawInbound: z.unknown(),
  }),
  squad: z.object({ uuid: wireUuid, name: z.string(), inbounds: z.array(wireUuid), ...place, ...timestamps }),
  /** `isRunning`: its core ran the profile for the installation that was left, and may go on running it. */
  node: z.object({
    uuid: wireUuid,
    name: z.string(),
    address: z.string(),
    port: whole.nullable(),
    isDisabled: z.boolean(),
    isTrafficTrackingActive: z.boolean(),
    trafficLimitBytes: bytes,
    trafficUsedBytes: bytes,
    notifyPercent: whole,
    trafficResetDay: whole,
    countryCode: z.string(),
    consumptionMultiplier: z.number(),
    profile: wireUuid.nullable(),
    inbounds: z.array(wireUuid),
    provider: wireUuid.nullable(),
    viewPosition: whole,
    isRunning: z.boolean(),
    xrayVersion: maybeText,
    nodeVersion: maybeText,
    cpuCount: whole.nullable(),
    cpuModel: maybeText,
    totalRam: maybeText,
    plugin: wireUuid.nullable(),
    tags: z.array(z.string()),
    note: maybeText,
    ips: z.unknown(),
    ...timestamps,
  }),
  nodeMetadata: z.object({ node: wireUuid, metadata: z.unknown() }),
  nodeTrafficReset: z.object({ node: wireUuid, trafficBytes: bytes, resetAt: wireInstant }),
  /** Bytes of a quarter of an hour or of an hour, by its beginning. */
  nodeUsage: z.object({ node: wireUuid, beginsAt: wireInstant, uploadBytes: bytes, downloadBytes: bytes }),
  billingNode: z.object({
    uuid: wireUuid,
    node: wireUuid,
    provider: wireUuid,
    nextBillingAt: wireInstant,
    ...timestamps,
  }),
  billingRecord: z.object({ uuid: wireUuid, provider: wireUuid, amount: z.number(), billedAt: wireInstant }),
  host: z.object({
    uuid: wireUuid,
    viewPosition: whole,
    remark: z.string(),
    address: z.string(),
    port: whole,
    path: maybeText,
    sni: maybeText,
    host: maybeText,
    alpn: maybeText,
    fingerprint: maybeText,
    isDisabled: z.boolean(),
    securityLayer: z.enum(['DEFAULT', 'TLS', 'NONE']),
    xHttpExtraParams: z.unknown(),
    muxParams: z.unknown(),
    sockoptParams: z.unknown(),
    serverDescription: maybeText,
    tags: z.array(z.string()),
    isHidden: z.boolean(),
    overrideSniFromAddress: z.boolean(),
    vlessRouteId: whole.nullable(),
    shuffleHost: z.boolean(),
    mihomoX25519: z.boolean(),
    allowInsecure: z.boolean(),
    keepSniBlank: z.boolean(),
    xrayJsonTemplate: wireUuid.nullable(),
    excludedSquads: z.array(wireUuid),
    excludedTypes: z.array(excludedType),
    finalMask: z.unknown(),
    pinnedPeerCertSha256: maybeText,
    verifyPeerCertByName: maybeText,
    mihomoIpVersion: mihomoIpVersion.nullable(),
    mapper: hostMapper,
    profile: wireUuid.nullable(),
    inbound: wireUuid.nullable(),
    nodes: z.array(wireUuid),
  }),
  /** All users have a number, or none. */
  user: z.object({
    id: atLeast(1).nullable(),
    uuid: wireUuid,
    shortUuid: z.string(),
    username: z.string(),
    status: userStatus,
    trafficLimitBytes: bytes,
    extraTrafficBytes: bytes,
    trafficLimitStrategy,
    expireAt: wireInstant,
    description: maybeText,
    tag: maybeText,
    telegramId: whole.nullable(),
    email: maybeText,
    hwidDeviceLimit: whole.nullable(),
    trojanPassword: z.string(),
    vlessUuid: wireUuid,
    ssPassword: z.string(),
    subRevokedAt: maybeInstant,
    usedTrafficBytes: bytes,
    lifetimeUsedTrafficBytes: bytes,
    onlineAt: maybeInstant,
    firstConnectedAt: maybeInstant,
    lastConnectedNode: wireUuid.nullable(),
    lastTrafficResetAt: maybeInstant,
    lastTriggeredThreshold: whole,
    subLastOpenedAt: maybeInstant,
    subLastUserAgent: maybeText,
    externalSquad: wireUuid.nullable(),
    ...timestamps,
  }),
  userMetadata: z.object({ user: wireUuid, metadata: z.unknown() }),
  member: z.object({ squad: wireUuid, user: wireUuid }),
  device: z.object({
    user: wireUuid,
    hwid: z.string(),
    platform: maybeText,
    osVersion: maybeText,
    deviceModel: maybeText,
    userAgent: maybeText,
    ...timestamps,
  }),
  userTrafficReset: z.object({ user: wireUuid, usedBytes: bytes, resetAt: wireInstant }),
  userUsage: z.object({ user: wireUuid, node: wireUuid, day, uploadBytes: bytes, downloadBytes: bytes }),
  subscriptionRequest: z.object({
    user: wireUuid,
    requestIp: maybeText,
    userAgent: maybeText,
    requestAt: wireInstant,
    ruleName: maybeText,
    responseType: z.string(),
  }),
} as const satisfies Record<MoveInKind, z.ZodType>

export type OldLinks = z.output<typeof kinds.oldLinks>
export type Kind = keyof typeof kinds
export const kindNames = Object.keys(kinds) as Kind[] // the type of keys() does not tell

/** A line of a kind, by its fields. */
export type LineOf<K extends Kind> = z.output<(typeof kinds)[K]>
export type Line = { [K in Kind]: { kind: K } & LineOf<K> }[Kind]
export type Counts = Partial<Record<Kind, number>>
