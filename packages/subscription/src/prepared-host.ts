import {
  headerTypeOf,
  isObject,
  isUserProtocol,
  networkOf,
  objectAt,
  textAt,
  textsAt,
  transportSettingsOf,
  vlessFlow,
  type Flow,
  type UserProtocol,
  type XrayObject,
} from '@causeway/xray'

/** A host as stored, with the inbound it leads to. */
export interface SubscriptionHost {
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
  tag: string | null
  overrideSniFromAddress: boolean
  vlessRouteId: number | null
  inbound: { uuid: string; profileUuid: string; tag: string; type: string; rawInbound: unknown }
}

export type Security = 'tls' | 'reality' | 'none' | ''

/** A host with everything worked out that does not depend on the user or the request. Made once per change. */
export interface PreparedHost {
  source: SubscriptionHost
  protocol: UserProtocol
  network: string
  headerType: string
  path: string
  host: string
  security: Security
  sni: string
  fingerprint: string
  alpn: string
  publicKey: string
  shortIds: readonly string[]
  spiderX: string
  flow: Flow
  /** Of XHTTP only; null for other transports. */
  xhttp: { mode: string; extra: XrayObject | null; heartbeatPeriod: number | null } | null
  mux: XrayObject | null
  sockopt: XrayObject | null
}

/** The X25519 public key of a private one, both URL-safe Base64 without padding. @throws when the key is none. */
export type PublicKeyOf = (privateKey: string) => string

/** Returns nothing for inbounds that no user can be given. */
export function prepareHost(source: SubscriptionHost, publicKeyOf: PublicKeyOf): PreparedHost | null {
  const { rawInbound, type } = source.inbound
  if (!isUserProtocol(type)) return null
  const stream = objectAt(rawInbound, 'streamSettings')
  const inboundSecurity = securityOf(stream)
  const security = source.securityLayer === 'DEFAULT' ? inboundSecurity : source.securityLayer === 'TLS' ? 'tls' : 'none'
  const network = networkOf(rawInbound)
  const headerType = type === 'shadowsocks' ? '' : headerTypeOf(rawInbound)
  const transport = transportSettingsOf(rawInbound)
  const tls = inboundSecurity === 'tls' ? objectAt(stream, 'tlsSettings') : {}
  const reality = inboundSecurity === 'reality' ? objectAt(stream, 'realitySettings') : {}
  return {
    source,
    protocol: type,
    network,
    headerType,
    path: source.path || (network === 'tcp' ? '' : textAt(transport, 'path')),
    host: source.host || (network === 'xhttp' ? textAt(transport, 'host') : ''),
    security,
    sni: source.sni || textAt(tls, 'serverName') || (textsAt(reality, 'serverNames')[0] ?? '') || domainName(source.address),
    fingerprint: source.fingerprint || textAt(tls, 'fingerprint') || textAt(reality, 'fingerprint'),
    alpn: source.alpn || textsAt(tls, 'alpn').join(','),
    publicKey: publicKey(textAt(reality, 'privateKey'), publicKeyOf),
    shortIds: textsAt(reality, 'shortIds'),
    spiderX: textAt(reality, 'spiderX'),
    flow: vlessFlow({ network, security, headerType }),
    xhttp: network === 'xhttp' ? xhttpOf(transport, source.xHttpExtraParams) : null,
    mux: filledObject(source.muxParams),
    sockopt: filledObject(source.sockoptParams),
  }
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
