import type { ConfigProfile, Inbound } from '@causeway/contract'

export type Shown = 'all' | 'selected' | 'unselected'

/** One row of the flat list: an inbound with the profile it belongs to. */
export interface FlatInbound {
  inbound: Inbound
  profileName: string
}

/** All inbounds of all profiles that match the search and the filter. */
export function flatInbounds(
  profiles: readonly ConfigProfile[],
  selected: readonly Inbound[],
  shown: Shown,
  text: string,
): FlatInbound[] {
  const chosen = new Set(selected.map(({ uuid }) => uuid))
  const wanted = text.trim().toLowerCase()
  return profiles
    .flatMap((profile) => profile.inbounds.map((inbound) => ({ inbound, profileName: profile.name })))
    .filter(({ inbound }) => shown === 'all' || chosen.has(inbound.uuid) === (shown === 'selected'))
    .filter(({ inbound, profileName }) =>
      [profileName, inbound.tag, inbound.type].some((value) => value.toLowerCase().includes(wanted)),
    )
}
