import type { XrayObject } from '@causeway/xray'
import { isAtLeast, type Version } from '../client-format.ts'
import { mapped } from '../host-mapper.ts'
import { shadowsocksPassword, type ProxyEntry } from '../proxy-entry.ts'
import type { Random } from '../subscriber.ts'
import { renderClashTemplate, type ClashTemplate } from './clash-template.ts'
import { earlyDataHeader, splitEarlyData } from './early-data.ts'
import { isCommon, isCommonGrpc, isSecured, salamanderPassword } from './expressible.ts'
import { expressible } from './named-entries.ts'

const defaultFingerprint = 'chrome'
/** The first version that knows VLESS encryption; those before pass over it and connect never. */
const encryptionVersion: Version = [1, 19, 13]

/** Mihomo, and Stash, which reads the same. Clients of this family know no XHTTP. `version` is Mihomo's, where it is known. */
export function renderMihomo(template: ClashTemplate, entries: readonly ProxyEntry[], random: Random, version?: Version): string {
  const shown = expressible(entries, isMihomoEntry(version), template.names)
  const proxies = shown.map(mihomoProxy)
  return renderClashTemplate(template, { proxies, names: shown.map((entry) => entry.remark), withProviders: true }, random)
}

/** With what Clash itself does not know: certificates by their fingerprints, families of addresses, and steps of the host. */
export function mihomoProxy(entry: ProxyEntry): XrayObject {
  const { pinnedPeerCertSha256: pin, mihomoIpVersion } = entry.source ?? {}
  const isPinned = Boolean(pin) && entry.security === 'tls'
  const proxy = {
    ...clashProxy(entry),
    // It takes one.
    ...(isPinned ? { fingerprint: pin?.split(',')[0]?.trim() } : {}),
    ...(mihomoIpVersion ? { 'ip-version': mihomoIpVersion } : {}),
  }
  return mapped(proxy, entry.source, 'mihomo')
}

/** Whether Mihomo of this version, or of any where it is not known, can connect to an entry. */
export function isMihomoEntry(version?: Version): (entry: ProxyEntry) => boolean {
  const knowsEncryption = version !== undefined && isAtLeast(version, encryptionVersion)
  return (entry) => (entry.encryption === '' || knowsEncryption) && isEntryOfAny(entry)
}

/** Of any version. */
function isEntryOfAny(entry: ProxyEntry): boolean {
  if (entry.security === 'reality' && (entry.publicKey === '' || (entry.protocol === 'vmess' && entry.network === 'grpc')))
    return false // seen to connect never; with VLESS and Trojan it does
  return isClashEntry(entry)
}

/** Entries that the Clash family can express; its Trojan is always inside TLS and has no HTTP header. */
export function isClashEntry(entry: ProxyEntry): boolean {
  if (!isCommon(entry)) return false
  if (entry.protocol === 'shadowsocks' || entry.protocol === 'hysteria') return true
  if (entry.protocol === 'trojan' && (!isSecured(entry) || entry.headerType === 'http')) return false
  return entry.network === 'tcp' || entry.network === 'ws' || entry.network === 'httpupgrade' || isCommonGrpc(entry)
}

/** One proxy in the keys and order of the Clash family. */
export function clashProxy(entry: ProxyEntry): XrayObject {
  if (entry.protocol === 'hysteria') return hysteriaProxy(entry)
  return {
    name: entry.remark,
    type: entry.protocol === 'shadowsocks' ? 'ss' : entry.protocol,
    server: entry.address,
    port: entry.port,
    network: networkName(entry),
    udp: true,
    ...(isSecured(entry) ? tls(entry) : {}),
    ...transport(entry),
    ...(entry.security === 'reality' ? { 'reality-opts': reality(entry) } : {}),
    'client-fingerprint': entry.fingerprint || defaultFingerprint,
    ...credentials(entry),
  }
}

/** Mihomo reads the password under its own name, Stash as `auth`. */
function hysteriaProxy(entry: ProxyEntry): XrayObject {
  const password = entry.credentials.trojanPassword
  const obfuscation = salamanderPassword(entry)
  return {
    name: entry.remark,
    type: 'hysteria2',
    server: entry.address,
    port: entry.port,
    password,
    auth: password,
    ...(entry.sni ? { sni: entry.sni } : {}),
    ...(entry.alpn ? { alpn: entry.alpn.split(',') } : {}),
    ...insecure(entry),
    ...(obfuscation ? { obfs: 'salamander', 'obfs-password': obfuscation } : {}),
  }
}

function networkName(entry: ProxyEntry): string {
  if (entry.network === 'httpupgrade') return 'ws'
  return entry.headerType === 'http' ? 'http' : entry.network
}

function tls(entry: ProxyEntry): XrayObject {
  return {
    tls: true,
    [entry.protocol === 'trojan' ? 'sni' : 'servername']: entry.sni,
    ...(entry.alpn ? { alpn: entry.alpn.split(',') } : {}),
    ...insecure(entry),
  }
}

function insecure(entry: ProxyEntry): XrayObject {
  return entry.isInsecure ? { 'skip-cert-verify': true } : {}
}

function reality(entry: ProxyEntry): XrayObject {
  const postQuantum = entry.source?.mihomoX25519 ? { 'support-x25519mlkem768': true } : {}
  return { 'public-key': entry.publicKey, 'short-id': entry.shortId, ...postQuantum }
}

function transport(entry: ProxyEntry): XrayObject {
  switch (networkName(entry)) {
    case 'ws':
      return { 'ws-opts': webSocket(entry) }
    case 'grpc':
      return { 'grpc-opts': { 'grpc-service-name': entry.path } }
    case 'http':
      return {
        'http-opts': {
          method: 'GET',
          path: [entry.path || '/'],
          headers: entry.host ? { Host: [entry.host] } : {},
        },
      }
    default:
      return {}
  }
}

/** An upgrade that is not waited for loses most connections, so `v2ray-http-upgrade-fast-open` is never on. */
function webSocket(entry: ProxyEntry): XrayObject {
  const { path, maxEarlyData } = splitEarlyData(entry.path)
  return {
    ...(path ? { path } : {}),
    headers: entry.host ? { Host: entry.host } : {},
    ...(maxEarlyData === null ? {} : { 'max-early-data': maxEarlyData, 'early-data-header-name': earlyDataHeader }),
    ...(entry.network === 'httpupgrade' ? { 'v2ray-http-upgrade': true } : {}),
  }
}

function credentials(entry: ProxyEntry): XrayObject {
  const { vlessUuid, trojanPassword } = entry.credentials
  switch (entry.protocol) {
    case 'vless':
      return { uuid: vlessUuid, 'packet-encoding': 'xudp', ...encryption(entry), ...(entry.flow ? { flow: entry.flow } : {}) }
    case 'vmess':
      return { uuid: vlessUuid, alterId: 0, cipher: 'auto' }
    case 'hysteria':
    case 'trojan':
      return { password: trojanPassword }
    case 'shadowsocks':
      return { password: shadowsocksPassword(entry), cipher: entry.method }
  }
}

function encryption(entry: ProxyEntry): XrayObject {
  return entry.encryption ? { encryption: entry.encryption } : {}
}
