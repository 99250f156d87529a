import type { ExcludedType } from '@causeway/contract'
import type { SubscriptionFormat } from './client-format.ts'
import { placeholder } from './placeholders.ts'
import type { ProxyEntry } from './proxy-entry.ts'

/** How hosts name the formats that they are left out of; Outline is one server of the links. */
const TYPES: Record<SubscriptionFormat['kind'], ExcludedType> = {
  links: 'XRAY_BASE64',
  outline: 'XRAY_BASE64',
  mihomo: 'MIHOMO',
  stash: 'STASH',
  clash: 'CLASH',
  'xray-json': 'XRAY_JSON',
  'sing-box': 'SINGBOX',
}

/** Whether its host stands in subscriptions of this format. */
export function isOfFormat(format: SubscriptionFormat): (entry: ProxyEntry) => boolean {
  const type = TYPES[format.kind]
  return ({ source }) => !source?.excludeFromSubscriptionTypes.includes(type)
}

/** The entries whose hosts stand in this format. One whose hosts all do not is told so by a text. */
export function forFormat(format: SubscriptionFormat, entries: readonly ProxyEntry[]): readonly ProxyEntry[] {
  const isShown = isOfFormat(format)
  if (entries.every(isShown)) return entries
  const shown = entries.filter(isShown)
  return shown.length > 0 ? shown : [placeholder('No host for this app')]
}
