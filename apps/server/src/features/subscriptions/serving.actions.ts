import type { SubscriptionInfo } from '@causeway/contract'
import {
  encodedText,
  fillStencil,
  fillTemplate,
  formatOfUserAgent,
  infoView,
  rawHostView,
  remarkEntries,
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
import { hwidSettingsInForce } from '../../ground/hwid-settings.rules.ts'
import type { CompiledRule } from '../../ground/response-rules/response-rules.rules.ts'
import { encryptText } from '../../lib/text/age-text.ts'
import {
  headersOf,
  hostsUnder,
  passesDevices,
  templatesUnder,
  textsUnder,
  withRuleHeaders,
} from '../response-rules/modifications.rules.ts'
import { isExtendedApp, modificationsOf, rulingOn, type Refusal, type Ruling } from '../response-rules/ruling.rules.ts'
import { recordAccesses, type Accesses } from './accesses.actions.ts'
import { admitDevice } from './devices.actions.ts'
import { hostTemplatesUnder, takesHidden } from './host-templates.rules.ts'
import { keepParts, type SubscriptionParts, type PartsCache } from './subscription-parts.queries.ts'
import { nextRefillAt } from './refill.rules.ts'
import type { SubscriptionRequest } from './request.rules.ts'
import { patternMatcher } from './template-patterns.ts'
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

function pageContent({ user, parts, values, shownUrl, now, rule }: Lookup) {
  return {
    ruleHeaders: headersOf(rule, values),
    user: subscriptionUser(user, now),
    subscriptionUrl: shownUrl,
    title: fillTemplate(parts.settings.profileTitle, values),
    pageConfigUuid: parts.squad?.subpageConfigUuid ?? null,
  }
}

/** A subscription for a client app: `format` where the address names one, else what rules or the app's name say. */
export async function serve(
  ctx: Ctx,
  serving: Serving,
  caller: Caller,
  user: StoredSubscriber,
  request: SubscriptionRequest,
  format?: SubscriptionFormat,
): Promise<ServedText | PageContent | Refused> {
  const parts = await serving.parts.current()
  const { settings } = parts.squadParts.of(parts, user.externalSquadUuid)
  const ruling = rulingOn(parts.rules, settings, { ...request, shortUuid: user.shortUuid, format })
  const lookup = lookUp(ctx, caller, user, parts, request.userAgent, ruling.rule)
  const admitted = ruling.kind === 'refused' ? null : await admit(ctx, serving, lookup, request)
  noteAnswer(serving, caller, lookup, ruling, admitted !== null)
  if (ruling.kind !== 'format' || !admitted) return answerTo(ctx, lookup, admitted, ruling, request.hwid).content
  const written = filled(admitted, ruling.format)
  if (!written) return sealed(answerTo(ctx, lookup, admitted, ruling, request.hwid).content, lookup)
  return sealed({ ...written, headers: lookup.headers }, lookup)
}

/** A request that a rule refuses. */
export interface Refused {
  refusal: Refusal
}

/** The text for users of the same squads with this user's credentials, where it is the same but for those. */
function filled(admitted: Admitted, format: SubscriptionFormat): Rendered | undefined {
  const { user, parts, rule, userAgent, now } = admitted
  const templates = templatesUnder(rule, parts, format)
  const hostTemplates = hostTemplatesUnder(rule, parts)
  // Hidden hosts are other ones for other users.
  if (takesHidden(templates, hostTemplates)) return undefined
  const forHapp = isExtendedApp(rule, userAgent)
  const version = 'version' in format ? format.version?.join('.') : ''
  const squad = parts.squad?.uuid ?? ''
  const kind = [format.kind, version, forHapp, user.status, user.squadIds.join(), squad, rule?.place].join(' ')
  const stencil = parts.stencils.find(kind, performance.now(), () => {
    const hosts = visibleHosts(parts, user.squadIds, rule)
    const hasSquads = user.squadIds.length > 0
    const entries = (stranger: Subscriber, random: Random) => {
      const values = templateValues(stranger, stranger.shortUuid, now)
      return (
        textsUnder(rule, values) ??
        subscriptionEntries(stranger, hosts, parts.settings, { values, hasSquads, keepOrder: false, random })
      )
    }
    return stencilOf(format, user.status, entries, { templates, hostTemplates: hostTemplates.byUuid, isHapp: forHapp })
  })
  return stencil ? fillStencil(stencil, user) : undefined
}

/** The answer and its parts. Depends on nothing but its input, and changes nothing. */
export function answerTo(
  ctx: Ctx,
  lookup: Lookup,
  admitted: Admitted | null,
  ruling: Ruling,
  hwid: string,
): { content: ServedText | PageContent | Refused; format?: SubscriptionFormat; entries: ProxyEntry[] } {
  if (ruling.kind === 'refused') return { content: { refusal: ruling.refusal }, entries: [] }
  if (!admitted)
    return { content: refusal(ctx, lookup, ruling.kind === 'format' ? { format: ruling.format, hwid } : undefined), entries: [] }
  if (ruling.kind === 'page') return { content: pageContent(lookup), entries: [] }
  const entries = visibleEntries(admitted, false)
  const content = { ...rendered(lookup, ruling.format, entries, hiddenEntries(admitted, ruling.format)), headers: lookup.headers }
  return { content, format: ruling.format, entries }
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
): Promise<ServedText | Refused> {
  const parts = await serving.parts.current()
  const format: SubscriptionFormat = server.type === 'ss' ? { kind: 'outline' } : formatOfUserAgent(request.userAgent, false)
  const ruling = rulingOn(parts.rules, parts.settings, { ...request, wantsPage: false, shortUuid: user.shortUuid, format })
  const lookup = lookUp(ctx, caller, user, parts, request.userAgent)
  const admitted = ruling.kind === 'refused' ? null : await admit(ctx, serving, lookup, request)
  noteAnswer(serving, caller, lookup, ruling, admitted !== null)
  if (ruling.kind === 'refused') return { refusal: ruling.refusal }
  if (!admitted) return refusal(ctx, lookup)
  const entries = visibleEntries(admitted, true)
  if (server.type !== 'ss')
    return { ...rendered(lookup, format, entries, hiddenEntries(admitted, format)), headers: lookup.headers }
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
  serving.accesses.opened(openingOf(caller, lookup, { ruleName: null, responseType: 'UNKNOWN' }))
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

/** Pages and refusals are noted where rules chose them; devices too many never are. */
function noteAnswer(serving: Serving, caller: Caller, lookup: Lookup, ruling: Ruling, isAdmitted: boolean): void {
  const isFetched = ruling.kind === 'format' && isAdmitted
  const isRuled = ruling.rule !== null || !ruling.isMatched
  if (!isFetched && !(isRuled && ruling.kind !== 'format')) return
  const note = openingOf(caller, lookup, { ruleName: ruling.rule?.rule.name ?? null, responseType: ruling.type })
  serving.accesses[isFetched ? 'opened' : 'refused'](note)
}

function openingOf(
  { address }: Caller,
  { user, userAgent, now }: Lookup,
  answer: { ruleName: string | null; responseType: string },
) {
  return { userId: user.id, at: now, address, userAgent, ...answer }
}

/** Encrypted for the recipient that the rule names, if it names one. */
async function sealed<Content extends ServedText | PageContent | Refused>(content: Content, { rule }: Lookup) {
  const { encryption } = modificationsOf(rule)
  if (!encryption || !('body' in content)) return content
  return { ...content, contentType: 'text/plain' as const, body: await encryptText(content.body, encryption.key) }
}

type Lookup = ReturnType<typeof lookUp>
/** Proof that this caller may see links. Nothing makes entries without it, so no way to them can pass the device limit. */
type Admitted = Lookup & { readonly isAdmitted: true }

async function admit(ctx: Ctx, serving: Serving, lookup: Lookup, request: SubscriptionRequest): Promise<Admitted | null> {
  if (passesDevices(lookup.rule)) return admitAnyone(lookup)
  return (await admitDevice(ctx, serving.accesses, subjectOf(lookup), request)) ? admitAnyone(lookup) : null
}

/** The settings of the limit of devices: of the external squad, else of the panel. */
function storedDevices({ squad, settings }: SubscriptionParts) {
  return squad?.hwidSettings ?? settings.hwidSettings
}

/** The user as the limit of devices sees it: by the settings of its external squad where that has its own. */
export function subjectOf({ user, parts }: Pick<Lookup, 'user' | 'parts'>) {
  const { id, hwidDeviceLimit } = user
  return { id, hwidDeviceLimit, hwidSettings: storedDevices(parts) }
}

export function admitAnyone(lookup: Lookup): Admitted {
  return { ...lookup, isAdmitted: true }
}

/** The common start of every answer about a user. */
export function lookUp(
  ctx: Ctx,
  caller: Caller,
  user: StoredSubscriber,
  all: SubscriptionParts,
  userAgent: string,
  rule: CompiledRule | null = null,
) {
  const parts = all.squadParts.of(all, user.externalSquadUuid)
  const now = ctx.now()
  const url = subscriptionUrl(ctx.config, caller.origin, user.shortUuid)
  const values = templateValues(user, url, now)
  const isHwidLimitEnabled = hidesLinks(ctx, parts)
  const refillAt = nextRefillAt(user.trafficLimitStrategy, parts.timeZone, now)
  return {
    user,
    parts,
    rule,
    now,
    url,
    userAgent,
    values,
    random: Math.random,
    shownUrl: shownSubscriptionUrl(url, user.username, parts.settings.addUsernameToBaseSubscription),
    headers: withRuleHeaders(
      withHeaderChanges(
        subscriptionHeaders(user, parts.settings, { userAgent, url, values, isHwidLimitEnabled, refillAt }),
        { remove: parts.squad?.responseHeadersRemove, add: parts.squad?.responseHeadersAdd },
        values,
      ),
      rule,
      values,
    ),
  }
}

function visibleEntries(admitted: Admitted, keepOrder: boolean): ProxyEntry[] {
  const { parts, user, rule, values } = admitted
  return textsUnder(rule, values) ?? entriesOf(admitted, visibleHosts(parts, user.squadIds, rule), keepOrder)
}

function visibleHosts(parts: SubscriptionParts, squadIds: readonly number[], rule: CompiledRule | null) {
  return hostsUnder(rule, parts.hostsOf(squadIds)).filter(({ source }) => !source.isDisabled && !source.isHidden)
}

/** For templates that take them in. */
function hiddenEntries(admitted: Admitted, format: SubscriptionFormat): ProxyEntry[] {
  const { parts, user, rule, values } = admitted
  if (textsUnder(rule, values)) return []
  if (!takesHidden(templatesUnder(rule, parts, format), hostTemplatesUnder(rule, parts))) return []
  const hosts = hostsUnder(rule, parts.hostsOf(user.squadIds)).filter(({ source }) => !source.isDisabled && source.isHidden)
  return hosts.length === 0 ? [] : entriesOf(admitted, hosts, true).filter(({ source }) => source !== null)
}

function entriesOf(
  { user, parts, values, random }: Admitted,
  hosts: Parameters<typeof subscriptionEntries>[1],
  keepOrder: boolean,
): ProxyEntry[] {
  const hasSquads = user.squadIds.length > 0
  return subscriptionEntries(user, hosts, parts.settings, { values, hasSquads, keepOrder, random })
}

const matches = patternMatcher()

function rendered(
  { parts, rule, userAgent, random }: Lookup,
  format: SubscriptionFormat,
  entries: ProxyEntry[],
  hidden: ProxyEntry[] = [],
): Rendered {
  const templates = templatesUnder(rule, parts, format)
  const { byUuid: hostTemplates } = hostTemplatesUnder(rule, parts)
  const isHapp = isExtendedApp(rule, userAgent)
  return renderSubscription(format, entries, { templates, hostTemplates, hidden, matches, isHapp, random })
}

/** Links only for admitted devices. */
function info(lookup: Lookup, admitted: Admitted | null): SubscriptionInfo {
  const { url, shownUrl, now, user } = lookup
  return infoView(user, admitted ? visibleEntries(admitted, true) : [], { url, shownUrl, now, happCryptoLink })
}

/** A page open to anyone must not be a way around the device limit. */
function hidesLinks(ctx: Ctx, parts: SubscriptionParts): boolean {
  return hwidSettingsInForce(ctx.config, storedDevices(parts)).enabled
}

/** A device too many gets remarks, else an empty subscription; and why, where its app can show it. */
function refusal(ctx: Ctx, lookup: Lookup, asked?: { format: SubscriptionFormat; hwid: string }): ServedText {
  const announce = encodedText(hwidSettingsInForce(ctx.config, storedDevices(lookup.parts)).maxDevicesAnnounce ?? '')
  const headers = { ...lookup.headers, announce }
  const { squad, settings } = lookup.parts
  const remarks = asked?.hwid
    ? (squad?.customRemarks?.HWIDMaxDevicesExceeded ?? settings.hwidExceededRemarks)
    : (squad?.customRemarks?.HWIDNotSupported ?? settings.hwidMissingRemarks)
  if (!asked || remarks.length === 0 || !settings.isShowCustomRemarks) return { contentType: 'text/plain', body: '', headers }
  return { ...rendered(lookup, asked.format, remarkEntries(remarks, lookup.values)), headers }
}
