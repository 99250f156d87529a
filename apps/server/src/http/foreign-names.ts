import { namedMembers, type Endpoint, type Named } from '@causeway/contract'
import { everyone, type ResellerScope, type Scope } from '../lib/scope.ts'
import { NO_UUID } from './user-keys.ts'

/** Those of the names that a scope has; any may be unfit to be one. */
export type FindNames = (scope: ResellerScope, kind: Named, names: string[]) => Promise<ReadonlySet<string>>

/** No user is called so, as names of users have no blanks. */
const NO_NAME = ' nobody '

/**
 * The input as a caller of this scope may mean it: names of users and squads outside become names of none. So a foreign user is
 * answered exactly as one that does not exist, by every endpoint.
 */
export async function withoutForeign(endpoint: Endpoint, input: unknown, scope: Scope, find: FindNames): Promise<unknown> {
  if (scope === everyone) return input
  const result = structuredClone(input)
  for (const [path, kind] of Object.entries(namedMembers(endpoint))) {
    const place = placeOf(result, path.split('.'))
    const given = place && place.members[place.key]
    if (!place || given === undefined || given === null) continue
    const names = [given].flat().filter((name) => typeof name === 'string')
    const known = names.length === 0 ? new Set<string>() : await find(scope, kind, names)
    const read = (name: unknown) => (isKnown(kind, name, known) ? name : noneOf(kind))
    place.members[place.key] = Array.isArray(given) ? given.map(read) : read(given)
  }
  return result
}

function isKnown(kind: Named, name: unknown, known: ReadonlySet<string>): boolean {
  return typeof name === 'string' && known.has(isByUuid(kind) ? name.toLowerCase() : name)
}

function noneOf(kind: Named): string {
  return isByUuid(kind) ? NO_UUID : NO_NAME
}

function isByUuid(kind: Named): boolean {
  return kind === 'uuid' || kind === 'squad' || kind === 'externalSquad'
}

function placeOf(input: unknown, [key = '', ...more]: string[]): { members: Record<string, unknown>; key: string } | undefined {
  if (typeof input !== 'object' || input === null) return undefined
  const members = input as Record<string, unknown> // an object, as has just been seen
  return more.length === 0 ? { members, key } : placeOf(members[key], more)
}
