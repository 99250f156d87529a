import { shadowsocksMethod } from '@causeway/xray'
import { mappedPairs } from '../host-mapper.ts'
import { shadowsocksPassword, type ProxyEntry } from '../proxy-entry.ts'
import { base64, formEncode, uriEncode } from '../text/text-encoding.ts'
import { isCommon, isSecured, salamanderPassword } from './expressible.ts'

export interface LinkOptions {
  /** Happ reads a description behind the fragment. */
  isHapp: boolean
}

/**
 * One link for each entry that a link can express. VLESS and newer VMess follow discussion 716 of XTLS/Xray-core, and
 * Trojan the same words. Older VMess is JSON in Base64, Shadowsocks SIP002, Hysteria 2 the URI scheme of its project.
 */
export function shareLinks(entries: readonly ProxyEntry[], options: LinkOptions): string[] {
  return entries.filter(isCommon).map((entry) => shareLink(entry, options))
}

/** The answer to clients: the links as one Base64 text. */
export function renderLinks(entries: readonly ProxyEntry[], options: LinkOptions): string {
  return base64(shareLinks(entries, options).join('\n'))
}

function shareLink(entry: ProxyEntry, options: LinkOptions): string {
  const description = options.isHapp && entry.serverDescription ? `?serverDescription=${entry.serverDescription}` : ''
  // The older form of VMess has its name inside; REALITY exists in the newer one only.
  if (entry.protocol === 'vmess' && entry.security !== 'reality') return `vmess://${base64(JSON.stringify(vmessFields(entry)))}`
  return `${withoutFragment(entry)}#${uriEncode(entry.remark)}${description}`
}

function withoutFragment(entry: ProxyEntry): string {
  const server = `${hostText(entry.address)}:${entry.port}`
  const { credentials } = entry
  switch (entry.protocol) {
    case 'vless':
      return `vless://${credentials.vlessUuid}@${server}?${keptQuery(entry)}`
    case 'vmess':
      return `vmess://${credentials.vlessUuid}@${server}?encryption=auto&${keptQuery(entry)}`
    case 'trojan':
      return `trojan://${uriEncode(credentials.trojanPassword)}@${server}?${keptQuery(entry)}`
    case 'shadowsocks':
      return `ss://${shadowsocksUser(entry)}@${server}`
    case 'hysteria':
      return `hysteria2://${uriEncode(credentials.trojanPassword)}@${server}/?${hysteriaQuery(entry).replaceAll('+', '%20')}`
  }
}

/** Links with the keys of 2022 are not Base64 once more. */
function shadowsocksUser(entry: ProxyEntry): string {
  const password = shadowsocksPassword(entry)
  return entry.method === shadowsocksMethod ? base64(`${entry.method}:${password}`) : `${entry.method}:${uriEncode(password)}`
}

/** A name or address as it stands in an address: whatever it holds, it ends before the port. */
function hostText(address: string): string {
  if (/^[0-9a-f]*:[0-9a-f]*:[0-9a-f:.]*$/i.test(address)) return `[${address}]`
  return address.replace(/[^\w.~*-]+/gu, (signs) => formEncode(signs).replaceAll('+', '%20'))
}

interface KeptQuery extends Pick<ProxyEntry, 'host' | 'sni' | 'shortId'> {
  text: string
}

const queries = new WeakMap<NonNullable<ProxyEntry['source']>, KeptQuery>()

/** The query of a host is the same for everyone until something else is drawn for it at random. Made once, links take half the time. */
function keptQuery(entry: ProxyEntry): string {
  const { source, host, sni, shortId } = entry
  if (!source) return query(entry)
  const kept = queries.get(source)
  if (kept?.host === host && kept.sni === sni && kept.shortId === shortId) return kept.text
  const text = query(entry)
  queries.set(source, { host, sni, shortId, text })
  return text
}

/** Clients read empty values too, so the first ones are always written, in this order. */
function query(entry: ProxyEntry): string {
  const isReality = entry.security === 'reality'
  const isGrpc = entry.network === 'grpc'
  const { xhttp } = entry
  return pairs(entry, [
    ['encryption', entry.encryption, entry.encryption !== ''],
    ['security', entry.security, true],
    ['type', entry.network, true],
    ['headerType', entry.network === 'kcp' ? 'none' : entry.headerType, true],
    ['path', isGrpc ? '' : entry.path, true],
    ['host', isGrpc ? '' : entry.host, true],
    ['serviceName', entry.path, isGrpc],
    ['authority', entry.host, isGrpc && entry.host !== ''],
    ['flow', entry.flow, entry.protocol === 'vless' && entry.flow !== ''],
    ['mode', xhttp?.mode ?? grpcMode(entry), xhttp !== null || isGrpc],
    ['extra', JSON.stringify(xhttp?.extra ?? null), Boolean(xhttp?.extra)],
    ['sni', entry.sni, isSecured(entry)],
    ['fp', entry.fingerprint, isSecured(entry)],
    ['alpn', entry.alpn, entry.security === 'tls' && entry.alpn !== ''],
    ['pbk', entry.publicKey, isReality],
    ['sid', entry.shortId, isReality],
    ['spx', entry.spiderX, isReality && entry.spiderX !== ''],
    ['allowInsecure', '1', entry.isInsecure],
    ['pcs', entry.source?.pinnedPeerCertSha256 ?? '', entry.security === 'tls' && Boolean(entry.source?.pinnedPeerCertSha256)],
    ['vcn', entry.source?.verifyPeerCertByName ?? '', entry.security === 'tls' && Boolean(entry.source?.verifyPeerCertByName)],
  ])
}

function hysteriaQuery(entry: ProxyEntry): string {
  const obfuscation = salamanderPassword(entry)
  return pairs(entry, [
    ['sni', entry.sni, true],
    ['alpn', entry.alpn, entry.alpn !== ''],
    ['obfs', 'salamander', obfuscation !== ''],
    ['obfs-password', obfuscation, obfuscation !== ''],
    ['insecure', '1', entry.isInsecure],
    ['pinSHA256', entry.source?.pinnedPeerCertSha256 ?? '', Boolean(entry.source?.pinnedPeerCertSha256)],
  ])
}

/** The fields of the form that all apps with VMess read, every value as text. */
function vmessFields(entry: ProxyEntry) {
  const types: Record<string, string> = { grpc: grpcMode(entry), xhttp: entry.xhttp?.mode ?? '' }
  const isTls = entry.security === 'tls'
  return {
    v: '2',
    ps: entry.remark,
    add: entry.address,
    port: String(entry.port),
    id: entry.credentials.vlessUuid,
    aid: '0',
    scy: 'auto',
    net: entry.network,
    type: types[entry.network] ?? (entry.headerType || 'none'),
    host: entry.host,
    path: entry.path,
    tls: isTls ? 'tls' : '',
    sni: isTls ? entry.sni : '',
    alpn: isTls ? entry.alpn : '',
    fp: isTls ? entry.fingerprint : '',
    ...(entry.isInsecure ? { insecure: '1' } : {}),
  }
}

function grpcMode(entry: ProxyEntry): 'gun' | 'multi' {
  return entry.isMultiMode ? 'multi' : 'gun'
}

function pairs(entry: ProxyEntry, all: readonly (readonly [name: string, value: string, isPresent: boolean])[]): string {
  const present = all.filter(([, , isPresent]) => isPresent).map(([name, value]) => [name, value] as const)
  return mappedPairs(present, entry.source)
    .map(([name, value]) => `${name}=${formEncode(value)}`)
    .join('&')
}
