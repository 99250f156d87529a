import type { Endpoint } from './endpoint.ts'
import { permissions, type Permission } from './permissions.ts'

// Scopes of API tokens as generations from 2.8 on have them: `*`, `<resource>:*`, `<resource>:read`, `<resource>:write` and
// `<resource>:<route>`. This table holds both ways between them and our permissions, which go by area.

/** Areas of our permissions by resource. Those without any are never a token's. */
const areas: Readonly<Record<string, readonly string[]>> = {
  auth: [],
  'bandwidth-stats': ['nodes', 'users', 'squads'],
  'config-profiles': ['profiles'],
  connections: ['users', 'nodes'],
  'external-squads': ['squads'],
  hosts: ['hosts'],
  hwid: ['users'],
  'infra-billing': ['billing'],
  'internal-squads': ['squads'],
  'ip-control': ['users', 'nodes'],
  keygen: ['nodes'],
  metadata: ['users', 'nodes'],
  'node-integrations': ['nodes'],
  'node-plugins': ['nodes'],
  nodes: ['nodes'],
  passkeys: [],
  'remnawave-settings': ['settings'],
  snippets: ['profiles'],
  sub: ['subscriptions'],
  'subscription-page-configs': ['settings'],
  'subscription-request-history': ['users'],
  'subscription-settings': ['settings'],
  'subscription-templates': ['settings'],
  subscriptions: ['subscriptions'],
  system: ['system', 'jobs', 'tools'],
  tokens: [],
  users: ['users'],
}

/** Routes by resource: the name of the scope, what it does, and the route. */
const routes: Readonly<Record<string, readonly `${string} ${'read' | 'write'} ${string}`[]>> = {
  auth: [
    'authorize read POST /api/auth/oauth2/authorize',
    'callback write POST /api/auth/oauth2/callback',
    'get-authentication-options read GET /api/auth/passkey/authentication/options',
    'get-status read GET /api/auth/status',
    'login write POST /api/auth/login',
    'register write POST /api/auth/register',
    'verify-authentication write POST /api/auth/passkey/authentication/verify',
  ],
  'bandwidth-stats': [
    'internal-squad-usage read GET /api/bandwidth-stats/internal-squads/:uuid/usage',
    'internal-squad-user-usage read GET /api/bandwidth-stats/internal-squads/:squadUuid/users/:userId/usage',
    'node-usage read POST /api/bandwidth-stats/nodes/usage',
    'node-users-usage read GET /api/bandwidth-stats/nodes/:uuid/users',
    'node-users-usage-legacy read GET /api/bandwidth-stats/nodes/:uuid/users/legacy',
    'nodes-usage read GET /api/bandwidth-stats/nodes',
    'nodes-users-usage read POST /api/bandwidth-stats/nodes/users',
    'user-usage read GET /api/bandwidth-stats/users/:userId',
    'user-usage-legacy read GET /api/bandwidth-stats/users/:uuid/legacy',
  ],
  'config-profiles': [
    'create write POST /api/config-profiles',
    'delete write DELETE /api/config-profiles/:uuid',
    'get read GET /api/config-profiles/:uuid',
    'get-computed read GET /api/config-profiles/:uuid/computed-config',
    'list read GET /api/config-profiles',
    'list-inbounds read GET /api/config-profiles/inbounds',
    'list-profile-inbounds read GET /api/config-profiles/:uuid/inbounds',
    'reorder write POST /api/config-profiles/actions/reorder',
    'update write PATCH /api/config-profiles',
  ],
  connections: [
    'by-node read POST /api/connections/by-node/:nodeUuid',
    'by-node-result read GET /api/connections/by-node/:jobId',
    'by-user read POST /api/connections/by-user/:userId',
    'by-user-result read GET /api/connections/by-user/:jobId',
    'drop write POST /api/connections/drop',
    'geocheck read POST /api/connections/geocheck/:nodeUuid',
    'geocheck-result read GET /api/connections/geocheck/:jobId',
  ],
  'external-squads': [
    'add-users write POST /api/external-squads/:uuid/bulk-actions/add-users',
    'create write POST /api/external-squads',
    'delete write DELETE /api/external-squads/:uuid',
    'get read GET /api/external-squads/:uuid',
    'list read GET /api/external-squads',
    'remove-users write DELETE /api/external-squads/:uuid/bulk-actions/remove-users',
    'reorder write POST /api/external-squads/actions/reorder',
    'update write PATCH /api/external-squads',
  ],
  hosts: [
    'bulk-delete write POST /api/hosts/bulk/delete',
    'bulk-disable write POST /api/hosts/bulk/disable',
    'bulk-enable write POST /api/hosts/bulk/enable',
    'bulk-update write PATCH /api/hosts/bulk/update',
    'create write POST /api/hosts',
    'delete write DELETE /api/hosts/:uuid',
    'get read GET /api/hosts/:uuid',
    'list read GET /api/hosts',
    'list-tags read GET /api/hosts/tags',
    'reorder write POST /api/hosts/actions/reorder',
    'update write PATCH /api/hosts',
  ],
  hwid: [
    'create write POST /api/hwid/devices',
    'delete write POST /api/hwid/devices/delete',
    'delete-all write POST /api/hwid/devices/delete-all',
    'list read GET /api/hwid/devices',
    'list-by-user read GET /api/hwid/devices/:userId',
    'stats read GET /api/hwid/devices/stats',
    'top-users read GET /api/hwid/devices/top-users',
  ],
  'infra-billing': [
    'create-bill-record write POST /api/infra-billing/history',
    'create-billing-node write POST /api/infra-billing/nodes',
    'create-provider write POST /api/infra-billing/providers',
    'delete-bill-record write DELETE /api/infra-billing/history/:uuid',
    'delete-billing-node write DELETE /api/infra-billing/nodes/:uuid',
    'delete-provider write DELETE /api/infra-billing/providers/:uuid',
    'get-provider read GET /api/infra-billing/providers/:uuid',
    'list-bill-records read GET /api/infra-billing/history',
    'list-billing-nodes read GET /api/infra-billing/nodes',
    'list-providers read GET /api/infra-billing/providers',
    'update-billing-node write PATCH /api/infra-billing/nodes',
    'update-provider write PATCH /api/infra-billing/providers',
  ],
  'internal-squads': [
    'accessible-nodes read GET /api/internal-squads/:uuid/accessible-nodes',
    'add-many-users write POST /api/internal-squads/:uuid/bulk-actions/add-many-users',
    'add-users write POST /api/internal-squads/:uuid/bulk-actions/add-users',
    'create write POST /api/internal-squads',
    'delete write DELETE /api/internal-squads/:uuid',
    'get read GET /api/internal-squads/:uuid',
    'list read GET /api/internal-squads',
    'remove-many-users write DELETE /api/internal-squads/:uuid/bulk-actions/remove-many-users',
    'remove-users write DELETE /api/internal-squads/:uuid/bulk-actions/remove-users',
    'reorder write POST /api/internal-squads/actions/reorder',
    'update write PATCH /api/internal-squads',
  ],
  'ip-control': [
    'drop-connections write POST /api/ip-control/drop-connections',
    'fetch-ips read POST /api/ip-control/fetch-ips/:uuid',
    'fetch-ips-result read GET /api/ip-control/fetch-ips/result/:jobId',
    'fetch-users-ips read POST /api/ip-control/fetch-users-ips/:nodeUuid',
    'fetch-users-ips-result read GET /api/ip-control/fetch-users-ips/result/:jobId',
  ],
  keygen: ['get read GET /api/keygen'],
  metadata: [
    'get-node read GET /api/metadata/node/:uuid',
    'get-user read GET /api/metadata/user/:userId',
    'upsert-node write PUT /api/metadata/node/:uuid',
    'upsert-user write PUT /api/metadata/user/:userId',
  ],
  'node-integrations': [
    'create write POST /api/node-integrations',
    'delete write DELETE /api/node-integrations/:uuid',
    'get read GET /api/node-integrations/:uuid',
    'list read GET /api/node-integrations',
    'update write PATCH /api/node-integrations',
  ],
  'node-plugins': [
    'clone write POST /api/node-plugins/actions/clone',
    'create write POST /api/node-plugins',
    'delete write DELETE /api/node-plugins/:uuid',
    'executor write POST /api/node-plugins/executor',
    'get read GET /api/node-plugins/:uuid',
    'list read GET /api/node-plugins',
    'reorder write POST /api/node-plugins/actions/reorder',
    'shared-lists-create write POST /api/node-plugins/shared-lists',
    'shared-lists-delete write DELETE /api/node-plugins/shared-lists/:name',
    'shared-lists-get read GET /api/node-plugins/shared-lists/:name',
    'shared-lists-list read GET /api/node-plugins/shared-lists',
    'shared-lists-sync write POST /api/node-plugins/shared-lists/actions/sync',
    'shared-lists-update write PATCH /api/node-plugins/shared-lists',
    'sync write POST /api/node-plugins/actions/sync',
    'torrent-blocker-reports read GET /api/node-plugins/torrent-blocker',
    'torrent-blocker-stats read GET /api/node-plugins/torrent-blocker/stats',
    'truncate write DELETE /api/node-plugins/torrent-blocker/truncate',
    'update write PATCH /api/node-plugins',
  ],
  nodes: [
    'bulk-actions write POST /api/nodes/bulk-actions',
    'bulk-profile-modification write POST /api/nodes/bulk-actions/profile-modification',
    'bulk-update write POST /api/nodes/bulk-actions/update',
    'create write POST /api/nodes',
    'delete write DELETE /api/nodes/:uuid',
    'disable write POST /api/nodes/:uuid/actions/disable',
    'enable write POST /api/nodes/:uuid/actions/enable',
    'get read GET /api/nodes/:uuid',
    'list read GET /api/nodes',
    'list-tags read GET /api/nodes/tags',
    'reorder write POST /api/nodes/actions/reorder',
    'reset-traffic write POST /api/nodes/:uuid/actions/reset-traffic',
    'restart write POST /api/nodes/:uuid/actions/restart',
    'restart-all write POST /api/nodes/actions/restart-all',
    'update write PATCH /api/nodes',
  ],
  passkeys: [
    'delete write DELETE /api/passkeys',
    'list read GET /api/passkeys',
    'registration-options read GET /api/passkeys/registration/options',
    'update write PATCH /api/passkeys',
    'verify-registration write POST /api/passkeys/registration/verify',
  ],
  'remnawave-settings': ['get read GET /api/remnawave-settings', 'update write PATCH /api/remnawave-settings'],
  snippets: [
    'create write POST /api/snippets',
    'delete write DELETE /api/snippets',
    'list read GET /api/snippets',
    'sync write POST /api/snippets/actions/sync',
    'update write PATCH /api/snippets',
  ],
  sub: ['get read GET /api/sub/:shortUuid/info'],
  'subscription-page-configs': [
    'clone write POST /api/subscription-page-configs/actions/clone',
    'create write POST /api/subscription-page-configs',
    'delete write DELETE /api/subscription-page-configs/:uuid',
    'get read GET /api/subscription-page-configs/:uuid',
    'list read GET /api/subscription-page-configs',
    'reorder write POST /api/subscription-page-configs/actions/reorder',
    'update write PATCH /api/subscription-page-configs',
  ],
  'subscription-request-history': [
    'list read GET /api/subscription-request-history',
    'stats read GET /api/subscription-request-history/stats',
  ],
  'subscription-settings': ['get read GET /api/subscription-settings', 'update write PATCH /api/subscription-settings'],
  'subscription-templates': [
    'create write POST /api/subscription-templates',
    'delete write DELETE /api/subscription-templates/:uuid',
    'get read GET /api/subscription-templates/:uuid',
    'list read GET /api/subscription-templates',
    'reorder write POST /api/subscription-templates/actions/reorder',
    'update write PATCH /api/subscription-templates',
  ],
  subscriptions: [
    'by-id read GET /api/subscriptions/by-id/:userId',
    'by-short-uuid-protected read GET /api/subscriptions/by-short-uuid/:shortUuid',
    'by-username read GET /api/subscriptions/by-username/:username',
    'by-uuid read GET /api/subscriptions/by-uuid/:uuid',
    'connection-keys read GET /api/subscriptions/connection-keys/:userId',
    'list read GET /api/subscriptions',
    'raw read GET /api/subscriptions/by-short-uuid/:shortUuid/raw',
    'subpage-config read GET /api/subscriptions/subpage-config/:shortUuid',
  ],
  system: [
    'bandwidth-stats read GET /api/system/stats/bandwidth',
    'configuration read GET /api/system/configuration',
    'digest read GET /api/system/stats/digest',
    'generate-x25519 read GET /api/system/tools/x25519/generate',
    'http read GET /api/system/stats/http',
    'metadata read GET /api/system/metadata',
    'nodes-metrics read GET /api/system/nodes/metrics',
    'nodes-statistics read GET /api/system/stats/nodes',
    'recap read GET /api/system/stats/recap',
    'remnawave-health read GET /api/system/health',
    'stats read GET /api/system/stats',
    'test-srr-matcher write POST /api/system/testers/srr-matcher',
  ],
  tokens: [
    'create write POST /api/tokens',
    'delete write DELETE /api/tokens/:uuid',
    'list read GET /api/tokens',
    'list-scopes read GET /api/tokens/scopes',
    'ott write POST /api/tokens/ott',
  ],
  users: [
    'accessible-nodes read GET /api/users/:userId/accessible-nodes',
    'bulk-all-extend-expiration-date write POST /api/users/bulk/all/extend-expiration-date',
    'bulk-all-reset-traffic write POST /api/users/bulk/all/reset-traffic',
    'bulk-all-update-users write POST /api/users/bulk/all/update',
    'bulk-delete write POST /api/users/bulk/delete',
    'bulk-delete-by-status write POST /api/users/bulk/delete-by-status',
    'bulk-extend-expiration-date write POST /api/users/bulk/extend-expiration-date',
    'bulk-reset-traffic write POST /api/users/bulk/reset-traffic',
    'bulk-revoke-subscription write POST /api/users/bulk/revoke-subscription',
    'bulk-update-squads write POST /api/users/bulk/update-squads',
    'bulk-update-users write POST /api/users/bulk/update',
    'by-email read GET /api/users/by-email/:email',
    'by-id read GET /api/users/:userId',
    'by-id read GET /api/users/by-id/:id',
    'by-short-uuid read GET /api/users/by-short-uuid/:shortUuid',
    'by-tag read GET /api/users/by-tag/:tag',
    'by-telegram-id read GET /api/users/by-telegram-id/:telegramId',
    'by-username read GET /api/users/by-username/:username',
    'create write POST /api/users',
    'delete write DELETE /api/users/:userId',
    'disable write POST /api/users/:userId/actions/disable',
    'enable write POST /api/users/:userId/actions/enable',
    'extend write POST /api/users/:userId/actions/extend',
    'list read GET /api/users',
    'list-tags read GET /api/users/tags',
    'reset-traffic write POST /api/users/:userId/actions/reset-traffic',
    'resolve read POST /api/users/resolve',
    'revoke-subscription write POST /api/users/:userId/actions/revoke',
    'stream read GET /api/users/stream',
    'subscription-request-history read GET /api/users/:userId/subscription-request-history',
    'update write PATCH /api/users',
  ],
}

type Kind = 'read' | 'write'

interface RouteScope {
  resource: string
  key: string
  kind: Kind
  method: string
  path: string
}

const scopedRoutes: readonly RouteScope[] = Object.entries(routes).flatMap(([resource, list]) =>
  list.map((line) => {
    const [slug = '', kind, method = '', path = ''] = line.split(' ')
    return { resource, key: `${resource}:${slug}`, kind: kind === 'read' ? 'read' : 'write', method, path }
  }),
)
const keyOf = (method: string, path: string) => `${method} ${path.replaceAll(/:\w+/g, ':')}`
const byRoute = new Map(scopedRoutes.map((route) => [keyOf(route.method, route.path), route]))
const known = new Set(['*', ...scopedRoutes.flatMap(({ resource, key }) => [...wholes(resource), key])])

export const isScope = (scope: string): boolean => known.has(scope)

/** The scopes that open a route, the widest first. Our own routes go by the area of their permission. */
export function scopesOf({ method, path, access }: Pick<Endpoint, 'method' | 'path' | 'access'>): string[] {
  const route = byRoute.get(keyOf(method, path))
  if (route) return ['*', `${route.resource}:*`, `${route.resource}:${route.kind}`, route.key]
  const [area = '', kind = ''] = access.split('.')
  return ['*', ...resourcesOf(area).flatMap((resource) => [`${resource}:*`, `${resource}:${kind}`])]
}

/** Permissions of a token with these scopes; null is everything. */
export function permissionsOf(scopes: readonly string[]): Permission[] | null {
  if (scopes.includes('*')) return null
  const held = new Set(
    scopes.flatMap((scope) => {
      const [resource = '', what] = scope.split(':')
      const kind = scopedRoutes.find(({ key }) => key === scope)?.kind ?? what
      const isHeld = (name: Permission) => {
        const [area = '', can] = name.split('.')
        return (areas[resource] ?? []).includes(area) && (kind === '*' || can === kind || (can === 'use' && kind === 'read'))
      }
      return permissions.filter(isHeld)
    }),
  )
  return permissions.filter((name) => held.has(name))
}

/** The scopes that say what these permissions are; null is everything. */
export function scopesOfPermissions(held: readonly Permission[] | null): string[] {
  if (held === null) return ['*']
  return Object.entries(areas).flatMap(([resource, own]) =>
    (['read', 'write'] as const)
      .filter((kind) => own.some((area) => held.some((name) => name === `${area}.${kind}`)))
      .map((kind) => `${resource}:${kind}`),
  )
}

/** All scopes there are, by resource, as `GET /api/tokens/scopes` tells them. */
export function scopeCatalogue() {
  return {
    wildcard: '*',
    resources: Object.keys(routes).map((resource) => ({
      resource,
      resourceScopes: wholes(resource),
      endpoints: scopedRoutes
        .filter((route) => route.resource === resource)
        .map(({ key, kind, method, path }) => ({ key, kind, method, path, description: `${method} ${path}` })),
    })),
  }
}

function wholes(resource: string): string[] {
  return [`${resource}:*`, `${resource}:read`, `${resource}:write`]
}

function resourcesOf(area: string): string[] {
  return Object.keys(areas).filter((resource) => areas[resource]?.[0] === area)
}
