import { isServerHeader, neverExpires, type SubscriptionSettings } from '@causeway/contract'
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
  /** When used traffic goes back to zero next; null for users whose traffic is never reset. */
  refillAt: Date | null
}

/** The headers of every subscription answer. Custom ones come last and may replace those before. */
export function subscriptionHeaders(user: Subscriber, settings: HeaderSettings, request: HeaderRequest): Record<string, string> {
  const { values, refillAt } = request
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
  return { ...headers, ...customHeaders(Object.entries(settings.customResponseHeaders ?? {}), values) }
}

/** Headers of the administrator's own, as they are sent. Those that the server sets stay as they are. */
export function customHeaders(given: readonly [string, string][], values: TemplateValues): Record<string, string> {
  return Object.fromEntries(
    given
      .map(([name, value]) => [name.toLowerCase(), transportable(fillTemplate(value, values))] as const)
      .filter(([name]) => !isServerHeader(name)),
  )
}

/** What a header takes in an answer: its name, a colon, a blank, its value in Latin-1 and the end of its line. */
export function headerBytes(name: string, value: string): number {
  return name.length + value.length + 4
}

/** Clients of this kind decode texts that begin with `base64:`. */
export function encodedText(text: string): string {
  return `base64:${base64(text)}`
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
