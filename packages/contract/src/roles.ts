import type { Endpoint } from './endpoint.ts'
import { permissions, tokenPermissions, type Permission } from './permissions.ts'

// Roles of administrators. Tokens have permissions of their own.

/** Permissions of every role: the own account. */
export const basicPermissions: readonly Permission[] = ['account.read', 'account.write', 'session.end']

const reads = permissions.filter((name) => name.endsWith('.read') && !['tokens.read', 'admins.read'].includes(name))
const of = (...areas: readonly string[]) => permissions.filter((name) => areas.includes(name.split('.')[0] ?? ''))

const rights = {
  owner: permissions,
  /** Everything but colleagues, whole backups and imports, by which one becomes an owner. */
  administrator: permissions.filter((name) => !['admins.write', 'backups.download', 'moveIn.write'].includes(name)),
  /** The fleet. */
  operator: [
    ...of('nodes', 'hosts', 'profiles', 'squads', 'jobs', 'tools', 'views', 'notices'),
    'users.read',
    'subscriptions.read',
    'settings.read',
    'system.read',
    'wall.read',
    'history.read',
    'backups.read',
  ],
  /** Users, without deleting any and without the keys of servers. */
  support: [
    'users.read',
    'users.write',
    'squads.read',
    'nodes.read',
    'hosts.read',
    'subscriptions.read',
    'subscriptions.reveal',
    'system.read',
    'wall.read',
    'jobs.read',
    'views.read',
    'views.write',
  ],
  billing: [...of('billing'), 'nodes.read', 'users.read', 'system.read', 'wall.read', 'views.read', 'views.write'],
  viewer: reads,
} satisfies Record<string, readonly Permission[]>

export type BuiltInRole = keyof typeof rights
export const builtInRoles = Object.keys(rights) as [BuiltInRole, ...BuiltInRole[]] // keys of that very object

export const isBuiltInRole = (name: string): name is BuiltInRole => Object.hasOwn(rights, name)

export function permissionsOfRole(role: BuiltInRole | readonly Permission[]): ReadonlySet<Permission> {
  return new Set<Permission>([...basicPermissions, ...(typeof role === 'string' ? rights[role] : role)])
}

/** Permissions that administrators need besides the permission of the endpoint. Tokens need that one alone, as ever. */
const alsoNeeded: Readonly<Record<string, Permission>> = {
  deleteUser: 'users.delete',
  bulkDeleteUsers: 'users.delete',
  bulkDeleteUsersByStatus: 'users.delete',
}

/** The permissions that an administrator must hold to call this endpoint. */
export function neededPermissions({ name, access }: Pick<Endpoint, 'name' | 'access'>): Permission[] {
  if (access === 'public') return []
  const also = alsoNeeded[name]
  return also === undefined ? [access] : [access, also]
}

/**
 * Permissions that a role with access to tokens lacks. It reads and makes tokens that can do whatever tokens can, so that it must
 * hold as much itself.
 */
export function lackingBesideTokens(given: Iterable<Permission>): Permission[] {
  const held = new Set(given)
  if (!held.has('tokens.read') && !held.has('tokens.write')) return []
  return [...tokenPermissions].filter((each) => !held.has(each))
}
