import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { later } from './generations.ts'
import { responseRules } from './response-rules.ts'
import { saveReason } from './revisions.ts'
import { isServerHeader } from './server-headers.ts'
import { wireInstant, wireInt, wireList, wireRecord, wireText, wireUuid } from './wire.ts'

/** Remarks stand in every group of a template as names of servers: their sum bounds the size of a subscription. */
const MOST_REMARK_CHARACTERS = 5000
export const remarks = wireList(z.string().max(500, 'must have at most 500 characters'), 100).refine(
  (list) => list.reduce((sum, { length }) => sum + length, 0) <= MOST_REMARK_CHARACTERS,
  `must have at most ${MOST_REMARK_CHARACTERS} characters together`,
)

/** How many response headers of one's own the settings hold. */
export const MAX_CUSTOM_HEADERS = 30

/** Variables in double braces for titles, announcements, header values and remarks: members of the user. */
export const templateKeys = [
  'DAYS_LEFT',
  'TRAFFIC_USED',
  'TRAFFIC_LEFT',
  'TOTAL_TRAFFIC',
  'STATUS',
  'USERNAME',
  'EMAIL',
  'TELEGRAM_ID',
  'SUBSCRIPTION_URL',
  'TAG',
  'EXPIRE_UNIX',
  'SHORT_UUID',
  'ID',
  'TRAFFIC_USED_BYTES',
  'TRAFFIC_LEFT_BYTES',
  'TOTAL_TRAFFIC_BYTES',
  'RESET_STRATEGY',
  'LIFETIME_USED_BYTES',
  'CREATED_AT_UNIX',
  'LAST_TRAFFIC_RESET_AT_UNIX',
  'SS_HWID_LIMIT',
  'DESCRIPTION',
] as const
export type TemplateKey = (typeof templateKeys)[number]

export const headerName = z
  .string()
  .max(64, 'header names may have at most 64 characters')
  .regex(/^[a-zA-Z0-9_-]+$/, 'header names may contain only letters, digits, underscores and dashes')
  .refine((name) => !isServerHeader(name), {
    error: ({ input }) => `${String(input)} is set by the server and cannot be replaced`,
  })
export const responseHeaders = wireRecord(
  headerName,
  z
    .string()
    .max(1000, 'must have at most 1000 characters')
    .regex(/^[^\p{Cc}]*$/u, 'must not contain line breaks and other control characters'),
  MAX_CUSTOM_HEADERS,
)

/** The limit of devices. */
export const hwidSettings = z.object({
  enabled: z.boolean(),
  fallbackDeviceLimit: wireInt.min(0, 'must be at least 0').max(1_000_000, 'must be at most 1000000'),
  maxDevicesAnnounce: wireText(200).nullable(),
})
export type HwidSettings = z.output<typeof hwidSettings>

export const subscriptionSettingsFields = z.object({
  profileTitle: wireText(1000),
  supportLink: wireText(2000),
  profileUpdateInterval: wireInt.min(1, 'must be at least 1 hour').describe('hours'),
  isProfileWebpageUrlEnabled: z.boolean(),
  serveJsonAtBaseSubscription: z.boolean(),
  addUsernameToBaseSubscription: z.boolean(),
  isShowCustomRemarks: z.boolean(),
  happAnnounce: z.string().max(200, 'must have at most 200 characters').nullable(),
  happRouting: wireText(50_000).nullable(),
  expiredUsersRemarks: remarks,
  limitedUsersRemarks: remarks,
  disabledUsersRemarks: remarks,
  customResponseHeaders: responseHeaders,
  randomizeHosts: z.boolean(),
  responseRules: later('2.2', responseRules.nullable()).describe('null: formats follow the user agent'),
  emptyHostsRemarks: later('2.3', remarks).describe('empty: the words of the product'),
  emptySquadsRemarks: later('2.3', remarks).describe('empty: the words of the product'),
  hwidExceededRemarks: later('2.3', remarks).describe('empty: an empty subscription'),
  hwidMissingRemarks: later('2.3', remarks).describe('empty: an empty subscription'),
  hwidSettings: later('2.3', hwidSettings.nullable()).describe('null in a request: the environment of the server decides'),
})

/** The remarks of 2.1 and those of the product's own, under the names of later generations. */
const customRemarks = z.object({
  expiredUsers: z.array(z.string()),
  limitedUsers: z.array(z.string()),
  disabledUsers: z.array(z.string()),
  emptyHosts: z.array(z.string()),
  emptyInternalSquads: z.array(z.string()),
  HWIDMaxDevicesExceeded: z.array(z.string()),
  HWIDNotSupported: z.array(z.string()),
})
/** Those that are named replace the stored ones. */
const newRemarks = z
  .object({
    expiredUsers: remarks,
    limitedUsers: remarks,
    disabledUsers: remarks,
    emptyHosts: remarks,
    emptyInternalSquads: remarks,
    HWIDMaxDevicesExceeded: remarks,
    HWIDNotSupported: remarks,
  })
  .partial()
export type NewRemarks = z.output<typeof newRemarks>

export const subscriptionSettings = subscriptionSettingsFields.extend({
  uuid: wireUuid,
  // Stored values may be older than the bounds.
  profileTitle: z.string(),
  supportLink: z.string(),
  happRouting: z.string().nullable(),
  happAnnounce: z.string().nullable(),
  expiredUsersRemarks: z.array(z.string()),
  limitedUsersRemarks: z.array(z.string()),
  disabledUsersRemarks: z.array(z.string()),
  customResponseHeaders: z.record(z.string(), z.string()).nullable(),
  customRemarks: later('2.3', customRemarks),
  hwidSettings: later(
    '2.3',
    z.object({ enabled: z.boolean(), fallbackDeviceLimit: z.number(), maxDevicesAnnounce: z.string().nullable() }).nullable(),
  ).describe('those in force'),
  createdAt: wireInstant,
  updatedAt: wireInstant,
})
export type SubscriptionSettings = z.output<typeof subscriptionSettings>

const tag = 'Subscription settings'

export const getSubscriptionSettings = endpoint({
  name: 'getSubscriptionSettings',
  title: 'Get Subscription Settings',
  tag,
  access: 'settings.read',
  method: 'GET',
  path: '/api/subscription-settings',
  response: subscriptionSettings,
})
export const updateSubscriptionSettings = endpoint({
  name: 'updateSubscriptionSettings',
  title: 'Update Subscription Settings',
  tag,
  access: 'settings.write',
  method: 'PATCH',
  path: '/api/subscription-settings',
  body: subscriptionSettingsFields
    .partial()
    .extend({ uuid: wireUuid, reason: saveReason, customRemarks: later('2.3', newRemarks) }),
  response: subscriptionSettings,
})
