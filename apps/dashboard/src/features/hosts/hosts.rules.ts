import type { ConfigProfile, Host, Inbound, Node } from '@causeway/contract'

export interface HostFilters {
  configProfileUuid: string | null
  inboundUuid: string | null
  remark: string
  address: string
}

export const noFilters: HostFilters = { configProfileUuid: null, inboundUuid: null, remark: '', address: '' }

export function isFiltering(filters: HostFilters): boolean {
  return Object.values(filters).some((value) => value !== null && value !== '')
}

/** Hosts that do not match stay in their place, dimmed: the order is of all hosts. */
export function matchesFilters(host: Host, filters: HostFilters): boolean {
  const holds = (text: string, wanted: string) => text.toLowerCase().includes(wanted.trim().toLowerCase())
  return (
    (filters.configProfileUuid === null || host.inbound.configProfileUuid === filters.configProfileUuid) &&
    (filters.inboundUuid === null || host.inbound.configProfileInboundUuid === filters.inboundUuid) &&
    holds(host.remark, filters.remark) &&
    holds(host.address, filters.address)
  )
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
