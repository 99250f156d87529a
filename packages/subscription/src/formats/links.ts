import type { ProxyEntry } from '../proxy-entry.ts'
import { base64, formEncode, uriEncode } from '../text-encoding.ts'

export interface LinkOptions {
  /** Happ reads a description behind the fragment. */
  isHapp: boolean
}

export function shareLinks(entries: readonly ProxyEntry[], options: LinkOptions): string[] {
  return entries.map((entry) => shareLink(entry, options))
}

/** What clients get: the links as one Base64 text. */
export function renderLinks(entries: readonly ProxyEntry[], options: LinkOptions): string {
  return base64(shareLinks(entries, options).join('\n'))
}

function shareLink(entry: ProxyEntry, options: LinkOptions): string {
  const description = options.isHapp && entry.serverDescription ? `?serverDescription=${entry.serverDescription}` : ''
  return `${withoutFragment(entry)}#${uriEncode(entry.remark)}${description}`
}

function withoutFragment(entry: ProxyEntry): string {
  const server = `${entry.address}:${entry.port}`
  const { credentials } = entry
  switch (entry.protocol) {
    case 'vless':
      return `vless://${credentials.vlessUuid}@${server}?${query(entry)}`
    case 'trojan':
      return `trojan://${uriEncode(credentials.trojanPassword)}@${server}?${query(entry)}`
    case 'shadowsocks':
      return `ss://${base64(`${entry.method}:${credentials.ssPassword}`)}@${server}`
  }
}

/** Clients read empty values too, so the first ones are always written, in this order. */
function query(entry: ProxyEntry): string {
  const isSecured = entry.security === 'tls' || entry.security === 'reality'
  const isReality = entry.security === 'reality'
  const { xhttp } = entry
  const pairs: readonly (readonly [string, string, boolean])[] = [
    ['security', entry.security, true],
    ['type', entry.network, true],
    ['headerType', entry.headerType, true],
    ['path', entry.path, true],
    ['host', entry.host, true],
    ['flow', entry.flow, entry.protocol === 'vless' && entry.flow !== ''],
    ['mode', xhttp?.mode ?? '', xhttp !== null],
    ['extra', JSON.stringify(xhttp?.extra ?? null), Boolean(xhttp?.extra)],
    ['sni', entry.sni, isSecured],
    ['fp', entry.fingerprint, isSecured],
    ['alpn', entry.alpn, entry.security === 'tls' && entry.alpn !== ''],
    ['pbk', entry.publicKey, isReality],
    ['sid', entry.shortId, isReality],
    ['spx', entry.spiderX, isReality && entry.spiderX !== ''],
  ]
  return pairs
    .filter(([, , isPresent]) => isPresent)
    .map(([name, value]) => `${name}=${formEncode(value)}`)
    .join('&')
}
