import { isServerHeader, neverExpires, type SubscriptionSettings } from '@causeway/contract'
import { isHapp } from './happ.ts'
import type { Subscriber } from './subscriber.ts'
import { fillTemplate, type TemplateValues } from './template-variables.ts'
import { base64 } from './text/text-encoding.ts'

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
  for (const [name, value] of Object.entries(settings.customResponseHeaders ?? {})) {
    const key = name.toLowerCase()
    if (!isServerHeader(key)) headers[key] = headerText(value, values)
  }
  return headers
}

interface HeaderChanges {
  remove?: readonly string[] | undefined
  add?: Readonly<Record<string, string>> | undefined
}

/** Values with this prefix are sent encoded: clients of this kind decode texts beyond Latin-1. */
const ENCODE = 'rwEncodeBase64:'

/** The headers without those removed, then with those added, which replace others of their name. */
export function withHeaderChanges(
  headers: Record<string, string>,
  { remove = [], add = {} }: HeaderChanges,
  values: TemplateValues,
): Record<string, string> {
  if (remove.length === 0 && Object.keys(add).length === 0) return headers
  const gone = new Set(remove.map((name) => name.toLowerCase()))
  const changed = Object.fromEntries(Object.entries(headers).filter(([name]) => !gone.has(name)))
  for (const [name, value] of Object.entries(add)) {
    const key = name.toLowerCase()
    if (!isServerHeader(key)) changed[key] = headerText(value, values)
  }
  return changed
}

function headerText(value: string, values: TemplateValues): string {
  return value.startsWith(ENCODE)
    ? encodedText(fillTemplate(value.slice(ENCODE.length), values))
    : transportable(fillTemplate(value, values))
}

/** The bytes of a header in an answer: its name, a colon, a blank, its value in Latin-1 and the end of its line. */
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
