import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { wireDateTime, wireInstant, wireObject } from './wire.ts'

// Endpoints about the panel itself, which programs of later generations call when they start.

const tag = 'System'

export const getMetadata = endpoint({
  name: 'getMetadata',
  title: 'Get Metadata',
  since: '2.5',
  tag,
  access: 'system.read',
  method: 'GET',
  path: '/api/system/metadata',
  response: z.object({
    version: z.string().describe('of the generation that the caller speaks; `build.number` is the true one'),
    build: z.object({ time: z.string(), number: z.string() }),
    git: z.object({
      backend: z.object({ commitSha: z.string(), branch: z.string(), commitUrl: z.string() }),
      frontend: z.object({ commitSha: z.string(), commitUrl: z.string() }),
    }),
  }),
})
export const getRecap = endpoint({
  name: 'getRecap',
  title: 'Get Recap',
  since: '2.7',
  tag,
  access: 'system.read',
  method: 'GET',
  path: '/api/system/stats/recap',
  response: z.object({
    thisMonth: z.object({ users: z.number().describe('made this month'), traffic: z.string() }),
    total: z.object({
      users: z.number(),
      nodes: z.number(),
      traffic: z.string(),
      nodesRam: z.string(),
      nodesCpuCores: z.number(),
      distinctCountries: z.number(),
    }),
    version: z.string(),
    initDate: wireInstant,
  }),
})
export const getDigest = endpoint({
  name: 'getDigest',
  title: 'Get Digest',
  since: '3.0',
  tag,
  access: 'system.read',
  method: 'GET',
  path: '/api/system/stats/digest',
  query: z.object({ start: wireDateTime, end: wireDateTime }),
  response: z.object({
    users: z.object({ createdCount: z.number(), expiredCount: z.number() }),
    traffic: z.object({ totalBytes: z.string(), byUsersCreatedInRangeBytes: z.string() }),
    hwidDevices: z.object({ createdCount: z.number() }),
  }),
})
/** Since this process has started. */
export const getHttpStats = endpoint({
  name: 'getHttpStats',
  title: 'Get HTTP Statistics',
  since: '3.0',
  tag,
  access: 'system.read',
  method: 'GET',
  path: '/api/system/stats/http',
  response: z.object({
    routes: z.array(z.object({ method: z.string(), route: z.string(), count: z.number() })),
    total: z.number(),
  }),
})
const numbers = z.array(z.number()).nullable()
export const getConfiguration = endpoint({
  name: 'getConfiguration',
  title: 'Get Configuration',
  since: '3.2',
  tag,
  access: 'system.read',
  method: 'GET',
  path: '/api/system/configuration',
  response: z.object({
    notifications: z.object({
      webhook: z.boolean(),
      bandwidthUsage: numbers,
      notConnectedAfter: numbers,
      expirationNotifications: numbers,
    }),
    service: z.object({
      cleanUsageHistory: z.boolean(),
      disableUserUsageRecords: z.boolean(),
      disableSrhRecords: z.boolean(),
      exportToRedisStream: z.boolean(),
    }),
    misc: z.object({ shortUuidLength: z.number(), subPublicDomain: z.string(), userUsageIgnoreBelowBytes: z.number() }),
  }),
})

const provider = z.object({
  enabled: z.boolean(),
  clientId: z.string().nullable(),
  clientSecret: z.null().describe('secrets are not told'),
  allowedEmails: z.array(z.string()),
})
const frontendDomain = z.string().nullable()
const panelSettings = z.object({
  passkeySettings: z.object({ enabled: z.boolean(), rpId: z.string().nullable(), origin: z.string().nullable() }),
  oauth2Settings: z.object({
    github: provider,
    pocketid: provider.extend({ frontendDomain, plainDomain: z.string().nullable() }),
    yandex: provider,
    keycloak: provider.extend({ realm: z.null(), frontendDomain, keycloakDomain: z.null() }),
    generic: provider.extend({ withPkce: z.boolean(), authorizationUrl: z.null(), tokenUrl: z.null(), frontendDomain }),
    telegram: provider.omit({ allowedEmails: true }).extend({ allowedIds: z.array(z.string()), frontendDomain }),
  }),
  tgAuthSettings: z.object({ enabled: z.boolean(), botToken: z.null(), adminIds: z.array(z.string()) }),
  passwordSettings: z.object({ enabled: z.boolean() }),
  brandingSettings: z.object({ title: z.string().nullable(), logoUrl: z.string().nullable() }),
})
/** Ways to sign in, as the environment of this server sets them. */
export const getPanelSettings = endpoint({
  name: 'getPanelSettings',
  title: 'Get Panel Settings',
  since: '2.2',
  tag,
  access: 'settings.read',
  method: 'GET',
  path: '/api/remnawave-settings',
  response: panelSettings,
})
/** Takes what is so already: the environment sets these, and programs that keep settings in step send all of them. */
export const patchPanelSettings = endpoint({
  name: 'patchPanelSettings',
  title: 'Update Panel Settings',
  since: '2.2',
  tag,
  access: 'settings.write',
  method: 'PATCH',
  path: '/api/remnawave-settings',
  body: z
    .object({
      passkeySettings: wireObject,
      oauth2Settings: wireObject,
      tgAuthSettings: wireObject,
      passwordSettings: wireObject,
      brandingSettings: wireObject,
    })
    .partial(),
  response: panelSettings,
})
