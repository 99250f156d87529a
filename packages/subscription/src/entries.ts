import type { SubscriptionSettings } from '@causeway/contract'
import { emptyPlaceholders, statusPlaceholders, type RemarkSettings } from './placeholders.ts'
import type { PreparedHost } from './prepared-host.ts'
import { resolveEntries, type ProxyEntry } from './proxy-entry.ts'
import { shuffle, type Random, type Subscriber } from './subscriber.ts'
import type { TemplateValues } from './template-variables.ts'

export type EntrySettings = RemarkSettings & Pick<SubscriptionSettings, 'randomizeHosts'>

export interface EntryRequest {
  values: TemplateValues
  /** Whether the user is in any squad; decides which hint an empty subscription shows. */
  hasSquads: boolean
  /** Data for machines and single servers keep the administrator's order even where apps get a random one. */
  keepOrder: boolean
  random: Random
}

/** The entries of a user's subscription: real hosts, or texts in their place. `hosts` are those visible to the user. */
export function subscriptionEntries(
  user: Subscriber,
  hosts: readonly PreparedHost[],
  settings: EntrySettings,
  request: EntryRequest,
): ProxyEntry[] {
  const texts = statusPlaceholders(user, settings, request.values)
  if (texts) return texts
  if (hosts.length === 0) return emptyPlaceholders(request.hasSquads, settings, request.values)
  return resolveEntries(ordered(hosts, settings, request), user, request.values, request.random)
}

function ordered(hosts: readonly PreparedHost[], settings: EntrySettings, { keepOrder, random }: EntryRequest) {
  if (keepOrder) return hosts
  if (settings.randomizeHosts) return shuffle(hosts, random)
  const first = hosts.filter(({ source }) => source.shuffleHost)
  return first.length === 0 ? hosts : [...shuffle(first, random), ...hosts.filter(({ source }) => !source.shuffleHost)]
}
