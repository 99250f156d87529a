import type { SubscriptionInfo } from '@causeway/contract'
import {
  encodedText,
  formatOfUserAgent,
  infoView,
  isHapp,
  rawHostView,
  renderOutlineByTag,
  renderSubscription,
  shownSubscriptionUrl,
  subscriptionEntries,
  subscriptionHeaders,
  subscriptionUser,
  templateValues,
  type ProxyEntry,
  type Rendered,
  type SubscriptionFormat,
} from '@causeway/subscription'
import type { Caller, Ctx } from '../../ctx.ts'
import { listenForNotices } from '../../lib/database-notices.ts'
import { happCryptoLink } from '../../lib/happ-link.ts'
import { recordAccesses, type Accesses } from './accesses.actions.ts'
import { admitDevice } from './devices.actions.ts'
import { keepParts, type Parts, type PartsCache } from './parts.queries.ts'
import type { SubscriptionRequest } from './request.rules.ts'
import { subscriptionUrl } from '../../ground/subscription-url.rules.ts'
import type { StoredSubscriber } from './subscriptions.queries.ts'

/** Sent by the triggers on the tables that subscriptions are made of. */
const CHANGE_CHANNEL = 'subscriptionChange'

/** What lives as long as the server and is shared by all requests for subscriptions. */
export interface Desk {
  parts: PartsCache
  accesses: Accesses
  close(): Promise<void>
}

export function openDesk(ctx: Ctx): Desk {
  const parts = keepParts(ctx.db, () => notices.isListening())
  const notices = listenForNotices({
    connectionString: ctx.pool.options.connectionString ?? '',
    channel: CHANGE_CHANNEL,
    onNotice: () => parts.drop(),
    onError: (error) => ctx.log.warn({ err: error }, 'changes of subscriptions are not heard for the moment; trying again'),
  })
  const accesses = recordAccesses(ctx)
  return {
    parts,
    accesses,
    close: async () => {
      await notices.close()
      await accesses.close()
    },
  }
}

export interface Delivery extends Rendered {
  headers: Record<string, string>
}

/** A subscription for a client app: `format` where the address names one, else what the app's name says. */
export async function deliver(
  ctx: Ctx,
  desk: Desk,
  caller: Caller,
  user: StoredSubscriber,
  request: SubscriptionRequest,
  format?: SubscriptionFormat,
): Promise<Delivery | SubscriptionInfo> {
  const parts = await desk.parts.current()
  const look = lookOf(ctx, caller, user, parts, request.userAgent)
  if (!(await admitDevice(ctx, desk.accesses, user, request))) return refusal(ctx, look)
  if (request.wantsPage) return info(look, hidesLinks(ctx))
  desk.accesses.opened({ userId: user.id, at: ctx.now(), userAgent: request.userAgent })
  const chosen = format ?? formatOfUserAgent(request.userAgent, parts.settings.serveJsonAtBaseSubscription)
  return { ...rendered(look, chosen, visibleEntries(look, false)), headers: look.headers }
}

/** One Shadowsocks server for Outline. Another type than `ss` means the whole subscription, without limit or shuffling. */
export async function deliverOutline(
  ctx: Ctx,
  desk: Desk,
  caller: Caller,
  user: StoredSubscriber,
  request: SubscriptionRequest,
  server: { type: string; encodedTag: string },
): Promise<Delivery> {
  const look = lookOf(ctx, caller, user, await desk.parts.current(), request.userAgent)
  desk.accesses.opened({ userId: user.id, at: ctx.now(), userAgent: request.userAgent })
  const entries = visibleEntries(look, true)
  if (server.type !== 'ss')
    return { ...rendered(look, formatOfUserAgent(request.userAgent, false), entries), headers: look.headers }
  return { contentType: 'application/json', body: renderOutlineByTag(entries, server.encodedTag), headers: look.headers }
}

/** A user's subscription as data, for pages and programs; does not count as opening. */
export async function describe(ctx: Ctx, desk: Desk, caller: Caller, user: StoredSubscriber, options: { withLinks: boolean }) {
  const look = lookOf(ctx, caller, user, await desk.parts.current(), '')
  return info(look, !options.withLinks && hidesLinks(ctx))
}

/** Hosts as data, hidden ones included. Counts as opening by the caller's program. */
export async function describeRaw(
  ctx: Ctx,
  desk: Desk,
  caller: Caller,
  user: StoredSubscriber,
  request: SubscriptionRequest,
  options: { withDisabledHosts: boolean },
) {
  const look = lookOf(ctx, caller, user, await desk.parts.current(), request.userAgent)
  const isAdmitted = await admitDevice(ctx, desk.accesses, user, request)
  desk.accesses.opened({ userId: user.id, at: ctx.now(), userAgent: request.userAgent })
  const hosts = look.parts.hostsOf(user.squadIds).filter((host) => options.withDisabledHosts || !host.source.isDisabled)
  return {
    user: { ...subscriptionUser(user, look.now), tag: user.tag },
    subscriptionUrl: look.shownUrl,
    rawHosts: isAdmitted ? entriesOf(look, hosts, true).map(rawHostView) : [],
    headers: isAdmitted ? look.headers : refusal(ctx, look).headers,
    isHwidLimited: !isAdmitted,
  }
}

type Look = ReturnType<typeof lookOf>

/** What every answer about a user starts from. */
function lookOf(ctx: Ctx, caller: Caller, user: StoredSubscriber, parts: Parts, userAgent: string) {
  const now = ctx.now()
  const url = subscriptionUrl(ctx.config, caller.origin, user.shortUuid)
  const values = templateValues(user, url, now)
  const isHwidLimitEnabled = ctx.config.HWID_DEVICE_LIMIT_ENABLED
  return {
    user,
    parts,
    now,
    url,
    userAgent,
    values,
    shownUrl: shownSubscriptionUrl(url, user.username, parts.settings.addUsernameToBaseSubscription),
    headers: subscriptionHeaders(user, parts.settings, { userAgent, url, values, isHwidLimitEnabled, now }),
  }
}

function visibleEntries(look: Look, keepOrder: boolean): ProxyEntry[] {
  const hosts = look.parts.hostsOf(look.user.squadIds)
  return entriesOf(
    look,
    hosts.filter(({ source }) => !source.isDisabled && !source.isHidden),
    keepOrder,
  )
}

function entriesOf(
  { user, parts, values }: Look,
  hosts: Parameters<typeof subscriptionEntries>[1],
  keepOrder: boolean,
): ProxyEntry[] {
  const hasSquads = user.squadIds.length > 0
  return subscriptionEntries(user, hosts, parts.settings, { values, hasSquads, keepOrder, random: Math.random })
}

function rendered(look: Look, format: SubscriptionFormat, entries: ProxyEntry[]): Rendered {
  const { templates } = look.parts
  return renderSubscription(format, entries, { templates, isHapp: isHapp(look.userAgent), random: Math.random })
}

function info(look: Look, isWithoutLinks: boolean): SubscriptionInfo {
  const { url, shownUrl, now, user } = look
  const entries = isWithoutLinks ? [] : visibleEntries(look, true)
  return infoView(user, entries, { url, shownUrl, now, happCryptoLink })
}

/** A page open to anyone must not be a way around the device limit. */
function hidesLinks(ctx: Ctx): boolean {
  return ctx.config.HWID_DEVICE_LIMIT_ENABLED
}

/** A device too many gets an empty subscription and is told why where its app can show it. */
function refusal(ctx: Ctx, look: Look): Delivery {
  const announce = encodedText(ctx.config.HWID_MAX_DEVICES_ANNOUNCE ?? '')
  return { contentType: 'text/plain', body: '', headers: { ...look.headers, announce } }
}
