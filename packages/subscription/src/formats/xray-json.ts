import { isObject, textAt, type XrayObject } from '@causeway/xray'
import { mapped } from '../host-mapper.ts'
import { shadowsocksPassword, type ProxyEntry } from '../proxy-entry.ts'
import { DIRECTIVES_KEY, injectedEntries, readDirectives, type Matches, type XrayDirectives } from './xray-directives.ts'

/** The template in two texts: what stands before the outbounds of an entry, and what follows its own outbound. */
export interface XrayJsonTemplate {
  before: string
  after: string
  directives: XrayDirectives
  /** Of its own outbounds. */
  tags: ReadonlySet<string>
}

/** Parts of configurations besides the entries that they are for. */
export interface XrayJsonParts {
  /** Entries of hidden hosts, for templates that take them in. */
  hidden?: readonly ProxyEntry[] | undefined
  /** Templates of hosts that have one of their own. */
  templates?: ReadonlyMap<string, XrayJsonTemplate> | undefined
  matches?: Matches | undefined
}

/** @throws when the template is not an object. */
export function compileXrayJson(template: unknown): XrayJsonTemplate {
  if (!isObject(template)) throw new TypeError('The Xray JSON template must be an object.')
  const { outbounds, remarks: _replaced, [DIRECTIVES_KEY]: directives, ...rest } = template
  const own: unknown[] = Array.isArray(outbounds) ? outbounds : []
  const members = Object.entries(rest).map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)},`)
  return {
    before: `{${members.join('')}"outbounds":[`,
    after: `${own.map((outbound) => `,${JSON.stringify(outbound)}`).join('')}],"remarks":`,
    directives: readDirectives(directives),
    tags: new Set(own.map((outbound) => textAt(outbound, 'tag'))),
  }
}

/** A list with one complete client configuration per entry. */
export function renderXrayJson(template: XrayJsonTemplate, entries: readonly ProxyEntry[], parts: XrayJsonParts = {}): string {
  const { hidden = [], templates, matches = () => false } = parts
  const configs = entries.map((entry) => {
    const own = templates?.get(entry.source?.xrayJsonTemplateUuid ?? '') ?? template
    const outbounds =
      own.directives.injections.length === 0
        ? JSON.stringify(xrayOutbound(entry))
        : injectedEntries(own.directives, entry, { shown: entries, hidden, matches }, own.tags)
            .map((injected) => JSON.stringify(xrayOutbound(injected.entry, injected.tag)))
            .join(',')
    return `${own.before}${outbounds}${own.after}${JSON.stringify(entry.remark)}}`
  })
  return `[${configs.join(',')}]`
}

export function xrayOutbound(entry: ProxyEntry, tag = 'proxy'): XrayObject {
  const outbound = {
    tag,
    protocol: entry.protocol,
    settings: settings(entry),
    ...(entry.mux ? { mux: entry.mux } : {}),
    streamSettings: streamSettings(entry),
  }
  return mapped(outbound, entry.source, 'xrayJson')
}

function settings(entry: ProxyEntry): XrayObject {
  const { address, port, credentials } = entry
  switch (entry.protocol) {
    case 'vless': {
      const user = {
        id: credentials.vlessUuid,
        encryption: entry.encryption || 'none',
        ...(entry.flow ? { flow: entry.flow } : {}),
      }
      return { vnext: [{ address, port, users: [user] }] }
    }
    case 'vmess':
      return { vnext: [{ address, port, users: [{ id: credentials.vlessUuid, security: 'auto' }] }] }
    case 'hysteria':
      return { version: 2, address, port }
    case 'trojan':
      return { servers: [{ address, port, password: credentials.trojanPassword }] }
    case 'shadowsocks': {
      const { method } = entry
      return { servers: [{ address, port, password: shadowsocksPassword(entry), method, uot: false, ivCheck: false }] }
    }
  }
}

function streamSettings(entry: ProxyEntry): XrayObject {
  return {
    network: entry.network,
    ...transport(entry),
    ...security(entry),
    ...(entry.finalmask ? { finalmask: entry.finalmask } : {}),
    ...(entry.sockopt ? { sockopt: entry.sockopt } : {}),
  }
}

function transport(entry: ProxyEntry): XrayObject {
  const { host, path, xhttp } = entry
  switch (entry.network) {
    case 'ws':
      return { wsSettings: { path, headers: { Host: host } } }
    case 'httpupgrade':
      return { httpupgradeSettings: { path, host } }
    case 'grpc':
      return { grpcSettings: { serviceName: path, ...(host ? { authority: host } : {}), multiMode: entry.isMultiMode } }
    case 'kcp':
      return { kcpSettings: entry.kcp ?? {} }
    case 'hysteria':
      return { hysteriaSettings: { version: 2, auth: entry.credentials.trojanPassword } }
    case 'xhttp':
      return {
        xhttpSettings: {
          mode: xhttp?.mode ?? 'auto',
          host,
          ...(path ? { path } : {}),
          ...(xhttp?.extra ? { extra: xhttp.extra } : {}),
        },
      }
    default:
      return { tcpSettings: entry.headerType === 'http' ? { header: httpHeader(host, path) } : {} }
  }
}

/** A request of HTTP/1.1 that hides the first packet. */
export function httpHeader(host: string, path: string): XrayObject {
  const headers = { 'Accept-Encoding': ['gzip', 'deflate'], Connection: ['keep-alive'], Pragma: 'no-cache', Host: [host] }
  return { type: 'http', request: { version: '1.1', method: 'GET', headers, ...(path ? { path: [path] } : {}) } }
}

/** Certificates by which the server is known instead of, or beside, its name. */
function pins({ source }: ProxyEntry): XrayObject {
  const { pinnedPeerCertSha256, verifyPeerCertByName } = source ?? {}
  return {
    ...(pinnedPeerCertSha256 ? { pinnedPeerCertSha256 } : {}),
    ...(verifyPeerCertByName ? { verifyPeerCertByName } : {}),
  }
}

function security(entry: ProxyEntry): XrayObject {
  const fingerprint = entry.fingerprint ? { fingerprint: entry.fingerprint } : {}
  if (entry.security === 'tls') {
    const alpn = entry.alpn ? { alpn: entry.alpn.split(',') } : {}
    const tls = { serverName: entry.sni, allowInsecure: entry.isInsecure, show: false, ...fingerprint, ...alpn, ...pins(entry) }
    return { security: 'tls', tlsSettings: tls }
  }
  if (entry.security !== 'reality') return {}
  return {
    security: 'reality',
    realitySettings: {
      serverName: entry.sni,
      show: false,
      ...(entry.publicKey ? { publicKey: entry.publicKey } : {}),
      ...(entry.shortId ? { shortId: entry.shortId } : {}),
      ...(entry.spiderX ? { spiderX: entry.spiderX } : {}),
      ...fingerprint,
    },
  }
}
