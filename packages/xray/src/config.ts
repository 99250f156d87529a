/**
 * Reading access to Xray configurations. They come from an editor, so nothing in them can be relied on: every reader
 * answers with what is there or with nothing, and only the profile check complains.
 */
export type XrayObject = Record<string, unknown>

/** Protocols whose inbounds carry users of the panel. */
export const userProtocols = ['vless', 'trojan', 'shadowsocks'] as const
export type UserProtocol = (typeof userProtocols)[number]

/** Protocols that are allowed in a profile but carry no users; they run on every node of the profile. */
export const userlessProtocols = ['dokodemo-door', 'http', 'mixed', 'wireguard'] as const

export function isObject(value: unknown): value is XrayObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isUserProtocol(protocol: unknown): protocol is UserProtocol {
  return userProtocols.some((known) => known === protocol)
}

export function objectAt(value: unknown, key: string): XrayObject {
  const found = isObject(value) ? value[key] : undefined
  return isObject(found) ? found : {}
}

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

export function inboundsOf(config: XrayObject): XrayObject[] {
  const inbounds: unknown = config['inbounds']
  return Array.isArray(inbounds) ? inbounds.filter(isObject) : []
}

/** Transport of an inbound under its older name: Xray's default and `raw` are both `tcp`. */
export function networkOf(inbound: unknown): string {
  const network = textAt(objectAt(inbound, 'streamSettings'), 'network')
  return network === '' || network === 'raw' ? 'tcp' : network
}

/** Settings of the transport that the inbound uses, under either of the names Xray accepts for plain TCP. */
export function transportSettingsOf(inbound: unknown): XrayObject {
  const stream = objectAt(inbound, 'streamSettings')
  const network = networkOf(inbound)
  if (network !== 'tcp') return objectAt(stream, `${network}Settings`)
  return isObject(stream['rawSettings']) ? stream['rawSettings'] : objectAt(stream, 'tcpSettings')
}

/** Obfuscation header of plain TCP; empty when there is none. */
export function headerTypeOf(inbound: unknown): string {
  return networkOf(inbound) === 'tcp' ? textAt(objectAt(transportSettingsOf(inbound), 'header'), 'type') : ''
}
