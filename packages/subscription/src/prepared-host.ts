import type { ExcludedType, HostMapper } from '@causeway/contract'
import {
  decryptionOf,
  encryptionFor,
  headerTypeOf,
  httpHeaderOf,
  isObject,
  inboundKey,
  masksOf,
  networkOf,
  objectAt,
  settingsFlow,
  sharedMethodOf,
  shadowsocksMethod,
  type SharedMethod,
  textAt,
  textsAt,
  transportSettingsOf,
  userProtocolOf,
  vlessFlow,
  type Flow,
  type UserProtocol,
  type XrayObject,
} from '@causeway/xray'

/** Members of a host since later generations. */
export interface HostAdditions {
  /** No server name but that of the host itself. */
  keepSniBlank: boolean
  xrayJsonTemplateUuid: string | null
  /** Uuids of squads that do not count for this host. */
  excludedInternalSquads: string[]
  excludeFromSubscriptionTypes: ExcludedType[]
  /** In place of the masks of the inbound. */
  finalMask: unknown
  /** SHA-256 of certificates, in hexadecimal digits with commas between them. */
  pinnedPeerCertSha256: string | null
  verifyPeerCertByName: string | null
  mihomoIpVersion: string | null
  mapper: HostMapper
}

/** A host of which nothing of this is said. */
export const noAdditions: HostAdditions = {
  keepSniBlank: false,
  xrayJsonTemplateUuid: null,
  excludedInternalSquads: [],
  excludeFromSubscriptionTypes: [],
  finalMask: null,
  pinnedPeerCertSha256: null,
  verifyPeerCertByName: null,
  mihomoIpVersion: null,
  mapper: {},
}

/** A host as stored, with the inbound it leads to. */
export interface SubscriptionHost extends HostAdditions {
  uuid: string
  viewPosition: number
  remark: string
  address: string
  port: number
  path: string | null
  sni: string | null
  host: string | null
  alpn: string | null
  fingerprint: string | null
  isDisabled: boolean
  isHidden: boolean
  securityLayer: 'DEFAULT' | 'TLS' | 'NONE'
  xHttpExtraParams: unknown
  muxParams: unknown
  sockoptParams: unknown
  serverDescription: string | null
  tags: readonly string[]
  overrideSniFromAddress: boolean
  vlessRouteId: number | null
  /** Stands first, among others of its kind in a new order each time. */
  shuffleHost: boolean
  /** REALITY with the post-quantum key exchange, where an app has to be told. */
  mihomoX25519: boolean
  /** Apps accept any certificate of the server. */
  allowInsecure: boolean
  inbound: { uuid: string; profileUuid: string; tag: string; type: string; rawInbound: unknown }
}

export type Security = 'tls' | 'reality' | 'none' | ''

/** The connection settings of an inbound, equal for all users. Texts are empty where a setting does not apply. */
export interface Connection {
  protocol: UserProtocol
  network: string
  headerType: string
  /** Of gRPC the name of the service. */
  path: string
  /** Of gRPC the authority. */
  host: string
  security: Security
  sni: string
  fingerprint: string
  alpn: string
  publicKey: string
  spiderX: string
  flow: Flow
  method: typeof shadowsocksMethod | SharedMethod
  /** Of Shadowsocks 2022 the key of the inbound, which stands before that of the user. */
  inboundKey: string
  /** Of VLESS what clients encrypt with; empty for nothing. */
  encryption: string
  /** Of gRPC: several packets in one message. */
  isMultiMode: boolean
  /** Of XHTTP only; null for other transports. */
  xhttp: { mode: string; extra: XrayObject | null; heartbeatPeriod: number | null } | null
  /** Of mKCP only: what both sides must have alike. */
  kcp: XrayObject | null
  /** Obfuscation of the packets; most clients know none or one of these. */
  masks: readonly XrayObject[]
  finalmask: XrayObject | null
  mux: XrayObject | null
  sockopt: XrayObject | null
  /** Of TLS only: any certificate is accepted. */
  isInsecure: boolean
}

/** A host with everything worked out that does not depend on the user or the request. Made once per change. */
export interface PreparedHost extends Connection {
  source: SubscriptionHost
  shortIds: readonly string[]
}

/** Says nothing beyond where it leads; what stands in place of a host is made of it. */
export const bareConnection: Connection = {
  protocol: 'trojan',
  network: 'tcp',
  headerType: '',
  path: '',
  host: '',
  security: '',
  sni: '',
  fingerprint: '',
  alpn: '',
  publicKey: '',
  spiderX: '',
  flow: '',
  method: shadowsocksMethod,
  inboundKey: '',
  encryption: '',
  isMultiMode: false,
  xhttp: null,
  kcp: null,
  masks: [],
  finalmask: null,
  mux: null,
  sockopt: null,
  isInsecure: false,
}

/** The public key of a private one, X25519 or ML-KEM-768, both URL-safe Base64 without padding. @throws when the key is none. */
export type PublicKeyOf = (privateKey: string) => string

/** Returns nothing for inbounds that no user can be given. */
export function prepareHost(source: SubscriptionHost, publicKeyOf: PublicKeyOf): PreparedHost | null {
  const { rawInbound } = source.inbound
  const protocol = isObject(rawInbound) ? userProtocolOf({ ...rawInbound, protocol: source.inbound.type }) : undefined
  if (!protocol) return null
  const decryption = protocol === 'vless' ? decryptionOf(rawInbound) : ''
  const encryption = decryption === '' ? '' : encryptionFor(decryption, publicKeyOf)
  if (encryption === undefined) return null
  const stream = objectAt(rawInbound, 'streamSettings')
  const inboundSecurity = securityOf(stream)
  const security = source.securityLayer === 'DEFAULT' ? inboundSecurity : source.securityLayer === 'TLS' ? 'tls' : 'none'
  const network = networkOf(rawInbound)
  const headerType = headerTypeOf(rawInbound)
  const sharedMethod = protocol === 'shadowsocks' ? sharedMethodOf(rawInbound) : undefined
  const own = addressedBy(rawInbound, network, headerType)
  const transport = transportSettingsOf(rawInbound)
  const tls = inboundSecurity === 'tls' ? objectAt(stream, 'tlsSettings') : {}
  const reality = inboundSecurity === 'reality' ? objectAt(stream, 'realitySettings') : {}
  return {
    ...bareConnection,
    source,
    protocol,
    network,
    headerType,
    path: source.path || own.path,
    host: source.host || own.host,
    security,
    sni: source.sni || (source.keepSniBlank ? '' : serverName(source, tls, reality)),
    fingerprint: source.fingerprint || textAt(tls, 'fingerprint') || textAt(reality, 'fingerprint'),
    alpn: source.alpn || textsAt(tls, 'alpn').join(','),
    publicKey: publicKey(textAt(reality, 'privateKey'), publicKeyOf),
    shortIds: textsAt(reality, 'shortIds'),
    spiderX: textAt(reality, 'spiderX'),
    flow: settingsFlow(rawInbound) ?? vlessFlow({ network, security, headerType }),
    ...(sharedMethod ? { method: sharedMethod, inboundKey: inboundKey(rawInbound) } : {}),
    encryption,
    isMultiMode: network === 'grpc' && transport['multiMode'] === true,
    xhttp: network === 'xhttp' ? xhttpOf(transport, source.xHttpExtraParams) : null,
    kcp: network === 'kcp' ? sharedOf(transport, ['mtu', 'tti']) : null,
    masks: masksOf(rawInbound),
    finalmask:
      filledObject(source.finalMask) ??
      (masksOf(rawInbound).length > 0 ? sharedOf(objectAt(stream, 'finalmask'), ['tcp', 'udp']) : null),
    mux: filledObject(source.muxParams),
    sockopt: filledObject(source.sockoptParams),
    isInsecure: security === 'tls' && source.allowInsecure,
  }
}

function serverName({ address }: SubscriptionHost, tls: XrayObject, reality: XrayObject): string {
  return textAt(tls, 'serverName') || (textsAt(reality, 'serverNames')[0] ?? '') || domainName(address)
}

/** Path and host by the inbound, where its transport has them. Host headers of WebSocket are the administrator's to write. */
function addressedBy(inbound: unknown, network: string, headerType: string): { path: string; host: string } {
  const transport = transportSettingsOf(inbound)
  const path = textAt(transport, 'path')
  switch (network) {
    case 'tcp':
      return headerType === 'http' ? httpHeaderOf(inbound) : { path: '', host: '' }
    case 'grpc':
      return { path: textAt(transport, 'serviceName'), host: textAt(transport, 'authority') }
    case 'xhttp':
      return { path, host: textAt(transport, 'host') }
    default:
      return { path, host: '' }
  }
}

/** Settings of the inbound that clients need, too. */
function sharedOf(settings: XrayObject, keys: readonly string[]): XrayObject {
  return Object.fromEntries(keys.filter((key) => settings[key] !== undefined).map((key) => [key, settings[key]]))
}

function securityOf(stream: XrayObject): Security {
  const security = textAt(stream, 'security')
  return security === 'tls' || security === 'reality' || security === 'none' ? security : ''
}

function xhttpOf(transport: XrayObject, extra: unknown): PreparedHost['xhttp'] {
  const heartbeat = transport['heartbeatPeriod']
  return {
    mode: textAt(transport, 'mode') || 'auto',
    extra: filledObject(extra),
    heartbeatPeriod: typeof heartbeat === 'number' ? heartbeat : null,
  }
}

/** A private key that cannot be used leaves the entry without a public one; the host is still shown. */
function publicKey(privateKey: string, publicKeyOf: PublicKeyOf): string {
  if (privateKey === '') return ''
  try {
    return publicKeyOf(privateKey)
  } catch {
    return ''
  }
}

/** An address that can stand as server name: a domain name as typed, no list, no wildcard, no IP address. */
function domainName(address: string): string {
  const isDomain = /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/i.test(address)
  return isDomain ? address : ''
}

/** An empty object means the same as none. */
function filledObject(value: unknown): XrayObject | null {
  return isObject(value) && Object.keys(value).length > 0 ? value : null
}
