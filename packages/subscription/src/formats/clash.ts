import { shadowsocksMethod } from '@causeway/xray'
import type { ProxyEntry } from '../proxy-entry.ts'
import type { Random } from '../subscriber.ts'
import { renderClashTemplate, type ClashTemplate } from './clash-template.ts'
import { clashProxy, isClashEntry } from './mihomo.ts'
import { expressible } from './named-entries.ts'

/** The older relative of Mihomo: it knows neither VLESS, Hysteria 2, Shadowsocks 2022 nor REALITY, nor providers that carry proxies. */
export function renderClash(template: ClashTemplate, entries: readonly ProxyEntry[], random: Random): string {
  const shown = expressible(entries, isOldClashEntry, template.names)
  const proxies = shown.map(clashProxy)
  return renderClashTemplate(template, { proxies, names: shown.map((entry) => entry.remark), withProviders: false }, random)
}

/** Whether Clash itself can connect to the entry. */
export function isOldClashEntry(entry: ProxyEntry): boolean {
  const isNewer = entry.protocol === 'shadowsocks' && entry.method !== shadowsocksMethod
  return (
    isClashEntry(entry) && !isNewer && entry.protocol !== 'vless' && entry.protocol !== 'hysteria' && entry.security !== 'reality'
  )
}
