import { shadowsocksMethod } from '@causeway/xray'
import type { ProxyEntry } from '../proxy-entry.ts'
import { base64, unpadded } from '../text/text-encoding.ts'

/** The first Shadowsocks entry as Outline reads it; an empty object when there is none. */
export function renderOutline(entries: readonly ProxyEntry[]): string {
  return server(entries.find(isOutlineEntry))
}

/** The Shadowsocks entry whose name is the Base64 text (of either alphabet) in the URL. */
export function renderOutlineByTag(entries: readonly ProxyEntry[], encodedTag: string): string {
  const wanted = unpadded(encodedTag)
  return server(entries.find((entry) => isOutlineEntry(entry) && unpadded(base64(entry.remark)) === wanted))
}

/** Outline has no Shadowsocks 2022. */
export function isOutlineEntry(entry: ProxyEntry): boolean {
  return entry.protocol === 'shadowsocks' && entry.method === shadowsocksMethod
}

function server(entry: ProxyEntry | undefined): string {
  if (!entry) return '{}'
  return JSON.stringify({
    method: entry.method,
    password: entry.credentials.ssPassword,
    server: entry.address,
    server_port: entry.port,
  })
}
