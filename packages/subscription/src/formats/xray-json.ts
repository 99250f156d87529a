import { isObject, type XrayObject } from '@causeway/xray'
import { shadowsocksPassword, type ProxyEntry } from '../proxy-entry.ts'

/** The template in two texts: what stands before the outbounds of an entry, and what follows its own outbound. */
export interface XrayJsonTemplate {
  before: string
  after: string
}

/** @throws when the template is not an object. */
export function compileXrayJson(template: unknown): XrayJsonTemplate {
  if (!isObject(template)) throw new TypeError('The Xray JSON template must be an object.')
  const { outbounds, remarks: _replaced, ...rest } = template
  const own: unknown[] = Array.isArray(outbounds) ? outbounds : []
  const members = Object.entries(rest).map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)},`)
  return {
    before: `{${members.join('')}"outbounds":[`,
    after: `${own.map((outbound) => `,${JSON.stringify(outbound)}`).join('')}],"remarks":`,
  }
}

/** A list with one complete client configuration per entry. */
export function renderXrayJson(template: XrayJsonTemplate, entries: readonly ProxyEntry[]): string {
  const configs = entries.map((entry) => {
    const outbound = JSON.stringify(xrayOutbound(entry))
    return `${template.before}${outbound}${template.after}${JSON.stringify(entry.remark)}}`
  })
  return `[${configs.join(',')}]`
}

function xrayOutbound(entry: ProxyEntry): XrayObject {
  return {
    tag: 'proxy',
    protocol: entry.protocol,
    settings: settings(entry),
    ...(entry.mux ? { mux: entry.mux } : {}),
    streamSettings: streamSettings(entry),
  }
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

function security(entry: ProxyEntry): XrayObject {
  const fingerprint = entry.fingerprint ? { fingerprint: entry.fingerprint } : {}
  if (entry.security === 'tls') {
    const alpn = entry.alpn ? { alpn: entry.alpn.split(',') } : {}
    const tls = { serverName: entry.sni, allowInsecure: entry.isInsecure, show: false, ...fingerprint, ...alpn }
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
