import type { AgentFilters, PluginConfig } from '@causeway/contract'
import type { TorrentRule } from '@causeway/xray'
import { resolve, type Lists } from './networks.rules.ts'

export const NO_FILTERS: AgentFilters = {
  ingress: [],
  egress: [],
  egressPorts: [],
  torrents: null,
  drops: null,
  socketFiles: [],
}

/** A plugin as it is in force on a node. */
export interface ActivePlugin {
  config: PluginConfig
  lists: Lists
  /** Of the users that its torrent rule excepts. */
  exceptUsernames: readonly string[]
}

/** The plugin of a node in the form for its agent. Parts that are switched off are left out. */
export function filtersOf({ config, lists, exceptUsernames }: ActivePlugin): AgentFilters {
  const { ingressFilter, egressFilter, torrentBlocker, connectionDrop, preStart } = config
  return {
    ingress: ingressFilter?.enabled ? resolve(ingressFilter.blockedIps, lists) : [],
    egress: egressFilter?.enabled ? resolve(egressFilter.blockedIps, lists) : [],
    egressPorts: egressFilter?.enabled ? [...new Set(egressFilter.blockedPorts ?? [])] : [],
    torrents: torrentBlocker?.enabled
      ? {
          blockSeconds: torrentBlocker.blockDuration,
          exceptAddresses: resolve(torrentBlocker.ignoreLists?.ip, lists),
          exceptUsernames: [...exceptUsernames],
        }
      : null,
    drops: connectionDrop?.enabled ? { exceptAddresses: resolve(connectionDrop.whitelistIps, lists) } : null,
    socketFiles: preStart?.enabled && preStart.cleanupSockets?.enabled ? preStart.cleanupSockets.files : [],
  }
}

/** The rule for the configuration of Xray; undefined where torrents are not caught. */
export function torrentRuleOf({ config, lists, exceptUsernames }: ActivePlugin): TorrentRule | undefined {
  const { torrentBlocker } = config
  if (!torrentBlocker?.enabled) return undefined
  return {
    placement: torrentBlocker.rulePlacement ?? 0,
    ruleTags: torrentBlocker.includeRuleTags ?? [],
    exceptUsernames,
    exceptAddresses: resolve(torrentBlocker.ignoreLists?.ip, lists),
  }
}
