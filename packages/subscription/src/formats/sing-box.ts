import { isObject, objectAt, textAt, type XrayObject } from '@causeway/xray'
import { isAtLeast, type Version } from '../client-format.ts'
import { mapped } from '../host-mapper.ts'
import { shadowsocksPassword, type ProxyEntry } from '../proxy-entry.ts'
import { earlyDataHeader, splitEarlyData } from './early-data.ts'
import { isCommon, isCommonGrpc, isSecured, salamanderPassword } from './expressible.ts'
import { expressible } from './named-entries.ts'
import { formFor, versionsOf, type VersionedForms } from './sing-box-versions.ts'

/** The first version that has one list of addresses for both families in a tun inbound. */
const mergedTunVersion: Version = [1, 10, 0]
/** The first version that reads the newer of the two templates. */
const newTemplateVersion: Version = [1, 11, 0]
const defaultFingerprint = 'chrome'
/** Where an administrator steers what is added to a group. Removed from the output. */
const CONTROL_KEY = 'remnawave'
const proxyTypes = ['vless', 'vmess', 'trojan', 'shadowsocks', 'hysteria2']

const mergedTunFields = [
  ['address', 'inet4_address', 'inet6_address'],
  ['route_address', 'inet4_route_address', 'inet6_route_address'],
  ['route_exclude_address', 'inet4_route_exclude_address', 'inet6_route_exclude_address'],
] as const

/** One form of a template, with everything read that rendering needs. */
interface SingBoxForm {
  members: XrayObject
  inboundsWithMergedTun: unknown
  outbounds: unknown[]
  /** Groups that keep the members that they have. */
  closed: ReadonlySet<unknown>
  /** Tags of its own outbounds. */
  names: ReadonlySet<string>
}

export type SingBoxTemplate = VersionedForms<SingBoxForm>

/** Which of the two kept templates a client gets; one that says no version gets the legacy one. */
export function singBoxTemplateType(version: Version | null): 'SINGBOX' | 'SINGBOX_LEGACY' {
  return version && isAtLeast(version, newTemplateVersion) ? 'SINGBOX' : 'SINGBOX_LEGACY'
}

/** @throws when the template is not an object. */
export function compileSingBox(template: unknown): SingBoxTemplate {
  if (!isObject(template)) throw new TypeError('The sing-box template must be an object.')
  const { addressedDns, typedDns } = versionsOf(template)
  return { addressedDns: compileForm(addressedDns), typedDns: compileForm(typedDns) }
}

function compileForm(members: XrayObject): SingBoxForm {
  const { inbounds } = members
  const given: unknown[] = Array.isArray(members['outbounds']) ? members['outbounds'] : []
  const isClosed = given.map((outbound) => objectAt(outbound, CONTROL_KEY)['includeProxies'] === false)
  const outbounds = given.map(withoutControl)
  return {
    members,
    inboundsWithMergedTun: Array.isArray(inbounds) ? mergeFirstTun(inbounds) : inbounds,
    outbounds,
    closed: new Set(outbounds.filter((_, index) => isClosed[index])),
    names: new Set(outbounds.map((outbound) => textAt(outbound, 'tag'))),
  }
}

function withoutControl(outbound: unknown): unknown {
  if (!isObject(outbound)) return outbound
  const { [CONTROL_KEY]: _control, ...rest } = outbound
  return rest
}

/** The JSON of a subscription, with an outbound for each entry that sing-box can make. */
export function renderSingBox(template: SingBoxTemplate, entries: readonly ProxyEntry[], version: Version | null): string {
  const form = formFor(template, version)
  const own = expressible(entries, isSingBoxEntry, form.names).map(singBoxOutbound)
  const isMerged = version !== null && isAtLeast(version, mergedTunVersion)
  const config = {
    ...form.members,
    ...(isMerged && form.inboundsWithMergedTun !== undefined ? { inbounds: form.inboundsWithMergedTun } : {}),
    outbounds: withMembers([...form.outbounds, ...own], form.closed),
  }
  return JSON.stringify(config, null, 4)
}

/** sing-box refuses a whole configuration for one outbound that it does not know how to make. */
export function isSingBoxEntry(entry: ProxyEntry): boolean {
  if (!isCommon(entry) || entry.encryption !== '') return false
  if (entry.protocol === 'shadowsocks' || entry.protocol === 'hysteria') return true
  if (entry.security === 'reality' && entry.publicKey === '') return false
  // Its HTTP transport is HTTP/1.1 with a header only outside TLS.
  if (entry.headerType === 'http') return !isSecured(entry)
  return entry.network === 'tcp' || entry.network === 'ws' || entry.network === 'httpupgrade' || isCommonGrpc(entry)
}

/** Groups of the template get the tags of all proxies; selectors those of automatic groups too. */
function withMembers(outbounds: readonly unknown[], closed: ReadonlySet<unknown>): unknown[] {
  const proxies = tagsOfTypes(outbounds, proxyTypes)
  const choices = tagsOfTypes(outbounds, [...proxyTypes, 'urltest'])
  return outbounds.map((outbound) => {
    if (!isObject(outbound) || closed.has(outbound)) return outbound
    if (outbound['type'] === 'urltest') return { ...outbound, outbounds: proxies }
    return outbound['type'] === 'selector' ? { ...outbound, outbounds: choices } : outbound
  })
}

function tagsOfTypes(outbounds: readonly unknown[], types: readonly string[]): unknown[] {
  return outbounds
    .filter(isObject)
    .filter((outbound) => types.some((type) => type === outbound['type']))
    .map((outbound) => outbound['tag'])
}

export function singBoxOutbound(entry: ProxyEntry): XrayObject {
  const transport = transportOf(entry)
  const outbound = {
    type: entry.protocol === 'hysteria' ? 'hysteria2' : entry.protocol,
    tag: entry.remark,
    server: entry.address,
    server_port: entry.port,
    ...(entry.protocol === 'vless' && entry.flow ? { flow: entry.flow } : {}),
    ...(transport ? { transport } : {}),
    ...tls(entry),
    ...credentials(entry),
  }
  return mapped(outbound, entry.source, 'singbox')
}

function transportOf(entry: ProxyEntry): XrayObject | null {
  const headers = entry.host ? { Host: entry.host } : {}
  switch (entry.headerType === 'http' ? 'http' : entry.network) {
    case 'http':
      return {
        ...(entry.host ? { host: [entry.host] } : {}),
        path: entry.path || '/',
        method: 'GET',
        type: 'http',
      }
    case 'httpupgrade':
      return { headers, ...(entry.path ? { path: entry.path } : {}), type: 'httpupgrade' }
    case 'grpc':
      return { service_name: entry.path, type: 'grpc' }
    case 'ws': {
      const { path, maxEarlyData } = splitEarlyData(entry.path)
      const earlyData = maxEarlyData === null ? {} : { max_early_data: maxEarlyData, early_data_header_name: earlyDataHeader }
      return { headers, ...(path ? { path } : {}), ...earlyData, type: 'ws' }
    }
    default:
      return null
  }
}

function tls(entry: ProxyEntry): XrayObject {
  const isReality = entry.security === 'reality'
  if (!isSecured(entry)) return {}
  // Of QUIC, which Hysteria is made of, no fingerprints are imitated.
  const fingerprint = entry.protocol === 'hysteria' ? '' : entry.fingerprint || (isReality ? defaultFingerprint : '')
  // Where TLS agrees on HTTP/2, its WebSocket goes nowhere.
  const alpn = entry.alpn.split(',').filter((name) => name !== '' && (entry.network !== 'ws' || name === 'http/1.1'))
  return {
    tls: {
      enabled: true,
      ...(entry.sni ? { server_name: entry.sni } : {}),
      ...(entry.isInsecure ? { insecure: true } : {}),
      ...(isReality ? { reality: { enabled: true, public_key: entry.publicKey, short_id: entry.shortId } } : {}),
      ...(fingerprint ? { utls: { enabled: true, fingerprint } } : {}),
      ...(alpn.length > 0 ? { alpn } : {}),
    },
  }
}

function credentials(entry: ProxyEntry): XrayObject {
  const { vlessUuid, trojanPassword } = entry.credentials
  switch (entry.protocol) {
    case 'vless':
      return { uuid: vlessUuid }
    case 'vmess':
      return { uuid: vlessUuid, security: 'auto' }
    case 'trojan':
      return { password: trojanPassword }
    case 'hysteria': {
      const password = salamanderPassword(entry)
      return { password: trojanPassword, ...(password ? { obfs: { type: 'salamander', password } } : {}) }
    }
    case 'shadowsocks':
      return { password: shadowsocksPassword(entry), method: entry.method }
  }
}

function mergeFirstTun(inbounds: readonly unknown[]): unknown[] {
  const first = inbounds.findIndex((inbound) => isObject(inbound) && inbound['type'] === 'tun')
  return inbounds.map((inbound, index) => (index === first && isObject(inbound) ? mergeTun(inbound) : inbound))
}

function mergeTun(tun: XrayObject): XrayObject {
  const merged = { ...tun }
  for (const [target, ...sources] of mergedTunFields) {
    const addresses = sources.flatMap((source) => asList(tun[source]))
    for (const source of sources) delete merged[source]
    if (addresses.length > 0) merged[target] = [...asList(tun[target]), ...addresses]
  }
  return merged
}

function asList(value: unknown): unknown[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value : [value]
}
