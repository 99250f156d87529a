import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { queryNumber, wireEmail, wireInstant, wireInt, wireText, wireUrl, wireUuid } from './wire.ts'

// Notices tell people in words what happened: ways lead to people, rules say what is told over which ways. Own addition.

export const MOST_NOTICE_WAYS = 20
export const MOST_NOTICE_RULES = 100
export const MOST_MAIL_RECEIVERS = 20

/** Conditions that a rule may watch. `amount` is the one number in its words; `digest` is what such a rule begins with. */
export const noticeConditions = {
  nodeDown: { amount: { unit: 'minutes', least: 0, most: 1440, usual: 3 }, digest: 'none' },
  nodeTraffic: { amount: null, digest: 'none' },
  rolloutFailed: { amount: null, digest: 'none' },
  userTraffic: { amount: { unit: 'percent', least: 1, most: 99, usual: 80 }, digest: 'daily' },
  usersLimited: { amount: null, digest: 'hourly' },
  usersExpiring: { amount: { unit: 'days', least: 1, most: 30, usual: 3 }, digest: 'daily' },
  usersExpired: { amount: null, digest: 'daily' },
  sharedAccount: { amount: { unit: 'devices', least: 2, most: 1000, usual: 10 }, digest: 'daily' },
  manyAddresses: { amount: { unit: 'addresses', least: 2, most: 1000, usual: 5 }, digest: 'daily' },
  billsDue: { amount: { unit: 'days', least: 0, most: 30, usual: 7 }, digest: 'none' },
  certificateEnding: { amount: { unit: 'days', least: 1, most: 90, usual: 14 }, digest: 'none' },
  backupOld: { amount: { unit: 'days', least: 1, most: 90, usual: 2 }, digest: 'none' },
  resellerFull: { amount: null, digest: 'none' },
  diskLow: { amount: { unit: 'gigabytes', least: 1, most: 10_000, usual: 2 }, digest: 'none' },
  signIn: { amount: null, digest: 'none' },
  signInNew: { amount: null, digest: 'none' },
  signInFailed: { amount: null, digest: 'none' },
  weekSummary: { amount: null, digest: 'none' },
  userEvents: { amount: null, digest: 'none' },
  nodeEvents: { amount: null, digest: 'none' },
  serviceEvents: { amount: null, digest: 'none' },
  billEvents: { amount: null, digest: 'none' },
} as const satisfies Record<string, { amount: NoticeAmount | null; digest: 'none' | 'hourly' | 'daily' }>

export interface NoticeAmount {
  unit: 'minutes' | 'percent' | 'days' | 'devices' | 'addresses' | 'gigabytes'
  least: number
  most: number
  usual: number
}

export type NoticeCondition = keyof typeof noticeConditions
const conditions = Object.keys(noticeConditions) as [NoticeCondition, ...NoticeCondition[]] // keys of that very object
export const noticeCondition = z.enum(conditions)
export const amountOf = (condition: NoticeCondition): NoticeAmount | null => noticeConditions[condition].amount

/** Conditions of a first way, unless others are chosen. */
export const usualNotices: readonly NoticeCondition[] = [
  'nodeDown',
  'nodeTraffic',
  'rolloutFailed',
  'billsDue',
  'certificateEnding',
  'diskLow',
  'weekSummary',
]

export const noticeLanguage = z.enum(['en', 'ru', 'fa', 'zh'])
export type NoticeLanguage = z.output<typeof noticeLanguage>
export const noticeDigest = z.enum(['none', 'hourly', 'daily'])
export type NoticeDigest = z.output<typeof noticeDigest>
export const mailSecurity = z.enum(['tls', 'starttls', 'none'])
export type MailSecurity = z.output<typeof mailSecurity>
export const noticeWayKind = z.enum(['telegram', 'email', 'webhook'])
export type NoticeWayKind = z.output<typeof noticeWayKind>

const address = (sentence: string, protocols = /^https?:\/\//i) =>
  z
    .string()
    .max(2000, 'must have at most 2000 characters')
    .refine((text) => protocols.test(text) && wireUrl.safeParse(text).success, sentence)
const filled = (most = 255) => wireText(most).trim().min(1, 'must not be empty')

const telegramFields = z.object({
  chat: z
    .string()
    .trim()
    .regex(/^(-?\d{1,20}|@[A-Za-z]\w{3,63})$/, 'must be the number of a chat such as -1001234567890, or a name such as @channel'),
  topic: wireInt.min(1, 'must be at least 1').nullable().describe('a topic of a group; null: none'),
  apiRoot: address('must be an address such as https://api.telegram.org').nullable().describe('null: https://api.telegram.org'),
  token: z
    .string()
    .trim()
    .regex(/^\d{3,20}:[\w-]{20,100}$/, 'must be a bot token such as 123456789:AAE…'),
  proxy: address('must be an address such as http://user:password@proxy.example.com:8080', /^(https?|socks5?):\/\//i).nullable(),
})
const emailFields = z.object({
  host: filled().describe('mail server'),
  port: wireInt.min(1, 'must be from 1 to 65535').max(65_535, 'must be from 1 to 65535'),
  security: mailSecurity.describe('tls: from the first byte, mostly port 465; starttls: mostly port 587; none: unencrypted'),
  username: filled().nullable(),
  password: filled(1000).nullable(),
  from: wireEmail,
  to: z.array(wireEmail).min(1, 'must not be empty').max(MOST_MAIL_RECEIVERS, `must have at most ${MOST_MAIL_RECEIVERS} entries`),
})
const webhookFieldsOfNotices = z.object({
  url: address('must be an address such as https://bot.example.com/notices'),
  secret: z
    .string()
    .regex(/^[A-Za-z0-9]{32,128}$/, 'must have 32 to 128 letters and digits')
    .nullable()
    .describe('signs the body: X-Causeway-Signature is its HMAC-SHA256'),
})

const wayName = z.string().trim().min(1, 'must not be empty').max(60, 'must have at most 60 characters')
const wayFields = z.object({
  name: wayName,
  language: noticeLanguage.describe('of the texts'),
})

/** Notices that are not sent yet although all is well with their receivers. */
const heldBack = z.object({
  count: wireInt,
  reason: z.enum(['quietHours', 'digest', 'rate']).describe('of those that are sent first'),
  until: wireInstant.describe('when the first of them are sent'),
})
export type HeldBack = z.output<typeof heldBack>

export const noticeWay = wayFields.extend({
  uuid: wireUuid,
  name: z.string(),
  kind: noticeWayKind,
  telegram: z
    .object({
      chat: z.string(),
      topic: wireInt.nullable(),
      apiRoot: z.string().nullable(),
      proxyHost: z.string().nullable().describe('where the proxy is; its address with a password is not shown'),
    })
    .nullable(),
  email: z
    .object({
      host: z.string(),
      port: wireInt,
      security: mailSecurity,
      username: z.string().nullable(),
      hasPassword: z.boolean(),
      from: z.string(),
      to: z.array(z.string()),
    })
    .nullable(),
  webhook: z.object({ url: z.string(), hasSecret: z.boolean() }).nullable(),
  isPaused: z.boolean(),
  isFromEnvironment: z.boolean().describe('set by TELEGRAM_NOTIFY_… ; read-only here'),
  rules: wireInt.describe('how many rules lead here'),
  lastSuccessAt: wireInstant.nullable(),
  failingSince: wireInstant.nullable(),
  lastError: z.string().nullable(),
  waiting: wireInt.describe('messages that are still to be sent, and notices held back'),
  held: heldBack.nullable().describe('of those that wait, what quiet hours, a digest or a rate holds back'),
  failed: wireInt.describe('messages that were given up and are still kept'),
  createdAt: wireInstant,
  updatedAt: wireInstant,
})
export type NoticeWay = z.output<typeof noticeWay>

const clock = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 22:00')
  .nullable()
const ruleFields = z.object({
  condition: noticeCondition,
  amount: wireInt.nullable().describe('minutes, percent, days, devices or gigabytes, as the condition has it'),
  ways: z.array(wireUuid).max(MOST_NOTICE_WAYS, `must have at most ${MOST_NOTICE_WAYS} entries`),
  quietFrom: clock.describe('from here to quietTo nothing is sent; what comes up is sent afterwards. null: no quiet hours'),
  quietTo: clock,
  zone: wireText(100).nullable().describe('IANA time zone of the quiet hours and the digest; null: that of the installation'),
  mostPerHour: wireInt.min(1, 'must be at least 1').max(1000, 'must be at most 1000').nullable().describe('messages per way'),
  digest: noticeDigest.describe('together with other rules once an hour, or once a day at 9:00'),
})
export const noticeRule = ruleFields.extend({
  uuid: wireUuid,
  zone: z.string().nullable(),
  isPaused: z.boolean(),
  isFromEnvironment: z.boolean(),
  lastAt: wireInstant.nullable().describe('when it last came up'),
  held: heldBack.nullable(),
  createdAt: wireInstant,
  updatedAt: wireInstant,
})
export type NoticeRule = z.output<typeof noticeRule>

export const noticeMessageState = z.enum(['waiting', 'sent', 'failed'])
export type NoticeMessageState = z.output<typeof noticeMessageState>

export const noticeMessage = z.object({
  uuid: wireUuid,
  wayUuid: wireUuid,
  wayName: z.string(),
  title: z.string(),
  lines: z.array(z.object({ text: z.string(), url: z.string().nullable() })),
  state: noticeMessageState,
  attempts: wireInt,
  at: wireInstant,
  nextAttemptAt: wireInstant.nullable(),
  endedAt: wireInstant.nullable(),
  error: z.string().nullable(),
  answer: z.string().nullable().describe('what the other side said last; its first 2 kB'),
})
export type NoticeMessage = z.output<typeof noticeMessage>

const tag = 'Notices'
const byUuid = z.object({ uuid: wireUuid })
const isDeleted = z.object({ isDeleted: z.boolean() })
const named = wayFields.partial()

export const listNoticeWays = endpoint({
  name: 'listNoticeWays',
  title: 'Get Notice Ways',
  tag,
  access: 'notices.read',
  method: 'GET',
  path: '/api/x/notice-ways',
  response: z.object({ ways: z.array(noticeWay) }),
})
export const getNoticeWay = endpoint({
  name: 'getNoticeWay',
  title: 'Get Notice Way',
  tag,
  access: 'notices.read',
  method: 'GET',
  path: '/api/x/notice-ways/:uuid',
  params: byUuid,
  response: noticeWay,
})
const telegramInput = telegramFields.partial().required({ chat: true, token: true })
const emailInput = emailFields.partial().required({ host: true, port: true, security: true, from: true, to: true })
const webhookInput = webhookFieldsOfNotices.partial().required({ url: true })
export const createNoticeWay = endpoint({
  name: 'createNoticeWay',
  creates: true,
  title: 'Create Notice Way',
  tag,
  access: 'notices.write',
  method: 'POST',
  path: '/api/x/notice-ways',
  body: named
    .extend({
      telegram: telegramInput.optional(),
      email: emailInput.optional(),
      webhook: webhookInput.optional(),
      conditions: z
        .array(noticeCondition)
        .max(conditions.length)
        .optional()
        .describe('rules to make with it, as they usually are'),
    })
    .refine(({ telegram, email, webhook }) => [telegram, email, webhook].filter((way) => way !== undefined).length === 1, {
      error: 'must have one of telegram, email and webhook',
      path: ['telegram'],
    }),
  response: noticeWay,
  status: 201,
})
export const updateNoticeWay = endpoint({
  name: 'updateNoticeWay',
  title: 'Change Notice Way',
  tag,
  access: 'notices.write',
  method: 'PATCH',
  path: '/api/x/notice-ways',
  body: named.extend({
    uuid: wireUuid,
    isPaused: z.boolean().optional(),
    telegram: telegramFields.partial().optional(),
    email: emailFields.partial().optional(),
    webhook: webhookFieldsOfNotices.partial().optional(),
  }),
  response: noticeWay,
})
export const deleteNoticeWay = endpoint({
  name: 'deleteNoticeWay',
  title: 'Delete Notice Way',
  tag,
  access: 'notices.write',
  method: 'DELETE',
  path: '/api/x/notice-ways/:uuid',
  params: byUuid,
  response: isDeleted,
})
export const testNoticeWay = endpoint({
  name: 'testNoticeWay',
  title: 'Send Test Notice',
  tag,
  access: 'notices.write',
  method: 'POST',
  path: '/api/x/notice-ways/:uuid/test',
  params: byUuid,
  response: z.object({
    durationMs: wireInt,
    error: z.string().nullable(),
    answer: z.string().nullable(),
  }),
})
export const listNoticeRules = endpoint({
  name: 'listNoticeRules',
  title: 'Get Notice Rules',
  tag,
  access: 'notices.read',
  method: 'GET',
  path: '/api/x/notice-rules',
  response: z.object({ rules: z.array(noticeRule) }),
})
export const getNoticeRule = endpoint({
  name: 'getNoticeRule',
  title: 'Get Notice Rule',
  tag,
  access: 'notices.read',
  method: 'GET',
  path: '/api/x/notice-rules/:uuid',
  params: byUuid,
  response: noticeRule,
})
export const createNoticeRule = endpoint({
  name: 'createNoticeRule',
  creates: true,
  title: 'Create Notice Rule',
  tag,
  access: 'notices.write',
  method: 'POST',
  path: '/api/x/notice-rules',
  body: ruleFields.partial().required({ condition: true, ways: true }),
  response: noticeRule,
  status: 201,
})
export const updateNoticeRule = endpoint({
  name: 'updateNoticeRule',
  title: 'Change Notice Rule',
  tag,
  access: 'notices.write',
  method: 'PATCH',
  path: '/api/x/notice-rules',
  body: ruleFields.omit({ condition: true }).partial().extend({ uuid: wireUuid, isPaused: z.boolean().optional() }),
  response: noticeRule,
})
export const deleteNoticeRule = endpoint({
  name: 'deleteNoticeRule',
  title: 'Delete Notice Rule',
  tag,
  access: 'notices.write',
  method: 'DELETE',
  path: '/api/x/notice-rules/:uuid',
  params: byUuid,
  response: isDeleted,
})
export const countAddressNodes = endpoint({
  name: 'countAddressNodes',
  title: 'Count Nodes That Tell Addresses',
  tag,
  access: 'notices.read',
  method: 'GET',
  path: '/api/x/notice-rules/address-nodes',
  response: z.object({
    able: wireInt.describe('connected nodes whose agent can tell the addresses of connections'),
    total: wireInt.describe('enabled nodes'),
  }),
})
export const listNoticeMessages = endpoint({
  name: 'listNoticeMessages',
  title: 'Get Notice Messages',
  tag,
  access: 'notices.read',
  method: 'GET',
  path: '/api/x/notice-messages',
  query: z.object({
    way: wireUuid.optional(),
    state: noticeMessageState.optional(),
    start: queryNumber.optional(),
    size: queryNumber.optional(),
  }),
  response: z.object({
    messages: z.array(noticeMessage),
    total: wireInt,
    held: wireInt.describe('notices that wait for their digest, for the end of quiet hours or for a lower rate'),
  }),
})
export const resendNoticeMessage = endpoint({
  name: 'resendNoticeMessage',
  title: 'Send Notice Again',
  tag,
  access: 'notices.write',
  method: 'POST',
  path: '/api/x/notice-messages/:uuid/resend',
  params: byUuid,
  response: noticeMessage,
})
