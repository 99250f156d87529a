import type { ConfigProfile, Inbound } from '@causeway/contract'

/** How many inbounds may be chosen together: one, several of one profile, or any. */
export type PickMode = 'single' | 'one-profile' | 'any'

/** The selection after an inbound was clicked. */
export function toggleInbound(mode: PickMode, selected: readonly Inbound[], inbound: Inbound): readonly Inbound[] {
  const isChosen = selected.some(({ uuid }) => uuid === inbound.uuid)
  if (isChosen) return selected.filter(({ uuid }) => uuid !== inbound.uuid)
  if (mode === 'any') return [...selected, inbound]
  if (mode === 'single') return [inbound]
  // A node runs one profile: an inbound of another profile replaces the selection.
  return [...selected.filter(({ profileUuid }) => profileUuid === inbound.profileUuid), inbound]
}

/** Adds or removes all inbounds of a profile that are shown; those a search hides stay as they are. */
export function toggleProfile(
  mode: PickMode,
  selected: readonly Inbound[],
  profile: ConfigProfile,
  isAdding: boolean,
): readonly Inbound[] {
  const others = selected.filter(({ uuid }) => !profile.inbounds.some((inbound) => inbound.uuid === uuid))
  if (!isAdding) return others
  const kept = mode === 'any' ? others : others.filter(({ profileUuid }) => profileUuid === profile.uuid)
  return [...kept, ...profile.inbounds]
}

/** Profiles whose name matches with all their inbounds, and of the others the inbounds whose tag or type matches. */
export function searchProfiles(profiles: readonly ConfigProfile[], text: string): readonly ConfigProfile[] {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return profiles
  const matches = (value: string) => value.toLowerCase().includes(wanted)
  return profiles
    .map((profile) =>
      matches(profile.name)
        ? profile
        : { ...profile, inbounds: profile.inbounds.filter(({ tag, type }) => matches(tag) || matches(type)) },
    )
    .filter((profile) => matches(profile.name) || profile.inbounds.length > 0)
}
