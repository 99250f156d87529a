import type { ConfigProfile, Inbound, InternalSquad } from '@causeway/contract'

/** Under this key the drawer of a squad stands in the address of pages whose own `edit` is something else. */
export const SQUAD_DIALOG = 'squad'

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

/** Squads whose name holds the text, those of `first` before the others. */
export function searchSquads(squads: readonly InternalSquad[], text: string, first: ReadonlySet<string>): InternalSquad[] {
  const wanted = text.trim().toLowerCase()
  return squads
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    .toSorted((one, other) => Number(first.has(other.uuid)) - Number(first.has(one.uuid)))
}
