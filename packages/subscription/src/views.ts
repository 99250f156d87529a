import type { SubscriptionInfo } from '@causeway/contract'
import { vlessFlow, type XrayObject } from '@causeway/xray'
import { isOutlineEntry } from './formats/outline.ts'
import { shareLinks } from './formats/links.ts'
import type { ProxyEntry } from './proxy-entry.ts'
import { sizeText } from './text/size-text.ts'
import type { Subscriber } from './subscriber.ts'
import { daysLeft } from './template-variables.ts'
import { base64Url } from './text/text-encoding.ts'

/** The user as client apps and subscription pages see them. */
export function subscriptionUser(user: Subscriber, now: Date) {
  return {
    shortUuid: user.shortUuid,
    username: user.username,
    daysLeft: daysLeft(user.expireAt, now),
    trafficUsed: sizeText(user.usedTrafficBytes),
    trafficLimit: sizeText(user.trafficLimitBytes),
    lifetimeTrafficUsed: sizeText(user.lifetimeUsedTrafficBytes),
    trafficUsedBytes: String(Math.trunc(user.usedTrafficBytes)),
    trafficLimitBytes: String(Math.trunc(user.trafficLimitBytes)),
    lifetimeTrafficUsedBytes: String(Math.trunc(user.lifetimeUsedTrafficBytes)),
    expiresAt: user.expireAt.toISOString(),
    isActive: user.status === 'ACTIVE',
    userStatus: user.status,
    trafficLimitStrategy: user.trafficLimitStrategy,
  }
}

export interface InfoOptions {
  /** Address of the subscription without the user name; links to single servers are built on it. */
  url: string
  /** The address to show. */
  shownUrl: string
  /** Encrypts a text for the Happ client; given by the caller, as this package touches no machine. */
  happCryptoLink: (text: string) => string
  now: Date
}

/** The info of a subscription in the wire's shape: sizes as text and as bytes, links for the given entries. */
export function infoView(user: Subscriber, entries: readonly ProxyEntry[], options: InfoOptions): SubscriptionInfo {
  return {
    isFound: true,
    user: subscriptionUser(user, options.now),
    links: shareLinks(entries, { isHapp: false }),
    ssConfLinks: ssConfLinks(entries, options.url),
    subscriptionUrl: options.shownUrl,
    happ: { cryptoLink: options.happCryptoLink(options.shownUrl) },
  }
}

/** The address as info and raw answers show it: with the user name behind it where the settings say so. */
export function shownSubscriptionUrl(url: string, username: string, withUsername: boolean): string {
  return withUsername ? `${url}#${username}` : url
}

/** An entry as data, for tools that write their own client configuration. */
export function rawHostView(entry: ProxyEntry) {
  const { source, credentials } = entry
  return {
    address: entry.address,
    alpn: entry.alpn,
    fingerprint: entry.fingerprint,
    host: entry.host,
    network: entry.network,
    path: entry.path,
    publicKey: entry.publicKey,
    port: entry.port,
    protocol: entry.protocol,
    remark: entry.remark,
    shortId: entry.shortId,
    sni: entry.sni,
    spiderX: entry.spiderX,
    tls: entry.security,
    headerType: entry.headerType,
    serverDescription: entry.serverDescription,
    password: {
      ssPassword: credentials.ssPassword,
      trojanPassword: credentials.trojanPassword,
      vlessPassword: credentials.vlessUuid,
    },
    ...(entry.xhttp ? { additionalParams: { mode: entry.xhttp.mode, heartbeatPeriod: entry.xhttp.heartbeatPeriod } } : {}),
    xHttpExtraParams: entry.xhttp?.extra ?? null,
    muxParams: entry.mux,
    sockoptParams: entry.sockopt,
    shuffleHost: source?.shuffleHost ?? false,
    mihomoX25519: source?.mihomoX25519 ?? false,
    allowInsecure: source?.allowInsecure ?? false,
    ...flow(entry),
    ...(entry.encryption ? { encryption: entry.encryption } : {}),
    ...(entry.protocol === 'shadowsocks' ? { protocolOptions: { ss: { method: entry.method } } } : {}),
    ...(source ? { dbData: dbData(source) } : {}),
  }
}

/** Raw hosts name the flow for every protocol where the transport would allow it. */
function flow(entry: ProxyEntry): XrayObject {
  const name = entry.protocol === 'vless' || !entry.source ? entry.flow : vlessFlow(entry)
  return name ? { flow: name } : {}
}

function dbData(source: NonNullable<ProxyEntry['source']>) {
  return {
    rawInbound: source.inbound.rawInbound,
    inboundTag: source.inbound.tag,
    uuid: source.uuid,
    configProfileUuid: source.inbound.profileUuid,
    configProfileInboundUuid: source.inbound.uuid,
    isDisabled: source.isDisabled,
    viewPosition: source.viewPosition,
    remark: source.remark,
    isHidden: source.isHidden,
    tag: source.tags[0] ?? null,
    vlessRouteId: source.vlessRouteId,
  }
}

/** Addresses from which Outline keeps one server up to date. Ports 0 and 1 mark hosts that are only texts. */
function ssConfLinks(entries: readonly ProxyEntry[], url: string): Record<string, string> {
  const servers = entries.filter((entry) => isOutlineEntry(entry) && entry.port !== 0 && entry.port !== 1)
  const address = url.replace(/^[a-z]+:\/\//i, '')
  return Object.fromEntries(servers.map(({ remark }) => [remark, `ssconf://${address}/ss/${base64Url(remark)}#${remark}`]))
}
