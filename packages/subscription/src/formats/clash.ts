import type { ProxyEntry } from '../proxy-entry.ts'
import type { Random } from '../subscriber.ts'
import { renderClashTemplate, type ClashTemplate } from './clash-template.ts'
import { clashProxy, hasClashTransport } from './mihomo.ts'
import { namedEntries } from './named-entries.ts'

/** The older relative of Mihomo: it knows neither VLESS nor REALITY nor providers that carry proxies. */
export function renderClash(template: ClashTemplate, entries: readonly ProxyEntry[], random: Random): string {
  const known = entries.filter((entry) => hasClashTransport(entry) && entry.protocol !== 'vless')
  const shown = namedEntries(known, template.names)
  const proxies = shown.map((entry) => clashProxy(entry, { isSecured: entry.security === 'tls', reality: null }))
  return renderClashTemplate(template, { proxies, names: shown.map((entry) => entry.remark), withProviders: false }, random)
}
