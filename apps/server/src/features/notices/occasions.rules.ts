import { familyOf, type EventFamily, type EventName, type NoticeCondition } from '@causeway/contract'
import type { EventText, Facts, TextName } from './texts.rules.ts'

// Meaning of a published event to a rule. Conditions of the present state, such as a full disk, are in states.queries.

export interface ReadEvent {
  position: number
  uuid: string
  event: EventName
  at: Date
  data: Record<string, unknown>
}

export interface Occasion {
  text: TextName
  facts: Facts
}

const ofFamily: Partial<Record<NoticeCondition, EventFamily>> = {
  userEvents: 'user',
  nodeEvents: 'node',
  serviceEvents: 'service',
  billEvents: 'crm',
}
const ofEvent: Partial<Record<NoticeCondition, [EventName, TextName]>> = {
  nodeTraffic: ['node.traffic_notify', 'nodeTraffic'],
  usersLimited: ['user.limited', 'userLimited'],
  usersExpired: ['user.expired', 'userExpired'],
  signIn: ['service.login_attempt_success', 'signedIn'],
  signInNew: ['service.login_attempt_success', 'signedInNew'],
  signInFailed: ['service.login_attempt_failed', 'signInRefused'],
}

/** Conditions that events of the domain bring about; nodeDown also needs the time that passes. */
export const eventConditions: readonly NoticeCondition[] = [
  'nodeDown',
  ...(Object.keys(ofFamily) as NoticeCondition[]), // keys of that very object
  ...(Object.keys(ofEvent) as NoticeCondition[]),
]

/** The family of events that a condition is about. */
export function familyRead(condition: NoticeCondition): EventFamily {
  const [event] = ofEvent[condition] ?? ['node.connection_lost' as const]
  return ofFamily[condition] ?? familyOf(event)
}

/** The occasion of an event by a rule of this condition; undefined where it is none of its events. */
export function occasionOf(condition: NoticeCondition, read: ReadEvent): Occasion | undefined {
  const family = ofFamily[condition]
  if (family !== undefined)
    return familyOf(read.event) === family ? { text: eventText(read.event), facts: factsOf(read) } : undefined
  if (condition === 'signInNew' && read.data['isNewPlace'] !== true) return undefined
  const [event, text] = ofEvent[condition] ?? []
  return event === read.event && text !== undefined ? { text, facts: factsOf(read) } : undefined
}

const eventText = (event: EventName): EventText => `event ${event}`

/** Facts for the texts: few members of the event's data, as they were. */
export function factsOf({ event, at, data }: ReadEvent): Facts {
  const attempt = memberOf(data['loginAttempt'])
  const token = memberOf(data['apiToken'])
  const first = (...values: unknown[]) => values.find((value) => typeof value === 'string' && value !== '') ?? null
  const facts = {
    name: first(data['username'], data['name'], data['nodeName'], attempt['username'], token['name'], data['panelVersion']),
    at: at.toISOString(),
    provider: first(data['providerName']),
    dueOn: first(data['nextBillingAt']),
    address: first(attempt['ip']),
    program: first(attempt['userAgent']),
    reason: first(attempt['description'], data['lastStatusMessage']),
    percent: shareOf(data['trafficUsedBytes'], data['trafficLimitBytes']),
    usedBytes: numberOf(data['trafficUsedBytes'] ?? data['usedTrafficBytes']),
    limitBytes: numberOf(data['trafficLimitBytes']),
    path: pathOf(event, data),
  }
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null)) as Facts // texts and numbers, as made above
}

const memberOf = (value: unknown) => (value ?? {}) as Record<string, unknown> // an object by the contract of the event
const numberOf = (value: unknown) => (typeof value === 'number' ? value : null)
const shareOf = (used: unknown, limit: unknown) =>
  typeof used === 'number' && typeof limit === 'number' && limit > 0 ? Math.floor((used / limit) * 100) : null

/** Where the dashboard shows the thing. */
function pathOf(event: EventName, data: Record<string, unknown>): string | null {
  const uuid = typeof data['uuid'] === 'string' ? data['uuid'] : ''
  if (event.endsWith('.deleted')) return '/dashboard/management/deleted'
  const paths: Record<EventFamily, string> = {
    user: userPath(uuid),
    user_hwid_devices: '/dashboard/management/devices',
    node: nodePath(uuid),
    torrent_blocker: '/dashboard/nodes/torrents',
    crm: BILLS_PATH,
    service: event.startsWith('service.api_token') ? '/dashboard/management/api-tokens' : HISTORY_PATH,
  }
  return paths[familyOf(event)]
}

export const userPath = (uuid: string) => `/dashboard/management/users?edit=${uuid}`
const nodePath = (uuid: string) => `/dashboard/management/nodes?edit=${uuid}`
const BILLS_PATH = '/dashboard/crm/infra-billing'
const HISTORY_PATH = '/dashboard/management/history'
