import type { NewRemarks, ResponseRules } from '@causeway/contract'
import { headerBytes, subscriptionHeaders, templateValues, type HeaderSettings, type Subscriber } from '@causeway/subscription'

/** Remarks of later generations under the names of their columns. */
export function remarkColumns(remarks: NewRemarks) {
  const named = {
    expiredUsersRemarks: remarks.expiredUsers,
    limitedUsersRemarks: remarks.limitedUsers,
    disabledUsersRemarks: remarks.disabledUsers,
    emptyHostsRemarks: remarks.emptyHosts,
    emptySquadsRemarks: remarks.emptyInternalSquads,
    hwidExceededRemarks: remarks.HWIDMaxDevicesExceeded,
    hwidMissingRemarks: remarks.HWIDNotSupported,
  }
  return Object.fromEntries(Object.entries(named).filter(([, lines]) => lines !== undefined))
}

/** What nginx hands on of an answer's head unless told otherwise (proxy_buffer_size); of a larger one it makes a 502. */
export const MOST_HEADER_BYTES = 4096
/** The status line and what every answer has of its transport: date, length, type, encoding, connection. */
const FRAME_BYTES = 300

/** The longest names that users can have, so that a subscription that passes here passes for all of them. */
const largest: Subscriber = {
  shortUuid: 's'.repeat(16),
  username: 'u'.repeat(36),
  status: 'DISABLED',
  usedTrafficBytes: 2 ** 50,
  lifetimeUsedTrafficBytes: 2 ** 50,
  trafficLimitBytes: 2 ** 50,
  trafficLimitStrategy: 'MONTH',
  expireAt: new Date('2090-01-01T00:00:00Z'),
  tag: 'T'.repeat(16),
  email: 'e'.repeat(64),
  telegramId: 10 ** 12,
  id: 10 ** 12,
  // What is longer than this makes the headers of its user longer.
  description: 'x'.repeat(255),
  hwidDeviceLimit: 10 ** 9,
  createdAt: new Date('2099-01-01T00:00:00Z'),
  lastTrafficResetAt: new Date('2099-01-01T00:00:00Z'),
  vlessUuid: '',
  trojanPassword: '',
  ssPassword: '',
}

const FIELDS: Record<string, string> = {
  'profile-title': 'profileTitle',
  'support-url': 'supportLink',
  announce: 'happAnnounce',
  routing: 'happRouting',
}

export interface HeadersTrial {
  bytes: number
  /** The setting with the longest header, that header and its bytes. */
  longest: { field: string; name: string; bytes: number }
}

/** The head of a subscription for the app that gets most headers. `others` are those that every answer has. */
export function tryHeaders(settings: HeaderSettings, url: string, others: Record<string, string>, now: Date): HeadersTrial {
  const request = { userAgent: 'Happ/1', url, isHwidLimitEnabled: false, refillAt: now }
  const headers = subscriptionHeaders(largest, settings, { ...request, values: templateValues(largest, url, now) })
  const sizes = Object.entries(headers).map(([name, value]) => ({ name, bytes: headerBytes(name, value) }))
  const ours = Object.entries(others).reduce((sum, [name, value]) => sum + headerBytes(name, value), FRAME_BYTES)
  const custom = new Set(Object.keys(settings.customResponseHeaders ?? {}).map((name) => name.toLowerCase()))
  const set = sizes
    .filter(({ name }) => custom.has(name) || name in FIELDS)
    .map(({ name, bytes }) => ({ name, bytes, field: custom.has(name) ? 'customResponseHeaders' : (FIELDS[name] ?? '') }))
  const [longest] = set.toSorted((one, other) => other.bytes - one.bytes)
  return {
    bytes: sizes.reduce((sum, { bytes }) => sum + bytes, ours),
    longest: longest ?? { field: 'profileTitle', name: 'profile-title', bytes: 0 },
  }
}

/** The refusal of a head that is too long, with its longest header. */
export function tooLongText({ bytes, longest: { name, bytes: own } }: HeadersTrial): string {
  const sum = `The headers of a subscription would have ${bytes} bytes, and ${MOST_HEADER_BYTES} are the most that proxies pass on.`
  return name === 'routing'
    ? `${sum} The longest is routing with ${own}. Shorten it, or give users the routing as a link instead.`
    : `${sum} The longest is ${name} with ${own}. Shorten it.`
}

/** The first rule whose headers make an answer of so many bytes too long for proxies. */
export function longestRule(rules: ResponseRules | null, bytes: number): { field: string; message: string } | undefined {
  for (const [place, { name, responseModifications }] of rules?.rules.entries() ?? []) {
    const own = (responseModifications?.headers ?? []).reduce((sum, { key, value }) => sum + headerBytes(key, value), 0)
    if (own === 0 || bytes + own <= MOST_HEADER_BYTES) continue
    return {
      field: `responseRules.rules.${place}.responseModifications.headers`,
      message: `With the headers of rule “${name}” a subscription would have ${bytes + own} bytes of headers, and ${MOST_HEADER_BYTES} are the most that proxies pass on. Shorten them.`,
    }
  }
  return undefined
}
