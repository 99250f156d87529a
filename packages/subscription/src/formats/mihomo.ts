import type { XrayObject } from '@causeway/xray'
import type { ProxyEntry } from '../proxy-entry.ts'
import type { Random } from '../subscriber.ts'
import { renderClashTemplate, type ClashTemplate } from './clash-template.ts'
import { earlyDataHeader, splitEarlyData } from './early-data.ts'
import { namedEntries } from './named-entries.ts'

const defaultFingerprint = 'chrome'

/** Mihomo, and Stash, which reads the same. Clients of this family know no XHTTP. */
export function renderMihomo(template: ClashTemplate, entries: readonly ProxyEntry[], random: Random): string {
  const shown = namedEntries(entries.filter(hasClashTransport), template.names)
  const proxies = shown.map(mihomoProxy)
  return renderClashTemplate(template, { proxies, names: shown.map((entry) => entry.remark), withProviders: true }, random)
}

export function hasClashTransport(entry: ProxyEntry): boolean {
  return entry.network === 'tcp' || entry.network === 'ws' || entry.network === 'httpupgrade'
}

function mihomoProxy(entry: ProxyEntry): XrayObject {
  const isSecured = entry.security === 'tls' || entry.security === 'reality'
  return clashProxy(entry, {
    isSecured,
    reality:
      entry.security === 'reality' && entry.publicKey ? { 'public-key': entry.publicKey, 'short-id': entry.shortId } : null,
  })
}

/** One proxy in the keys and order of the Clash family. */
export function clashProxy(entry: ProxyEntry, options: { isSecured: boolean; reality: XrayObject | null }): XrayObject {
  const { isSecured, reality } = options
  const isWebSocket = entry.network !== 'tcp'
  return {
    name: entry.remark,
    type: entry.protocol === 'shadowsocks' ? 'ss' : entry.protocol,
    server: entry.address,
    port: entry.port,
    network: isWebSocket ? 'ws' : 'tcp',
    udp: true,
    ...(isSecured ? tls(entry) : {}),
    ...(isWebSocket ? { 'ws-opts': webSocket(entry) } : {}),
    ...(reality ? { 'reality-opts': reality } : {}),
    'client-fingerprint': entry.fingerprint || defaultFingerprint,
    ...credentials(entry),
  }
}

function tls(entry: ProxyEntry): XrayObject {
  return {
    tls: true,
    [entry.protocol === 'trojan' ? 'sni' : 'servername']: entry.sni,
    ...(entry.alpn ? { alpn: entry.alpn.split(',') } : {}),
  }
}

function webSocket(entry: ProxyEntry): XrayObject {
  const { path, maxEarlyData } = splitEarlyData(entry.path)
  return {
    ...(path ? { path } : {}),
    headers: entry.host ? { Host: entry.host } : {},
    ...(maxEarlyData === null ? {} : { 'max-early-data': maxEarlyData, 'early-data-header-name': earlyDataHeader }),
    ...(entry.network === 'httpupgrade' ? { 'v2ray-http-upgrade': true, 'v2ray-http-upgrade-fast-open': true } : {}),
  }
}

function credentials(entry: ProxyEntry): XrayObject {
  const { vlessUuid, trojanPassword, ssPassword } = entry.credentials
  switch (entry.protocol) {
    case 'vless':
      return { uuid: vlessUuid, 'packet-encoding': 'xudp', ...(entry.flow ? { flow: entry.flow } : {}) }
    case 'trojan':
      return { password: trojanPassword }
    case 'shadowsocks':
      return { password: ssPassword, cipher: entry.method }
  }
}
