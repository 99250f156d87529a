import type { ConfigProfile, Host, Inbound, Node } from '@causeway/contract'

export interface HostFilters {
  configProfileUuid: string | null
  inboundUuid: string | null
  remark: string
  address: string
  tag: string | null
}

export const noFilters: HostFilters = { configProfileUuid: null, inboundUuid: null, remark: '', address: '', tag: null }

export function isFiltering(filters: HostFilters): boolean {
  return Object.values(filters).some((value) => value !== null && value !== '')
}

/** Hosts that do not match stay in their place, dimmed: the order is of all hosts. */
export function matchesFilters(host: Host, filters: HostFilters): boolean {
  const holds = (text: string, wanted: string) => text.toLowerCase().includes(wanted.trim().toLowerCase())
  return (
    (filters.configProfileUuid === null || host.inbound.configProfileUuid === filters.configProfileUuid) &&
    (filters.inboundUuid === null || host.inbound.configProfileInboundUuid === filters.inboundUuid) &&
    (filters.tag === null || tagsOf(host).includes(filters.tag)) &&
    holds(host.remark, filters.remark) &&
    holds(host.address, filters.address)
  )
}

/** Servers from before there were several tell one. */
export function tagsOf({ tag, tags }: Pick<Host, 'tag' | 'tags'>): string[] {
  return tags ?? (tag === null ? [] : [tag])
}

/** Tags of all hosts, each once, in the order of the alphabet. */
export function tagsInUse(hosts: readonly Host[]): string[] {
  return [...new Set(hosts.flatMap(tagsOf))].toSorted()
}

export interface HostOrigin {
  /** Undefined: the profile is gone and the host leads nowhere. */
  profile: ConfigProfile | undefined
  /** Undefined: the inbound is gone. */
  inbound: Inbound | undefined
}

export function originOf(host: Host, profiles: readonly ConfigProfile[]): HostOrigin {
  const profile = profiles.find(({ uuid }) => uuid === host.inbound.configProfileUuid)
  return { profile, inbound: profile?.inbounds.find(({ uuid }) => uuid === host.inbound.configProfileInboundUuid) }
}

/** The address of a host is that of the only node that runs its inbound; undefined where none or several do. */
export function addressOfInbound(inboundUuid: string, nodes: readonly Node[]): string | undefined {
  const [only, ...others] = nodes.filter(({ configProfile }) =>
    configProfile.activeInbounds.some(({ uuid }) => uuid === inboundUuid),
  )
  return others.length === 0 ? only?.address : undefined
}

/**
 * The inbound that a new host gets by itself: the only one there is, or that any node runs; of several only the first
 * host gets the first one.
 */
export function inboundOfNewHost(inbounds: readonly Inbound[], nodes: readonly Node[], isFirst: boolean): Inbound | undefined {
  const served = new Set(nodes.flatMap(({ configProfile }) => configProfile.activeInbounds.map(({ uuid }) => uuid)))
  const running = inbounds.filter(({ uuid }) => served.has(uuid))
  const [one, ...others] = running.length > 0 ? running : inbounds
  return isFirst || others.length === 0 ? one : undefined
}

/** XHTTP has extra parameters only where the profile of the inbound speaks it. */
export function canHaveExtra(inbound: Inbound | null, profiles: readonly ConfigProfile[]): boolean {
  if (inbound === null) return false
  const profile = profiles.find(({ uuid }) => uuid === inbound.profileUuid)
  return profile?.inbounds.some(({ network }) => network === 'xhttp') ?? false
}

/** Chosen nodes that do not run the host's inbound: the host is not reachable there. */
export function nodesWithoutInbound(chosen: readonly string[], inbound: Inbound | null, nodes: readonly Node[]): Node[] {
  if (inbound === null) return []
  return nodes.filter(
    ({ uuid, configProfile }) => chosen.includes(uuid) && !configProfile.activeInbounds.some((one) => one.uuid === inbound.uuid),
  )
}

/** A host as it is exported. */
export function hostRow(host: Host, profiles: readonly ConfigProfile[]) {
  const { profile, inbound } = originOf(host, profiles)
  return {
    remark: host.remark,
    address: host.address,
    port: host.port,
    profile: profile?.name ?? null,
    inbound: inbound?.tag ?? null,
    tags: tagsOf(host).join(' '),
    isDisabled: host.isDisabled,
    isHidden: host.isHidden,
    sni: host.sni,
    host: host.host,
    path: host.path,
    fingerprint: host.fingerprint,
    uuid: host.uuid,
  }
}

/** Enabled hosts that lead to this node and to no other, as far as known: by their addresses, or by what is said of them. */
export function hostsOnlyOf(node: Pick<Node, 'uuid' | 'address' | 'configProfile'>, hosts: readonly Host[]): Host[] {
  const own = new Set(node.configProfile.activeInbounds.map(({ uuid }) => uuid))
  const isOwnAddress = (address: string) => address.trim().toLowerCase() === node.address.toLowerCase()
  return hosts.filter(({ isDisabled, inbound, address, nodes }) => {
    const isOfInbound = inbound.configProfileInboundUuid !== null && own.has(inbound.configProfileInboundUuid)
    const isSaid = nodes.length === 1 && nodes[0] === node.uuid
    return !isDisabled && isOfInbound && (isSaid || address.split(',').every((one) => isOwnAddress(one)))
  })
}
