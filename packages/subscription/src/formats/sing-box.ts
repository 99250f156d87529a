import { isObject, textAt, type XrayObject } from '@causeway/xray'
import { isAtLeast, type Version } from '../client-format.ts'
import type { ProxyEntry } from '../proxy-entry.ts'
import { earlyDataHeader, splitEarlyData } from './early-data.ts'
import { namedEntries } from './named-entries.ts'

/** The first version that has one list of addresses for both families in a tun inbound. */
const mergedTunVersion: Version = [1, 10, 0]
/** The first version that reads the newer of the two templates. */
const newTemplateVersion: Version = [1, 11, 0]
const defaultFingerprint = 'chrome'

const mergedTunFields = [
  ['address', 'inet4_address', 'inet6_address'],
  ['route_address', 'inet4_route_address', 'inet6_route_address'],
  ['route_exclude_address', 'inet4_route_exclude_address', 'inet6_route_exclude_address'],
] as const

export interface SingBoxTemplate {
  members: XrayObject
  inboundsWithMergedTun: unknown
  outbounds: unknown[]
  /** Tags of its own outbounds. */
  names: ReadonlySet<string>
}

export function singBoxTemplateType(version: Version | null): 'SINGBOX' | 'SINGBOX_LEGACY' {
  return version && isAtLeast(version, newTemplateVersion) ? 'SINGBOX' : 'SINGBOX_LEGACY'
}

/** @throws when the template is not an object. */
export function compileSingBox(template: unknown): SingBoxTemplate {
  if (!isObject(template)) throw new TypeError('The sing-box template must be an object.')
  const { inbounds } = template
  const outbounds: unknown[] = Array.isArray(template['outbounds']) ? template['outbounds'] : []
  return {
    members: template,
    inboundsWithMergedTun: Array.isArray(inbounds) ? mergeFirstTun(inbounds) : inbounds,
    outbounds,
    names: new Set(outbounds.map((outbound) => textAt(outbound, 'tag'))),
  }
}

export function renderSingBox(template: SingBoxTemplate, entries: readonly ProxyEntry[], version: Version | null): string {
  const own = namedEntries(entries.filter(isSupported), template.names).map(singBoxOutbound)
  const isMerged = version !== null && isAtLeast(version, mergedTunVersion)
  const config = {
    ...template.members,
    ...(isMerged && template.inboundsWithMergedTun !== undefined ? { inbounds: template.inboundsWithMergedTun } : {}),
    outbounds: withMembers([...template.outbounds, ...own]),
  }
  return JSON.stringify(config, null, 4)
}

/**
 * sing-box refuses a whole configuration for one outbound that it does not know how to make: it has no XHTTP, its
 * Shadowsocks has neither TLS nor transports, and REALITY needs a key.
 */
function isSupported(entry: ProxyEntry): boolean {
  const isSecured = entry.security === 'tls' || entry.security === 'reality'
  if (entry.protocol === 'shadowsocks') return entry.network === 'tcp' && !isSecured
  if (entry.security === 'reality' && entry.publicKey === '') return false
  return entry.network === 'tcp' || entry.network === 'ws' || entry.network === 'httpupgrade'
}

/** Groups of the template get the tags of all proxies; selectors those of automatic groups too. */
function withMembers(outbounds: readonly unknown[]): unknown[] {
  const proxies = tagsOfTypes(outbounds, ['vless', 'trojan', 'shadowsocks'])
  const choices = tagsOfTypes(outbounds, ['vless', 'trojan', 'shadowsocks', 'urltest'])
  return outbounds.map((outbound) => {
    if (!isObject(outbound)) return outbound
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

function singBoxOutbound(entry: ProxyEntry): XrayObject {
  return {
    type: entry.protocol,
    tag: entry.remark,
    server: entry.address,
    server_port: entry.port,
    ...(entry.protocol === 'vless' && entry.flow ? { flow: entry.flow } : {}),
    ...(entry.protocol === 'shadowsocks' ? { network: 'tcp' } : {}),
    ...transport(entry),
    ...tls(entry),
    ...credentials(entry),
  }
}

function transport(entry: ProxyEntry): XrayObject {
  const headers = entry.host ? { Host: entry.host } : {}
  if (entry.network === 'httpupgrade') {
    return { transport: { headers, ...(entry.path ? { path: entry.path } : {}), type: 'httpupgrade' } }
  }
  if (entry.network !== 'ws') return {}
  const { path, maxEarlyData } = splitEarlyData(entry.path)
  const earlyData = maxEarlyData === null ? {} : { max_early_data: maxEarlyData, early_data_header_name: earlyDataHeader }
  return { transport: { headers, ...(path ? { path } : {}), ...earlyData, type: 'ws' } }
}

function tls(entry: ProxyEntry): XrayObject {
  const isReality = entry.security === 'reality'
  if (entry.security !== 'tls' && !isReality) return {}
  const fingerprint = entry.fingerprint || (isReality ? defaultFingerprint : '')
  return {
    tls: {
      enabled: true,
      ...(entry.sni ? { server_name: entry.sni } : {}),
      ...(isReality ? { reality: { enabled: true, public_key: entry.publicKey, short_id: entry.shortId } } : {}),
      ...(fingerprint ? { utls: { enabled: true, fingerprint } } : {}),
      ...(entry.alpn ? { alpn: entry.alpn.split(',') } : {}),
    },
  }
}

function credentials(entry: ProxyEntry): XrayObject {
  const { vlessUuid, trojanPassword, ssPassword } = entry.credentials
  switch (entry.protocol) {
    case 'vless':
      return { uuid: vlessUuid }
    case 'trojan':
      return { password: trojanPassword }
    case 'shadowsocks':
      return { password: ssPassword, method: entry.method }
  }
}

function mergeFirstTun(inbounds: readonly unknown[]): unknown[] {
  const first = inbounds.findIndex((inbound) => isObject(inbound) && inbound['type'] === 'tun')
  return inbounds.map((inbound, index) => (index === first && isObject(inbound) ? mergeTun(inbound) : inbound))
}

function mergeTun(tun: XrayObject): XrayObject {
  const merged = { ...tun }
  for (const [target, ...sources] of mergedTunFields) {
    const addresses = sources.flatMap((source) => listOf(tun[source]))
    for (const source of sources) delete merged[source]
    if (addresses.length > 0) merged[target] = [...listOf(tun[target]), ...addresses]
  }
  return merged
}

function listOf(value: unknown): unknown[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value : [value]
}
