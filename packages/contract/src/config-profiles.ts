import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { later, newOrder } from './generations.ts'
import { saveReason } from './revisions.ts'
import { wireInstant, wireInt, wireList, wireName, wireObject, wireText, wireUuid } from './wire.ts'

/** One way in: an Xray inbound of a config profile that carries users. */
export const inbound = z.object({
  uuid: wireUuid,
  profileUuid: wireUuid,
  tag: z.string(),
  type: z.string(),
  network: z.string().nullable(),
  security: z.string().nullable(),
  port: z.number().nullable(),
  rawInbound: z.unknown().nullable(),
})
export type Inbound = z.output<typeof inbound>

export const configProfile = z.object({
  uuid: wireUuid,
  name: z.string(),
  config: z.unknown(),
  inbounds: z.array(inbound),
  nodes: z.array(z.object({ uuid: wireUuid, name: z.string(), countryCode: z.string() })),
  viewPosition: later('2.3', wireInt),
  tags: later('3.4', z.array(z.string())),
  createdAt: wireInstant,
  updatedAt: wireInstant,
})
export type ConfigProfile = z.output<typeof configProfile>

/**
 * Inbounds that go on under another tag: hosts, squads and nodes keep them. Without this an inbound of a new tag is another one.
 * Own addition.
 */
export const renamedTags = wireList(z.object({ from: wireText(1000), to: wireText(1000) }), 1000)
export type RenamedTag = z.output<typeof renamedTags>[number]

/** Hosts that follow their inbounds: what they have in common with them changes in the same transaction. Own addition. */
export const followingHosts = wireList(wireUuid, 10_000)

const tag = 'Config profiles'
const byUuid = z.object({ uuid: wireUuid })
const inboundsWithSquads = z.object({
  total: z.number(),
  inbounds: z.array(inbound.extend({ activeSquads: z.array(wireUuid) })),
})

export const listConfigProfiles = endpoint({
  name: 'listConfigProfiles',
  title: 'Get Config Profiles',
  tag,
  access: 'profiles.read',
  method: 'GET',
  path: '/api/config-profiles',
  response: z.object({ total: z.number(), configProfiles: z.array(configProfile) }),
})
export const listInbounds = endpoint({
  name: 'listInbounds',
  title: 'Get All Inbounds',
  tag,
  access: 'profiles.read',
  method: 'GET',
  path: '/api/config-profiles/inbounds',
  response: inboundsWithSquads,
})
export const listProfileInbounds = endpoint({
  name: 'listProfileInbounds',
  title: 'Get Config Profile Inbounds',
  tag,
  access: 'profiles.read',
  method: 'GET',
  path: '/api/config-profiles/:uuid/inbounds',
  params: byUuid,
  response: inboundsWithSquads,
})
export const getConfigProfile = endpoint({
  name: 'getConfigProfile',
  title: 'Get Config Profile',
  tag,
  access: 'profiles.read',
  method: 'GET',
  path: '/api/config-profiles/:uuid',
  params: byUuid,
  response: configProfile,
})
/** Mistakes for which the panel would refuse a configuration, without saving it. Own addition. */
const placed = z.object({
  path: z.string().describe('for example inbounds[2].tag'),
  message: z.string(),
  snippet: z.string().optional().describe('the snippet that has the mistake; the path is that of its name in the profile'),
})
export const checkConfigProfile = endpoint({
  name: 'checkConfigProfile',
  title: 'Check Config Profile',
  tag,
  access: 'profiles.read',
  method: 'POST',
  path: '/api/x/config-profiles/check',
  body: z.object({ config: wireObject }),
  response: z.object({
    problems: z.array(placed),
    notes: z.array(placed).optional().describe('what an administrator should know and need not change'),
  }),
  bodyMegabytes: 4,
})
export const createConfigProfile = endpoint({
  name: 'createConfigProfile',
  creates: true,
  title: 'Create Config Profile',
  tag,
  access: 'profiles.write',
  method: 'POST',
  path: '/api/config-profiles',
  body: z.object({ name: wireName, config: wireObject }),
  response: configProfile,
  status: 201,
  bodyMegabytes: 4,
})
export const updateConfigProfile = endpoint({
  name: 'updateConfigProfile',
  title: 'Update Config Profile',
  tag,
  access: 'profiles.write',
  method: 'PATCH',
  path: '/api/config-profiles',
  body: z.object({
    uuid: wireUuid,
    name: wireName.optional(),
    config: wireObject.optional(),
    renamed: renamedTags.optional(),
    followingHosts: followingHosts.optional(),
    reason: saveReason,
  }),
  response: configProfile,
  bodyMegabytes: 4,
})
export const deleteConfigProfile = endpoint({
  name: 'deleteConfigProfile',
  title: 'Delete Config Profile',
  tag,
  access: 'profiles.write',
  method: 'DELETE',
  path: '/api/config-profiles/:uuid',
  params: byUuid,
  response: z.object({ isDeleted: z.boolean() }),
})

export const reorderConfigProfiles = endpoint({
  name: 'reorderConfigProfiles',
  title: 'Reorder Config Profiles',
  since: '2.3',
  tag,
  access: 'profiles.write',
  method: 'POST',
  path: '/api/config-profiles/actions/reorder',
  body: newOrder,
  response: z.object({ total: z.number(), configProfiles: z.array(configProfile) }),
})
/** The profile with `config` as nodes get it: snippets stand in their places. */
export const getComputedConfigProfile = endpoint({
  name: 'getComputedConfigProfile',
  title: 'Get Computed Config Profile',
  since: '2.2',
  tag,
  access: 'profiles.read',
  method: 'GET',
  path: '/api/config-profiles/:uuid/computed-config',
  params: byUuid,
  response: configProfile,
})
