import { objectAt, textAt } from '@causeway/xray'
import type { ProxyEntry } from '../proxy-entry.ts'

// Entries that every format but Xray's own leaves out, since its clients would show an entry that never connects.

/** Whether the connection is encrypted by TLS, REALITY's kind of it included. */
export function isSecured(entry: ProxyEntry): boolean {
  return entry.security === 'tls' || entry.security === 'reality'
}

/** The password of Hysteria's own obfuscation; empty when there is none. */
export function salamanderPassword({ masks }: ProxyEntry): string {
  const salamander = masks.find((mask) => mask['type'] === 'salamander')
  return textAt(objectAt(salamander, 'settings'), 'password')
}

/** Whether the entry needs nothing that only Xray's configuration can say. */
export function isCommon(entry: ProxyEntry): boolean {
  if ((entry.protocol === 'hysteria') !== (entry.network === 'hysteria')) return false
  if (entry.protocol === 'hysteria') return entry.masks.length === (salamanderPassword(entry) ? 1 : 0)
  if (entry.masks.length > 0) return false
  if (entry.protocol !== 'shadowsocks') return true
  // Shadowsocks by itself has neither TLS nor transports; what plugins of apps make of it is not what Xray speaks.
  return entry.network === 'tcp' && entry.headerType !== 'http' && !isSecured(entry)
}

/** Whether other programs than Xray find this service: a name that begins with a slash is a whole path, which only Xray reads. */
export function isCommonGrpc(entry: ProxyEntry): boolean {
  return entry.network === 'grpc' && !entry.path.startsWith('/')
}
