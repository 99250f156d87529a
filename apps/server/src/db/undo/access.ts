import type { KeptRows } from '../audited-rows.ts'

/** Tables whose rows say which ways in there are, beside those of single users. */
const FLEET = [
  'configProfiles',
  'snippets',
  'configProfileInbounds',
  'internalSquadInbounds',
  'nodes',
  'nodeInbounds',
  'hosts',
  'hostNodes',
]

export function isAboutFleet(entry: { before: unknown; after: unknown }): boolean {
  return [entry.before, entry.after].some((rows) => FLEET.some((table) => Object.hasOwn(Object(rows), table)))
}

/** The users that an entry is about. */
export function userIdsOf(rows: { before: KeptRows; after: KeptRows }): number[] {
  const ids = [rows.before, rows.after].flatMap((side) => [
    ...(side.users ?? []).map(({ id }) => Number(id)),
    ...[...(side.internalSquadMembers ?? []), ...(side.userUsage ?? [])].map(({ userId }) => Number(userId)),
  ])
  return [...new Set(ids)]
}

/** How many get access, and how many lose it. */
export function accessOf(
  before: ReadonlyMap<number, boolean>,
  after: ReadonlyMap<number, boolean>,
): { gain: number; lose: number } {
  const ids = [...new Set([...before.keys(), ...after.keys()])]
  const had = (id: number) => before.get(id) === true
  const has = (id: number) => after.get(id) === true
  return { gain: ids.filter((id) => has(id) && !had(id)).length, lose: ids.filter((id) => had(id) && !has(id)).length }
}
