import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { shownMapper } from './host-additions.ts'
import { later } from './generations.ts'
import { trafficLimitStrategy, user, userStatus } from './users.ts'
import { queryNumber, wireInstant, wireInt, wireObject, wireUuid } from './wire.ts'

export const clientType = z.enum(['stash', 'singbox', 'singbox-legacy', 'mihomo', 'json', 'v2ray-json', 'clash'])
export type ClientType = z.output<typeof clientType>

/** A user as a client app or subscription page sees them. Sizes as text; bytes as decimal strings. */
export const subscriptionUser = z.object({
  shortUuid: z.string(),
  daysLeft: z.number().describe('whole days to expiry, negative when past'),
  trafficUsed: z.string(),
  trafficLimit: z.string(),
  lifetimeTrafficUsed: z.string(),
  trafficUsedBytes: z.string(),
  trafficLimitBytes: z.string(),
  lifetimeTrafficUsedBytes: z.string(),
  username: z.string(),
  expiresAt: wireInstant,
  isActive: z.boolean(),
  userStatus,
  trafficLimitStrategy,
})

export const subscriptionInfo = z.object({
  isFound: z.boolean(),
  user: subscriptionUser,
  links: z.array(z.string()),
  ssConfLinks: z.record(z.string(), z.string()),
  subscriptionUrl: z.string(),
  happ: z.object({ cryptoLink: z.string() }),
})
export type SubscriptionInfo = z.output<typeof subscriptionInfo>

const text = z.string().nullable().optional()
const object = wireObject.nullable().optional()

/** A host as data, for tools that write their own client configuration. */
export const rawHost = z.object({
  address: text,
  alpn: text,
  fingerprint: text,
  host: text,
  network: text,
  path: text,
  publicKey: text,
  protocol: text,
  remark: text,
  shortId: text,
  mldsa65Verify: text,
  encryption: text,
  sni: text,
  spiderX: text,
  tls: text,
  headerType: text,
  serverDescription: text,
  flow: text,
  port: z.number().nullable().optional(),
  password: z
    .object({ ssPassword: z.string(), trojanPassword: z.string(), vlessPassword: z.string() })
    .nullable()
    .optional()
    .describe('an object, as the reference sends it; its contract says string'),
  additionalParams: z.object({ mode: text, heartbeatPeriod: z.number().nullable().optional() }).nullable().optional(),
  xHttpExtraParams: object,
  muxParams: object,
  sockoptParams: object,
  shuffleHost: z.boolean().optional(),
  mihomoX25519: z.boolean().optional(),
  allowInsecure: z.boolean().nullable().optional(),
  protocolOptions: z
    .object({ ss: z.object({ method: text }).nullable().optional() })
    .nullable()
    .optional(),
  dbData: z
    .object({
      rawInbound: wireObject.nullable(),
      inboundTag: z.string(),
      uuid: z.string(),
      configProfileUuid: z.string().nullable(),
      configProfileInboundUuid: z.string().nullable(),
      isDisabled: z.boolean(),
      viewPosition: z.number(),
      remark: z.string(),
      isHidden: z.boolean(),
      tag: z.string().nullable(),
      vlessRouteId: wireInt.nullable(),
    })
    .optional(),
})

/** The same since 2.7, with a part per protocol, transport and security. */
export const resolvedConfig = z.object({
  finalRemark: z.string(),
  address: z.string(),
  port: wireInt,
  protocol: z.enum(['vless', 'trojan', 'shadowsocks', 'hysteria']),
  protocolOptions: wireObject.describe('by protocol'),
  transport: z.string(),
  transportOptions: wireObject.describe('by transport'),
  security: z.string(),
  securityOptions: wireObject.optional().describe('of TLS and REALITY'),
  streamOverrides: z.object({ finalMask: wireObject.nullable(), sockopt: wireObject.nullable() }),
  mux: wireObject.nullable(),
  clientOverrides: z.object({
    shuffleHost: z.boolean(),
    mihomoX25519: z.boolean(),
    mihomoIpVersion: z.string().nullable(),
    serverDescription: z.string().nullable(),
    xrayJsonTemplate: z.null(),
    mapper: shownMapper,
  }),
  metadata: z.object({
    uuid: wireUuid,
    tag: z.string().nullable().describe('up to 2.7'),
    tags: z.array(z.string()),
    excludeFromSubscriptionTypes: z.array(z.string()),
    inboundTag: z.string(),
    configProfileUuid: z.string().nullable(),
    configProfileInboundUuid: z.string().nullable(),
    isDisabled: z.boolean(),
    isHidden: z.boolean(),
    viewPosition: z.number(),
    remark: z.string(),
    vlessRouteId: wireInt.nullable(),
    rawInbound: z.unknown(),
  }),
})
export type ResolvedConfig = z.output<typeof resolvedConfig>

export const rawSubscription = z.object({
  user: subscriptionUser.extend({ tag: z.string().nullable() }),
  subscriptionUrl: z.string(),
  rawHosts: z.array(rawHost),
  headers: z.record(z.string(), z.string()),
  isHwidLimited: z.boolean(),
})

const tag = 'Subscriptions'
const byShortUuid = z.object({ shortUuid: z.string() })
const withDisabledHosts = z.object({ withDisabledHosts: z.string().optional().describe("only the text 'true' counts") })

export const getSubscription = endpoint({
  name: 'getSubscription',
  title: 'Get Subscription',
  tag,
  access: 'public',
  method: 'GET',
  path: '/api/sub/:shortUuid',
  params: byShortUuid,
  response: z.unknown(),
  raw: true,
})
export const getSubscriptionInfo = endpoint({
  name: 'getSubscriptionInfo',
  title: 'Get Subscription Info',
  tag,
  access: 'public',
  method: 'GET',
  path: '/api/sub/:shortUuid/info',
  params: byShortUuid,
  response: subscriptionInfo,
})
export const getRawSubscription = endpoint({
  name: 'getRawSubscription',
  title: 'Get Raw Subscription',
  tag,
  access: 'subscriptions.read',
  method: 'GET',
  path: '/api/sub/:shortUuid/raw',
  params: byShortUuid,
  query: withDisabledHosts,
  response: rawSubscription,
  // Sent bare, as panels up to 2.1.5 did on this path; by-short-uuid/…/raw is where it is wrapped.
  raw: true,
})
export const getSubscriptionByClientType = endpoint({
  name: 'getSubscriptionByClientType',
  title: 'Get Subscription By Client Type',
  tag,
  access: 'public',
  method: 'GET',
  path: '/api/sub/:shortUuid/:clientType',
  params: byShortUuid.extend({ clientType }),
  response: z.unknown(),
  raw: true,
})
export const getOutlineSubscription = endpoint({
  name: 'getOutlineSubscription',
  title: 'Get Outline Subscription',
  tag,
  access: 'public',
  method: 'GET',
  path: '/api/sub/outline/:shortUuid/:type/:encodedTag',
  params: byShortUuid.extend({ type: z.string(), encodedTag: z.string() }),
  response: z.unknown(),
  raw: true,
})
export const listSubscriptions = endpoint({
  name: 'listSubscriptions',
  title: 'Get All Subscriptions',
  tag,
  access: 'subscriptions.read',
  method: 'GET',
  path: '/api/subscriptions',
  query: z.object({
    start: queryNumber.optional(),
    size: queryNumber.min(1, 'must be at least 1').max(500, 'must be at most 500').optional(),
  }),
  response: z.object({ subscriptions: z.array(subscriptionInfo), total: z.number() }),
})
export const getSubscriptionByUsername = endpoint({
  name: 'getSubscriptionByUsername',
  title: 'Get Subscription By Username',
  tag,
  access: 'subscriptions.read',
  method: 'GET',
  path: '/api/subscriptions/by-username/:username',
  params: z.object({ username: z.string() }),
  response: subscriptionInfo,
})
// The following came later in the 2.1 line, or are where links of this generation already point to.
export const getSubscriptionByUuid = endpoint({
  name: 'getSubscriptionByUuid',
  userKeys: { uuid: 'id' },
  title: 'Get Subscription By UUID',
  tag,
  access: 'subscriptions.read',
  method: 'GET',
  path: '/api/subscriptions/by-uuid/:uuid',
  params: z.object({ uuid: wireUuid }),
  response: subscriptionInfo,
})
export const getSubscriptionById = endpoint({
  name: 'getSubscriptionById',
  title: 'Get Subscription By Number',
  since: '3.0',
  userKeys: { uuid: 'id' },
  tag,
  access: 'subscriptions.read',
  method: 'GET',
  path: '/api/subscriptions/by-id/:uuid',
  params: z.object({ uuid: wireUuid }),
  response: subscriptionInfo,
})
/** Links of a user by what apps see of their hosts. */
export const getConnectionKeys = endpoint({
  name: 'getConnectionKeys',
  title: 'Get Connection Keys',
  since: '2.6',
  userKeys: { uuid: 'id' },
  tag,
  access: 'subscriptions.read',
  method: 'GET',
  path: '/api/subscriptions/connection-keys/:uuid',
  params: z.object({ uuid: wireUuid }),
  response: z.object({
    enabledKeys: z.array(z.string()),
    hiddenKeys: z.array(z.string()),
    disabledKeys: z.array(z.string()),
  }),
  reserved: { hiddenKeys: 'hosts.read', disabledKeys: 'hosts.read' },
})
export const getSubscriptionByShortUuid = endpoint({
  name: 'getSubscriptionByShortUuid',
  title: 'Get Subscription By Short UUID',
  tag,
  access: 'subscriptions.read',
  method: 'GET',
  path: '/api/subscriptions/by-short-uuid/:shortUuid',
  params: byShortUuid,
  response: subscriptionInfo,
})
export const getRawSubscriptionByShortUuid = endpoint({
  name: 'getRawSubscriptionByShortUuid',
  title: 'Get Raw Subscription By Short UUID',
  tag,
  access: 'subscriptions.read',
  method: 'GET',
  path: '/api/subscriptions/by-short-uuid/:shortUuid/raw',
  params: byShortUuid,
  query: withDisabledHosts,
  response: z.object({
    user,
    convertedUserInfo: subscriptionUser
      .pick({ daysLeft: true, trafficLimit: true, trafficUsed: true, lifetimeTrafficUsed: true })
      .extend({
        isHwidLimited: z.boolean(),
        hwidCheckup: later(
          '2.8',
          z
            .object({
              subscriptionAllowed: z.boolean(),
              maxDeviceReached: z.boolean(),
              hwidNotSupported: z.boolean(),
              limitBypassed: z.boolean(),
            })
            .nullable(),
        ).describe('null while devices are not limited'),
      }),
    headers: z.record(z.string(), z.string()),
    rawHosts: z.array(rawHost),
    resolvedProxyConfigs: later('2.7', z.array(resolvedConfig)),
  }),
})
export const getSsConfSubscription = endpoint({
  name: 'getSsConfSubscription',
  title: 'Get Outline Server',
  tag,
  access: 'public',
  method: 'GET',
  path: '/api/sub/:shortUuid/ss/:encodedTag',
  params: byShortUuid.extend({ encodedTag: z.string() }),
  response: z.unknown(),
  raw: true,
})
