/** Permissions that endpoints require. */
export const permissions = [
  'users.read',
  'users.write',
  'users.delete',
  'nodes.read',
  'nodes.write',
  'hosts.read',
  'hosts.write',
  'profiles.read',
  'profiles.write',
  'views.read',
  'views.write',
  'squads.read',
  'squads.write',
  'subscriptions.read',
  'subscriptions.reveal',
  'settings.read',
  'settings.write',
  'billing.read',
  'billing.write',
  'jobs.read',
  'jobs.write',
  'system.read',
  'wall.read',
  'history.read',
  'backups.read',
  'backups.write',
  'backups.download',
  'tools.use',
  'tokens.read',
  'tokens.write',
  'account.read',
  'account.write',
  'session.end',
  'webhooks.read',
  'webhooks.write',
  'notices.read',
  'notices.write',
  'moveIn.read',
  'moveIn.write',
  'admins.read',
  'admins.write',
] as const
export type Permission = (typeof permissions)[number]

/**
 * Permissions of sessions alone, never of an API token. Deleting a token would not stop the tokens it made, and a
 * token has no account and no session to end. `subscriptions.reveal` shows links on a public page even where the device limit hides
 * them. A webhook carries users, nodes and sign-ins whole, whatever else its maker may read; so do notices. A backup holds
 * every key, and an import brings every user and key. What deletes users needs `users.delete` of administrators alone.
 */
const forSessions: readonly Permission[] = [
  'users.delete',
  'admins.read',
  'admins.write',
  'tokens.read',
  'tokens.write',
  'account.read',
  'account.write',
  'session.end',
  'subscriptions.reveal',
  'webhooks.read',
  'webhooks.write',
  'backups.write',
  'backups.download',
  'notices.read',
  'notices.write',
  'moveIn.read',
  'moveIn.write',
]

/** All there are, which owners hold; every API token all but those that only a session may hold. */
export const sessionPermissions: ReadonlySet<Permission> = new Set(permissions)
export const tokenPermissions: ReadonlySet<Permission> = new Set(permissions.filter((name) => !forSessions.includes(name)))
