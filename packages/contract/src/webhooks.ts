import { z } from 'zod'
import { eventName } from './domain-events.ts'
import { endpoint } from './endpoint.ts'
import { queryNumber, wireInstant, wireInt, wireList, wireText, wireUrl, wireUuid } from './wire.ts'

// Addresses that events are sent to, and what became of each delivery. Own addition.

export const WEBHOOK_NAME_LENGTH = 60
export const MOST_WEBHOOKS = 20
export const WEBHOOK_SECRET_LENGTH = { least: 32, most: 128 }
/** How long both signatures are sent after a rotation. */
export const ROTATION_OVERLAP_HOURS = { least: 0, usual: 24, most: 168 }

const webhookName = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(WEBHOOK_NAME_LENGTH, `must have at most ${WEBHOOK_NAME_LENGTH} characters`)
const address = z
  .string()
  .max(2000, 'must have at most 2000 characters')
  .refine(
    (text) => /^https?:\/\//i.test(text) && wireUrl.safeParse(text).success,
    'must be an address such as https://bot.example.com/webhook',
  )
const secretText = z
  .string()
  .min(WEBHOOK_SECRET_LENGTH.least, `must have at least ${WEBHOOK_SECRET_LENGTH.least} characters`)
  .max(WEBHOOK_SECRET_LENGTH.most, `must have at most ${WEBHOOK_SECRET_LENGTH.most} characters`)
  .regex(/^[A-Za-z0-9]+$/, 'may contain only letters and digits')
  .describe('generated when absent')

/** Receivers read moments of expiry by one of two sets of names; a receiver that got both would tell its users twice. */
export const expiryNames = z.enum(['old', 'new'])
export type ExpiryNames = z.output<typeof expiryNames>

export const webhookFields = z.object({
  name: webhookName,
  url: address,
  events: wireList(eventName, eventName.options.length).nullable().describe('null: all'),
  expiryNames: expiryNames.describe('old: user.expires_in_24_hours and the like; new: user.expiration with meta.expiration'),
})

export const webhook = webhookFields.extend({
  uuid: wireUuid,
  name: z.string(),
  url: z.string(),
  events: z.array(eventName).nullable(),
  isPaused: z.boolean(),
  isFromEnvironment: z.boolean().describe('set by WEBHOOK_URL; read-only here'),
  overlapEndsAt: wireInstant.nullable().describe('until then both signatures are sent'),
  hasNewSecret: z.boolean().describe('the receiver has accepted the new secret during the overlap'),
  lastSuccessAt: wireInstant.nullable(),
  failingSince: wireInstant.nullable(),
  lastError: z.string().nullable(),
  stoppedAt: wireInstant.nullable().describe('stopped by itself after a day without success'),
  waiting: wireInt.describe('events that are still to be delivered'),
  unread: wireInt.describe('of them those that have no delivery yet, as earlier ones wait'),
  unreadSince: wireInstant.nullable().describe('when the first of these happened'),
  failed: wireInt.describe('deliveries that were given up and are still kept'),
  missed: wireInt.describe('events that were dropped because this webhook was away for too long'),
  createdAt: wireInstant,
  updatedAt: wireInstant,
})
export type Webhook = z.output<typeof webhook>

export const deliveryState = z.enum(['waiting', 'delivered', 'failed'])
export type DeliveryState = z.output<typeof deliveryState>

export const webhookDelivery = z.object({
  uuid: wireUuid,
  event: z.string().describe('the name under which it is sent'),
  thing: z.string(),
  at: wireInstant.describe('when it happened'),
  state: deliveryState,
  attempts: wireInt,
  status: wireInt.nullable().describe('of the last answer; null: there was none'),
  error: z.string().nullable(),
  nextAttemptAt: wireInstant.nullable().describe('null: none is planned, or an earlier delivery is waited for'),
  behind: z
    .object({ uuid: wireUuid, event: z.string() })
    .nullable()
    .describe('the earlier delivery about the same thing that has to arrive first'),
  endedAt: wireInstant.nullable(),
})
export type WebhookDelivery = z.output<typeof webhookDelivery>

const attempt = z.object({
  number: wireInt,
  at: wireInstant,
  durationMs: wireInt,
  status: wireInt.nullable(),
  answer: z.string().nullable().describe('its first 2 kB'),
  error: z.string().nullable(),
})

export const webhookDeliveryDetails = webhookDelivery.extend({
  url: z.string(),
  headers: z.record(z.string(), z.string()).describe('as of the next attempt'),
  body: z.string(),
  tries: z.array(attempt),
})
export type WebhookDeliveryDetails = z.output<typeof webhookDeliveryDetails>

const tag = 'Webhooks'
const byUuid = z.object({ uuid: wireUuid })
const withSecret = z.object({ webhook, secret: z.string().describe('shown here alone') })

export const listWebhooks = endpoint({
  name: 'listWebhooks',
  title: 'Get Webhooks',
  tag,
  access: 'webhooks.read',
  method: 'GET',
  path: '/api/x/webhooks',
  response: z.object({ webhooks: z.array(webhook) }),
})
export const getWebhook = endpoint({
  name: 'getWebhook',
  title: 'Get Webhook',
  tag,
  access: 'webhooks.read',
  method: 'GET',
  path: '/api/x/webhooks/:uuid',
  params: byUuid,
  response: webhook,
})
export const createWebhook = endpoint({
  name: 'createWebhook',
  creates: true,
  title: 'Create Webhook',
  tag,
  access: 'webhooks.write',
  method: 'POST',
  path: '/api/x/webhooks',
  body: webhookFields.partial().extend({
    name: webhookFields.shape.name,
    url: webhookFields.shape.url,
    secret: secretText.optional(),
  }),
  response: withSecret,
  status: 201,
})
export const updateWebhook = endpoint({
  name: 'updateWebhook',
  title: 'Change Webhook',
  tag,
  access: 'webhooks.write',
  method: 'PATCH',
  path: '/api/x/webhooks',
  body: webhookFields.partial().extend({ uuid: wireUuid, isPaused: z.boolean().optional() }),
  response: webhook,
})
export const deleteWebhook = endpoint({
  name: 'deleteWebhook',
  title: 'Delete Webhook',
  tag,
  access: 'webhooks.write',
  method: 'DELETE',
  path: '/api/x/webhooks/:uuid',
  params: byUuid,
  response: z.object({ isDeleted: z.boolean() }),
})
export const rotateWebhookSecret = endpoint({
  name: 'rotateWebhookSecret',
  title: 'Rotate Webhook Secret',
  tag,
  access: 'webhooks.write',
  method: 'POST',
  path: '/api/x/webhooks/:uuid/rotate-secret',
  params: byUuid,
  body: z.object({
    overlapHours: z
      .number()
      .min(ROTATION_OVERLAP_HOURS.least, 'must not be negative')
      .max(ROTATION_OVERLAP_HOURS.most, `must be at most ${ROTATION_OVERLAP_HOURS.most}`)
      .optional(),
    secret: secretText.optional(),
  }),
  response: withSecret,
})
export const testWebhook = endpoint({
  name: 'testWebhook',
  title: 'Send Test Event',
  tag,
  access: 'webhooks.write',
  method: 'POST',
  path: '/api/x/webhooks/:uuid/test',
  params: byUuid,
  response: attempt.omit({ number: true }).extend({ body: z.string() }),
})
export const resendFailedDeliveries = endpoint({
  name: 'resendFailedDeliveries',
  title: 'Send Failed Deliveries Again',
  tag,
  access: 'webhooks.write',
  method: 'POST',
  path: '/api/x/webhooks/:uuid/resend-failed',
  params: byUuid,
  response: z.object({ deliveries: wireInt }),
})
export const listWebhookDeliveries = endpoint({
  name: 'listWebhookDeliveries',
  title: 'Get Webhook Deliveries',
  tag,
  access: 'webhooks.read',
  method: 'GET',
  path: '/api/x/webhooks/:uuid/deliveries',
  params: byUuid,
  query: z.object({
    state: deliveryState.optional(),
    event: eventName.optional(),
    search: wireText(100).optional().describe('part of the name of what it is about, such as a username'),
    start: queryNumber.optional(),
    size: queryNumber.optional(),
  }),
  response: z.object({ deliveries: z.array(webhookDelivery), total: wireInt }),
})
export const getWebhookDelivery = endpoint({
  name: 'getWebhookDelivery',
  title: 'Get Webhook Delivery',
  tag,
  access: 'webhooks.read',
  method: 'GET',
  path: '/api/x/webhook-deliveries/:uuid',
  params: byUuid,
  response: webhookDeliveryDetails,
})
export const resendWebhookDelivery = endpoint({
  name: 'resendWebhookDelivery',
  title: 'Send Delivery Again',
  tag,
  access: 'webhooks.write',
  method: 'POST',
  path: '/api/x/webhook-deliveries/:uuid/resend',
  params: byUuid,
  response: webhookDelivery,
})
