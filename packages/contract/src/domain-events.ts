import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { hwidDevice } from './hwid.ts'
import { node } from './nodes.ts'
import { torrentReportOf } from './torrent-reports.ts'
import { user } from './users.ts'
import { wireInstant, wireUuid } from './wire.ts'

// Events of the domain, for webhooks and people. Names and forms are those that programs of this field read
// (docs/webhooks.md). Not to be confused with events.ts, which tells open tabs to look again.

const loginAttempt = z.object({
  loginAttempt: z.object({
    username: z.string(),
    ip: z.string().nullable(),
    userAgent: z.string().nullable(),
    description: z.string().describe('the way of signing in, or why it was refused; never a typed password'),
  }),
  isNewPlace: z.boolean().optional().describe('from a network or by a program that this administrator has not used lately'),
})
const apiToken = z.object({
  apiToken: z.object({
    name: z.string(),
    uuid: wireUuid,
    expireAt: wireInstant.nullable(),
    scopes: z.array(z.string()).describe('permissions; ["*"] for all'),
  }),
})
const payment = z.object({
  providerName: z.string(),
  nodeName: z.string(),
  nextBillingAt: wireInstant,
  loginUrl: z.string().describe('empty where the provider has none'),
})

/** Member `data` of the bodies, per family. */
export const eventData = {
  user,
  user_hwid_devices: z.object({ user, hwidUserDevice: hwidDevice }),
  node,
  torrent_blocker: z.object({ node, user, report: torrentReportOf }),
  crm: payment,
} as const

/** Every event with the form of its `data`. */
export const domainEvents = {
  'user.created': user,
  'user.modified': user,
  'user.deleted': user,
  'user.revoked': user,
  'user.disabled': user,
  'user.enabled': user,
  'user.limited': user,
  'user.expired': user,
  'user.traffic_reset': user,
  'user.first_connected': user,
  'user.not_connected': user,
  'user.bandwidth_usage_threshold_reached': user,
  'user.expiration': user,
  'user_hwid_devices.added': eventData.user_hwid_devices,
  'user_hwid_devices.deleted': eventData.user_hwid_devices,
  'node.created': node,
  'node.modified': node,
  'node.disabled': node,
  'node.enabled': node,
  'node.deleted': node,
  'node.connection_lost': node,
  'node.connection_restored': node,
  'node.traffic_notify': node,
  'torrent_blocker.report': eventData.torrent_blocker,
  'service.panel_started': z.object({ panelVersion: z.string() }),
  'service.login_attempt_failed': loginAttempt,
  'service.login_attempt_success': loginAttempt,
  'service.subpage_config_changed': z.object({ subpageConfig: z.object({ action: z.string(), uuid: wireUuid }) }),
  'service.api_token_created': apiToken,
  'service.api_token_deleted': apiToken,
  'crm.infra_billing_node_payment_in_7_days': payment,
  'crm.infra_billing_node_payment_in_48hrs': payment,
  'crm.infra_billing_node_payment_in_24hrs': payment,
  'crm.infra_billing_node_payment_due_today': payment,
  'crm.infra_billing_node_payment_overdue_24hrs': payment,
  'crm.infra_billing_node_payment_overdue_48hrs': payment,
  'crm.infra_billing_node_payment_overdue_7_days': payment,
} as const satisfies Record<string, z.ZodObject>

export type EventName = keyof typeof domainEvents
const names = Object.keys(domainEvents) as [EventName, ...EventName[]] // keys of that very object
export const eventName = z.enum(names)
export const eventFamilies = ['user', 'user_hwid_devices', 'node', 'torrent_blocker', 'service', 'crm'] as const
export type EventFamily = (typeof eventFamilies)[number]

export const familyOf = (event: EventName): EventFamily =>
  eventFamilies.find((family) => event.startsWith(`${family}.`)) ?? 'service'

/** Names that moments of expiry had before `user.expiration`, by hours; negative is before. Other moments had none. */
export const oldExpiryNames: Readonly<Record<number, string>> = {
  [-72]: 'user.expires_in_72_hours',
  [-48]: 'user.expires_in_48_hours',
  [-24]: 'user.expires_in_24_hours',
  24: 'user.expired_24_hours_ago',
}

export const eventKind = z.object({
  event: eventName,
  body: z.string().describe('a sample of the JSON that is sent; the values are made up'),
  isDue: z.boolean().describe('false: moments of this kind are switched off by the configuration'),
})

export const listDomainEvents = endpoint({
  name: 'listDomainEvents',
  title: 'Get Events',
  tag: 'Webhooks',
  access: 'webhooks.read',
  method: 'GET',
  path: '/api/x/domain-events',
  response: z.object({ events: z.array(eventKind) }),
})
