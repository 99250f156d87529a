import { neverExpires, type SubscriptionSettings, type TrafficLimitStrategy } from '@causeway/contract'
import { isHapp } from './happ.ts'
import type { Subscriber } from './subscriber.ts'
import { fillTemplate, type TemplateValues } from './template-variables.ts'
import { base64 } from './text-encoding.ts'

export type HeaderSettings = Pick<
  SubscriptionSettings,
  | 'supportLink'
  | 'profileTitle'
  | 'profileUpdateInterval'
  | 'happAnnounce'
  | 'happRouting'
  | 'isProfileWebpageUrlEnabled'
  | 'customResponseHeaders'
>

export interface HeaderRequest {
  userAgent: string
  /** Address of the subscription, without the user name. */
  url: string
  values: TemplateValues
  isHwidLimitEnabled: boolean
  now: Date
}

/**
 * These say how the answer is transported and framed, or what a browser does with it and with the panel at the same address; a
 * custom header must not contradict that.
 */
const reserved = new Set([
  'clear-site-data',
  'connection',
  'content-encoding',
  'content-length',
  'content-security-policy',
  'content-type',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'keep-alive',
  'location',
  'proxy-connection',
  'refresh',
  'service-worker-allowed',
  'set-cookie',
  'strict-transport-security',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'x-content-type-options',
  'x-frame-options',
])

/** The headers of every subscription answer. Custom ones come last and may replace those before. */
export function subscriptionHeaders(user: Subscriber, settings: HeaderSettings, request: HeaderRequest): Record<string, string> {
  const { values, now } = request
  const refillAt = nextRefillAt(user.trafficLimitStrategy, now)
  const headers: Record<string, string> = {
    'content-disposition': `attachment; filename=${user.username}`,
    'profile-title': encodedText(fillTemplate(settings.profileTitle, values)),
    'profile-update-interval': String(settings.profileUpdateInterval),
    'subscription-userinfo': userInfo(user),
  }
  const supportUrl = settings.supportLink.trim().replace(/[^\x21-\x7e]+/gu, (sign) => encodeURI(sign.toWellFormed()))
  if (supportUrl) headers['support-url'] = supportUrl
  if (settings.happAnnounce) headers['announce'] = encodedText(fillTemplate(settings.happAnnounce, values))
  if (settings.happRouting && isHapp(request.userAgent)) headers['routing'] = transportable(settings.happRouting)
  if (settings.isProfileWebpageUrlEnabled && !request.isHwidLimitEnabled) headers['profile-web-page-url'] = request.url
  if (refillAt) headers['subscription-refill-date'] = String(unixSeconds(refillAt))
  for (const [name, value] of Object.entries(settings.customResponseHeaders ?? {})) {
    const key = name.toLowerCase()
    if (!reserved.has(key)) headers[key] = transportable(fillTemplate(value, values))
  }
  return headers
}

/** Clients of this kind decode texts that begin with `base64:`. */
export function encodedText(text: string): string {
  return `base64:${base64(text)}`
}

/**
 * When used traffic goes back to zero next, in the local time of the process, as the reset itself. Every moment before
 * the reset of the same day still points to that one.
 */
export function nextRefillAt(strategy: TrafficLimitStrategy, now: Date): Date | null {
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()]
  switch (strategy) {
    case 'NO_RESET':
      return null
    case 'DAY':
      return new Date(year, month, day + 1)
    case 'WEEK': {
      const daysSinceMonday = (now.getDay() + 6) % 7
      const thisMonday = new Date(year, month, day - daysSinceMonday, 0, 5)
      return thisMonday > now ? thisMonday : new Date(year, month, day - daysSinceMonday + 7, 0, 5)
    }
    case 'MONTH': {
      const thisMonth = new Date(year, month, 1, 0, 10)
      return thisMonth > now ? thisMonth : new Date(year, month + 1, 1, 0, 10)
    }
  }
}

function userInfo(user: Subscriber): string {
  const expire = neverExpires(user.expireAt) ? 0 : unixSeconds(user.expireAt)
  const [used, limit] = [Math.trunc(user.usedTrafficBytes), Math.trunc(user.trafficLimitBytes)]
  return `upload=0; download=${used}; total=${limit}; expire=${expire}`
}

/** A header cannot carry letters beyond Latin-1 or line breaks; such a value is sent encoded instead of failing. */
function transportable(value: string): string {
  return /^[\t\x20-\x7e\xa0-\xff]*$/.test(value) ? value : encodedText(value) // oxlint-disable-line no-control-regex -- a tab is allowed
}

function unixSeconds(instant: Date): number {
  return Math.floor(instant.getTime() / 1000)
}
