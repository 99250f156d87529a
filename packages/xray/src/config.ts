/**
 * Read access to Xray configurations. They come from an editor, so their shape cannot be relied on. Every reader
 * returns what is there or nothing; only the profile check complains.
 */
export type XrayObject = Record<string, unknown>

/** Protocols whose inbounds carry users of the panel. VMess users are known by their VLESS uuid, Hysteria's by the Trojan password. */
export const userProtocols = ['vless', 'vmess', 'trojan', 'shadowsocks', 'hysteria'] as const
export type UserProtocol = (typeof userProtocols)[number]

/** Protocols that are allowed in a profile but carry no users; they run on every node of the profile. */
export const userlessProtocols = ['dokodemo-door', 'tunnel', 'http', 'mixed', 'socks', 'wireguard', 'tun'] as const

/** Transports that users' inbounds may have, the last three by older names. Hysteria has its own and no other. */
export const networks = [
  'tcp',
  'raw',
  'ws',
  'grpc',
  'httpupgrade',
  'xhttp',
  'kcp',
  'hysteria',
  'websocket',
  'splithttp',
  'mkcp',
] as const
/** Under which of them REALITY exists. */
export const realityNetworks: readonly string[] = ['tcp', 'grpc', 'xhttp']

/** Whether it is a JSON object: no list and not null. */
export function isObject(value: unknown): value is XrayObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether inbounds of this protocol carry users of the panel; some of Shadowsocks still do not (`userProtocolOf`). */
export function isUserProtocol(protocol: unknown): protocol is UserProtocol {
  return userProtocols.some((known) => known === protocol)
}

/** The method of Shadowsocks 2022 with one key per inbound: the core cannot tell its users apart. */
export const methodOfOne = '2022-blake3-chacha20-poly1305'

/**
 * The credential of an inbound's users; undefined where it carries none of ours. Shadowsocks 2022 with ChaCha20 has
 * one key for all, so that users can be neither counted nor refused. Like a tunnel, it runs on every node of the
 * profile.
 */
export function userProtocolOf(inbound: XrayObject): UserProtocol | undefined {
  const { protocol } = inbound
  if (!isUserProtocol(protocol)) return undefined
  const isOfOne = protocol === 'shadowsocks' && textAt(objectAt(inbound, 'settings'), 'method') === methodOfOne
  return isOfOne ? undefined : protocol
}

/** The object under this key, or an empty one. */
export function objectAt(value: unknown, key: string): XrayObject {
  const found = isObject(value) ? value[key] : undefined
  return isObject(found) ? found : {}
}

/** The text under this key, or an empty one. */
export function textAt(value: unknown, key: string): string {
  const found = isObject(value) ? value[key] : undefined
  return typeof found === 'string' ? found : ''
}

/** A list, or a single value where Xray also takes a list, as its non-empty texts. */
export function textsAt(value: unknown, key: string): string[] {
  const found = isObject(value) ? value[key] : undefined
  const items: unknown[] = Array.isArray(found) ? found : [found]
  return items.filter((item) => typeof item === 'string').filter((item) => item !== '')
}

/** The inbounds that are objects; whatever else stands in the list is passed over. */
export function inboundsOf(config: XrayObject): XrayObject[] {
  const inbounds: unknown = config['inbounds']
  return Array.isArray(inbounds) ? inbounds.filter(isObject) : []
}

/** Names that mean the same transport to the core. */
const newNames: Record<string, string> = { '': 'tcp', raw: 'tcp', websocket: 'ws', splithttp: 'xhttp', mkcp: 'kcp' }

/** Transport of an inbound under the one name that the rest of the code knows: Xray's default and `raw` are both `tcp`. */
export function networkOf(inbound: unknown): string {
  const network = textAt(objectAt(inbound, 'streamSettings'), 'network')
  return newNames[network] ?? network
}

/** Settings of the transport that the inbound uses, under either of the names Xray accepts for plain TCP and XHTTP. */
export function transportSettingsOf(inbound: unknown): XrayObject {
  const stream = objectAt(inbound, 'streamSettings')
  const network = networkOf(inbound)
  if (network === 'xhttp' && !isObject(stream['xhttpSettings'])) return objectAt(stream, 'splithttpSettings')
  if (network !== 'tcp') return objectAt(stream, `${network}Settings`)
  return isObject(stream['rawSettings']) ? stream['rawSettings'] : objectAt(stream, 'tcpSettings')
}

/** Obfuscation header of plain TCP; empty when there is none. */
export function headerTypeOf(inbound: unknown): string {
  return networkOf(inbound) === 'tcp' ? textAt(objectAt(transportSettingsOf(inbound), 'header'), 'type') : ''
}

/** Path and host that requests of an HTTP header must have: the core checks the path, what stands before it the host. */
export function httpHeaderOf(inbound: unknown): { path: string; host: string } {
  const request = objectAt(objectAt(transportSettingsOf(inbound), 'header'), 'request')
  const headers = Object.entries(objectAt(request, 'headers'))
  const [host] = headers.flatMap(([name, value]) => (name.toLowerCase() === 'host' ? textsAt({ value }, 'value') : []))
  return { path: textsAt(request, 'path')[0] ?? '', host: host ?? '' }
}

/** Obfuscation that the core puts around the packets of an inbound (`finalmask`); clients must do the same. */
export function masksOf(inbound: unknown): XrayObject[] {
  const masks = objectAt(objectAt(inbound, 'streamSettings'), 'finalmask')
  const lists: unknown[] = [masks['tcp'], masks['udp']]
  return lists.flatMap((list) => (Array.isArray(list) ? list.filter(isObject) : []))
}
