import type { Served, SubscriptionInfo } from '@causeway/contract'
import type * as api from '@causeway/contract'
import {
  encodedText,
  fillStencil,
  fillTemplate,
  formatOfUserAgent,
  infoView,
  isHapp,
  rawHostView,
  resolvedConfigView,
  renderOutlineByTag,
  renderSubscription,
  shareLinks,
  shownSubscriptionUrl,
  stencilOf,
  subscriptionEntries,
  subscriptionHeaders,
  subscriptionUser,
  templateValues,
  withHeaderChanges,
  type ProxyEntry,
  type Random,
  type Rendered,
  type Subscriber,
  type SubscriptionFormat,
} from '@causeway/subscription'
import type { Caller, Ctx } from '../../ctx.ts'
import { happCryptoLink } from '../../lib/happ-link.ts'
import { recordAccesses, type Accesses } from './accesses.actions.ts'
import { admitDevice } from './devices.actions.ts'
import { keepParts, type SubscriptionParts, type PartsCache } from './subscription-parts.queries.ts'
import { nextRefillAt } from './refill.rules.ts'
import type { SubscriptionRequest } from './request.rules.ts'
import { subscriptionUrl } from '../../ground/subscription-url.rules.ts'
import type { StoredSubscriber } from './subscriptions.queries.ts'

/** State with the server's lifetime, shared by all requests for subscriptions. */
export interface Serving {
  parts: PartsCache
  accesses: Accesses
  close(): Promise<void>
}

export function openServing(ctx: Ctx): Serving {
  const parts = keepParts(ctx.reads.newest, () => ctx.bus.isListening())
  // Sent by the triggers on the tables that subscriptions are made of.
  const stopHearing = ctx.bus.hear('subscriptionChange', () => parts.drop())
  const accesses = recordAccesses(ctx)
  return {
    parts,
    accesses,
    close: async () => {
      stopHearing()
      await accesses.close()
    },
  }
}

export interface ServedText extends Rendered {
  headers: Record<string, string>
}

/** The data of one subscription for the browser page. It shows no links to servers. */
export type PageContent = ReturnType<typeof pageContent>

function pageContent({ user, parts, values, shownUrl, now }: Lookup) {
  return {
    user: subscriptionUser(user, now),
    subscriptionUrl: shownUrl,
    title: fillTemplate(parts.settings.profileTitle, values),
    pageConfigUuid: parts.squad?.subpageConfigUuid ?? null,
  }
}

/** A subscription for a client app: `format` where the address names one, else what the app's name says. */
export async function serve(
  ctx: Ctx,
  serving: Serving,
  caller: Caller,
  user: StoredSubscriber,
  request: SubscriptionRequest,
  format?: SubscriptionFormat,
): Promise<ServedText | PageContent> {
  const lookup = lookUp(ctx, caller, user, await serving.parts.current(), request.userAgent)
  const admitted = await admit(ctx, serving, lookup, request)
  if (admitted && !request.wantsPage) noteOpening(serving, caller, lookup)
  if (!admitted || request.wantsPage) return answerTo(ctx, lookup, admitted, request, format).content
  const chosen = chosenFormat(lookup, request, format)
  const written = filled(admitted, chosen)
  return written ? { ...written, headers: lookup.headers } : answerTo(ctx, lookup, admitted, request, format).content
}

/** The text for users of the same squads with this user's credentials, where it is the same but for those. */
function filled({ user, parts, userAgent, now }: Admitted, format: SubscriptionFormat): Rendered | undefined {
  const forHapp = isHapp(userAgent)
  const version = 'version' in format ? format.version?.join('.') : ''
  const kind = [format.kind, version, forHapp, user.status, user.squadIds.join(), parts.squad?.uuid ?? ''].join(' ')
  const stencil = parts.stencils.find(kind, performance.now(), () => {
    const hosts = visibleHosts(parts, user.squadIds)
    const hasSquads = user.squadIds.length > 0
    const entries = (stranger: Subscriber, random: Random) => {
      const values = templateValues(stranger, stranger.shortUuid, now)
      return subscriptionEntries(stranger, hosts, parts.settings, { values, hasSquads, keepOrder: false, random })
    }
    return stencilOf(format, user.status, entries, { templates: parts.templates, isHapp: forHapp })
  })
  return stencil ? fillStencil(stencil, user) : undefined
}

/** The answer and its parts. Depends on nothing but its input, and changes nothing. */
export function answerTo(
  ctx: Ctx,
  lookup: Lookup,
  admitted: Admitted | null,
  request: Pick<SubscriptionRequest, 'userAgent' | 'wantsPage'>,
  format?: SubscriptionFormat,
): { content: ServedText | PageContent; format?: SubscriptionFormat; entries: ProxyEntry[] } {
  if (!admitted) return { content: refusal(ctx, lookup), entries: [] }
  if (request.wantsPage) return { content: pageContent(lookup), entries: [] }
  const chosen = chosenFormat(lookup, request, format)
  const entries = visibleEntries(admitted, false)
  return { content: { ...rendered(lookup, chosen, entries), headers: lookup.headers }, format: chosen, entries }
}

function chosenFormat({ parts }: Lookup, request: Pick<SubscriptionRequest, 'userAgent'>, format?: SubscriptionFormat) {
  return format ?? formatOfUserAgent(request.userAgent, parts.settings.serveJsonAtBaseSubscription)
}

/** All headers of an answer of ours. Links are bearer secrets, and so is what they give: no proxy may keep it. */
export function sentHeaders({ headers, contentType }: { headers: Record<string, string>; contentType: string }) {
  return { 'cache-control': 'private, no-store', ...headers, 'content-type': `${contentType}; charset=utf-8` }
}

/** One Shadowsocks server for Outline. Another type than `ss` means the whole subscription, without shuffling. */
export async function serveOutline(
  ctx: Ctx,
  serving: Serving,
  caller: Caller,
  user: StoredSubscriber,
  request: SubscriptionRequest,
  server: { type: string; encodedTag: string },
): Promise<ServedText> {
  const lookup = lookUp(ctx, caller, user, await serving.parts.current(), request.userAgent)
  const admitted = await admit(ctx, serving, lookup, request)
  if (!admitted) return refusal(ctx, lookup)
  noteOpening(serving, caller, lookup)
  const entries = visibleEntries(admitted, true)
  if (server.type !== 'ss')
    return { ...rendered(lookup, formatOfUserAgent(request.userAgent, false), entries), headers: lookup.headers }
  return { contentType: 'application/json', body: renderOutlineByTag(entries, server.encodedTag), headers: lookup.headers }
}

/**
 * Public facts of a subscription for holders of its address: no links while devices are limited. Does not count as
 * opening.
 */
export async function describe(ctx: Ctx, serving: Serving, caller: Caller, user: StoredSubscriber) {
  const lookup = lookUp(ctx, caller, user, await serving.parts.current(), '')
  return info(lookup, hidesLinks(ctx, lookup.parts) ? null : admitAnyone(lookup))
}

/** The same with links, for administrators to pass to users. */
export async function describeForAdmin(ctx: Ctx, serving: Serving, caller: Caller, user: StoredSubscriber) {
  const lookup = lookUp(ctx, caller, user, await serving.parts.current(), '')
  return info(lookup, admitAnyone(lookup))
}

/** Hosts as data, hidden ones included. Counts as opening by the caller's program. */
export async function describeRaw(
  ctx: Ctx,
  serving: Serving,
  caller: Caller,
  user: StoredSubscriber,
  request: SubscriptionRequest,
  options: { withDisabledHosts: boolean },
) {
  const lookup = lookUp(ctx, caller, user, await serving.parts.current(), request.userAgent)
  const admitted = await admit(ctx, serving, lookup, request)
  noteOpening(serving, caller, lookup)
  const hosts = lookup.parts.hostsOf(user.squadIds).filter((host) => options.withDisabledHosts || !host.source.isDisabled)
  const entries = admitted ? entriesOf(admitted, hosts, true) : []
  const described = {
    user: { ...subscriptionUser(user, lookup.now), tag: user.tag },
    subscriptionUrl: lookup.shownUrl,
    rawHosts: entries.map(rawHostView),
    headers: admitted ? lookup.headers : refusal(ctx, lookup).headers,
    isHwidLimited: !admitted,
  }
  return { described, entries, isLimited: hidesLinks(ctx, lookup.parts) }
}

/** The links of all hosts of a user, for administrators, by how apps see the hosts. */
export async function connectionKeys(ctx: Ctx, serving: Serving, caller: Caller, user: StoredSubscriber) {
  const admitted = admitAnyone(lookUp(ctx, caller, user, await serving.parts.current(), ''))
  const hosts = admitted.parts.hostsOf(user.squadIds)
  const linksOf = (some: typeof hosts) =>
    some.length === 0 ? [] : shareLinks(entriesOf(admitted, some, true), { isHapp: false })
  return {
    enabledKeys: linksOf(hosts.filter(({ source }) => !source.isDisabled && !source.isHidden)),
    hiddenKeys: linksOf(hosts.filter(({ source }) => !source.isDisabled && source.isHidden)),
    disabledKeys: linksOf(hosts.filter(({ source }) => source.isDisabled)),
  }
}

/** The described subscription, in the form of later panels of this generation. `shown` is the user as in the users' routes. */
export function inLaterForm(
  { described, entries, isLimited }: Awaited<ReturnType<typeof describeRaw>>,
  shown: Served<typeof api.getUser>,
  hwid: string,
) {
  const { user: texts, rawHosts, headers, isHwidLimited } = described
  const { daysLeft, trafficLimit, trafficUsed, lifetimeTrafficUsed } = texts
  const hwidCheckup = isLimited
    ? {
        subscriptionAllowed: !isHwidLimited,
        maxDeviceReached: isHwidLimited && hwid !== '',
        hwidNotSupported: hwid === '',
        limitBypassed: false,
      }
    : null
  return {
    user: shown,
    convertedUserInfo: { daysLeft, trafficLimit, trafficUsed, lifetimeTrafficUsed, isHwidLimited, hwidCheckup },
    headers,
    rawHosts,
    resolvedProxyConfigs: entries.flatMap(resolvedConfigView),
  }
}

function noteOpening(serving: Serving, caller: Caller, { user, userAgent, now }: Lookup): void {
  serving.accesses.opened({ userId: user.id, at: now, address: caller.address, userAgent })
}

type Lookup = ReturnType<typeof lookUp>
/** Proof that this caller may see links. Nothing makes entries without it, so no way to them can pass the device limit. */
type Admitted = Lookup & { readonly isAdmitted: true }

async function admit(ctx: Ctx, serving: Serving, lookup: Lookup, request: SubscriptionRequest): Promise<Admitted | null> {
  return (await admitDevice(ctx, serving.accesses, subjectOf(lookup), request)) ? admitAnyone(lookup) : null
}

/** The user as the limit of devices sees it: by the settings of its external squad where that has its own. */
export function subjectOf({ user, parts }: Pick<Lookup, 'user' | 'parts'>) {
  const { id, hwidDeviceLimit } = user
  return { id, hwidDeviceLimit, hwidSettings: parts.squad?.hwidSettings ?? null }
}

export function admitAnyone(lookup: Lookup): Admitted {
  return { ...lookup, isAdmitted: true }
}

/** The common start of every answer about a user. */
export function lookUp(ctx: Ctx, caller: Caller, user: StoredSubscriber, all: SubscriptionParts, userAgent: string) {
  const parts = all.squadParts.of(all, user.externalSquadUuid)
  const now = ctx.now()
  const url = subscriptionUrl(ctx.config, caller.origin, user.shortUuid)
  const values = templateValues(user, url, now)
  const isHwidLimitEnabled = hidesLinks(ctx, parts)
  const refillAt = nextRefillAt(user.trafficLimitStrategy, parts.timeZone, now)
  return {
    user,
    parts,
    now,
    url,
    userAgent,
    values,
    shownUrl: shownSubscriptionUrl(url, user.username, parts.settings.addUsernameToBaseSubscription),
    headers: withHeaderChanges(
      subscriptionHeaders(user, parts.settings, { userAgent, url, values, isHwidLimitEnabled, refillAt }),
      { remove: parts.squad?.responseHeadersRemove, add: parts.squad?.responseHeadersAdd },
      values,
    ),
  }
}

function visibleEntries(admitted: Admitted, keepOrder: boolean): ProxyEntry[] {
  return entriesOf(admitted, visibleHosts(admitted.parts, admitted.user.squadIds), keepOrder)
}

function visibleHosts(parts: SubscriptionParts, squadIds: readonly number[]) {
  return parts.hostsOf(squadIds).filter(({ source }) => !source.isDisabled && !source.isHidden)
}

function entriesOf(
  { user, parts, values }: Admitted,
  hosts: Parameters<typeof subscriptionEntries>[1],
  keepOrder: boolean,
): ProxyEntry[] {
  const hasSquads = user.squadIds.length > 0
  return subscriptionEntries(user, hosts, parts.settings, { values, hasSquads, keepOrder, random: Math.random })
}

function rendered(lookup: Lookup, format: SubscriptionFormat, entries: ProxyEntry[]): Rendered {
  const { templates } = lookup.parts
  return renderSubscription(format, entries, { templates, isHapp: isHapp(lookup.userAgent), random: Math.random })
}

/** Links only for admitted devices. */
function info(lookup: Lookup, admitted: Admitted | null): SubscriptionInfo {
  const { url, shownUrl, now, user } = lookup
  return infoView(user, admitted ? visibleEntries(admitted, true) : [], { url, shownUrl, now, happCryptoLink })
}

/** A page open to anyone must not be a way around the device limit. */
function hidesLinks(ctx: Ctx, { squad }: SubscriptionParts): boolean {
  return squad?.hwidSettings?.enabled ?? ctx.config.HWID_DEVICE_LIMIT_ENABLED
}

/** A device too many gets an empty subscription and is told why where its app can show it. */
function refusal(ctx: Ctx, lookup: Lookup): ServedText {
  const own = lookup.parts.squad?.hwidSettings
  const announce = encodedText((own ? own.maxDevicesAnnounce : ctx.config.HWID_MAX_DEVICES_ANNOUNCE) ?? '')
  return { contentType: 'text/plain', body: '', headers: { ...lookup.headers, announce } }
}
