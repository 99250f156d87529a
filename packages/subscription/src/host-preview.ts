import type { HostMapper } from '@causeway/contract'
import type { XrayObject } from '@causeway/xray'
import { shareLinks } from './formats/links.ts'
import { isMihomoEntry, mihomoProxy } from './formats/mihomo.ts'
import { isSingBoxEntry, singBoxOutbound } from './formats/sing-box.ts'
import { xrayOutbound } from './formats/xray-json.ts'
import { mapperProblems, type MapperClient, type MapperProblem } from './host-mapper.ts'
import type { PreparedHost } from './prepared-host.ts'
import { resolveEntries, type ProxyEntry } from './proxy-entry.ts'
import type { Subscriber } from './subscriber.ts'

/** Proxies of one host by client; null for a client that cannot express it. */
export interface HostProxies {
  xrayJson: XrayObject
  mihomo: XrayObject | null
  singbox: XrayObject | null
  base64: string | null
}

/** The proxies of a host after its steps. */
export function hostProxies(host: PreparedHost, user: Subscriber): HostProxies {
  return proxiesOf(entryOf(host, user, host.source.mapper))
}

/** Steps of a host that cannot be done to what its clients get. */
export function hostMapperProblems(host: PreparedHost, user: Subscriber): MapperProblem[] {
  const plain = proxiesOf(entryOf(host, user, {}))
  const clients: MapperClient[] = ['xrayJson', 'mihomo', 'base64', 'singbox']
  return clients.flatMap((client) => {
    const proxy = client === 'base64' ? {} : plain[client]
    return proxy === null ? [] : mapperProblems(proxy, host.source, client)
  })
}

/** Made anew, as the query of a link is kept by its host. */
function entryOf(host: PreparedHost, user: Subscriber, mapper: HostMapper): ProxyEntry | undefined {
  const source = { ...host.source, mapper }
  return resolveEntries([{ ...host, source }], user, {}, () => 0)[0]
}

function proxiesOf(entry: ProxyEntry | undefined): HostProxies {
  if (!entry) throw new Error('One host gives one entry.')
  return {
    xrayJson: xrayOutbound(entry),
    mihomo: isMihomoEntry([99, 0, 0])(entry) ? mihomoProxy(entry) : null,
    singbox: isSingBoxEntry(entry) ? singBoxOutbound(entry) : null,
    base64: shareLinks([entry], { isHapp: false })[0] ?? null,
  }
}
