import { z } from 'zod'
import { inbound } from './config-profiles.ts'
import { endpoint } from './endpoint.ts'
import { later, newOrder } from './generations.ts'
import { wireList, wireInstant, wireInt, wireName, wireUuid } from './wire.ts'

export const internalSquad = z.object({
  uuid: wireUuid,
  name: z.string(),
  info: z.object({ membersCount: z.number(), inboundsCount: z.number() }),
  inbounds: z.array(inbound),
  viewPosition: later('2.3', wireInt),
  tags: later('3.4', z.array(z.string())),
  createdAt: wireInstant,
  updatedAt: wireInstant,
})
export type InternalSquad = z.output<typeof internalSquad>

const tag = 'Internal squads'
const byUuid = z.object({ uuid: wireUuid })
const inboundUuids = wireList(wireUuid, 10_000)
const eventSent = z.object({ eventSent: z.boolean() }).extend({ jobId: z.string().optional() })
const userUuids = wireList(wireUuid, 20_000)
/**
 * The generation takes no body and means every user. Programs that name users, by whichever of these words, mean those;
 * a body with other words only is refused (docs/wire.md 34).
 */
export const chosenUsers = z.object({ userIds: userUuids, userUuids, uuids: userUuids }).partial()

export const listInternalSquads = endpoint({
  name: 'listInternalSquads',
  title: 'Get Internal Squads',
  tag,
  access: 'squads.read',
  method: 'GET',
  path: '/api/internal-squads',
  response: z.object({ total: z.number(), internalSquads: z.array(internalSquad) }),
})
export const getInternalSquad = endpoint({
  name: 'getInternalSquad',
  title: 'Get Internal Squad',
  tag,
  access: 'squads.read',
  method: 'GET',
  path: '/api/internal-squads/:uuid',
  params: byUuid,
  response: internalSquad,
})
export const createInternalSquad = endpoint({
  name: 'createInternalSquad',
  creates: true,
  title: 'Create Internal Squad',
  tag,
  access: 'squads.write',
  method: 'POST',
  path: '/api/internal-squads',
  body: z.object({ name: wireName, inbounds: inboundUuids }),
  response: internalSquad,
  status: 201,
})
export const updateInternalSquad = endpoint({
  name: 'updateInternalSquad',
  title: 'Update Internal Squad',
  tag,
  access: 'squads.write',
  method: 'PATCH',
  path: '/api/internal-squads',
  body: z.object({ uuid: wireUuid, name: wireName.optional(), inbounds: inboundUuids.optional() }),
  response: internalSquad,
})
export const deleteInternalSquad = endpoint({
  name: 'deleteInternalSquad',
  title: 'Delete Internal Squad',
  tag,
  access: 'squads.write',
  method: 'DELETE',
  path: '/api/internal-squads/:uuid',
  params: byUuid,
  response: z.object({ isDeleted: z.boolean() }),
})
export const getInternalSquadAccessibleNodes = endpoint({
  name: 'getInternalSquadAccessibleNodes',
  title: 'Get Internal Squad Accessible Nodes',
  tag,
  access: 'squads.read',
  method: 'GET',
  path: '/api/internal-squads/:uuid/accessible-nodes',
  params: byUuid,
  response: z.object({
    squadUuid: wireUuid,
    accessibleNodes: z.array(
      z.object({
        uuid: wireUuid,
        nodeName: z.string(),
        countryCode: z.string(),
        configProfileUuid: wireUuid,
        configProfileName: z.string(),
        activeInbounds: z.array(wireUuid).describe('uuids, as clients since 2.1.8 read them'),
      }),
    ),
  }),
})
export const addUsersToInternalSquad = endpoint({
  name: 'addUsersToInternalSquad',
  userKeys: { userIds: 'userIds' },
  title: 'Add Users To Internal Squad',
  tag,
  access: 'squads.write',
  method: 'POST',
  path: '/api/internal-squads/:uuid/bulk-actions/add-users',
  params: byUuid,
  body: chosenUsers,
  response: eventSent,
})
export const removeUsersFromInternalSquad = endpoint({
  name: 'removeUsersFromInternalSquad',
  userKeys: { userIds: 'userIds' },
  title: 'Delete Users From Internal Squad',
  tag,
  access: 'squads.write',
  method: 'DELETE',
  path: '/api/internal-squads/:uuid/bulk-actions/remove-users',
  params: byUuid,
  body: chosenUsers,
  response: eventSent,
})

const MOST_NAMED = 1000
const namedUsers = z.object({ userUuids: wireList(wireUuid, MOST_NAMED) })

export const addManyUsersToInternalSquad = endpoint({
  name: 'addManyUsersToInternalSquad',
  title: 'Add Many Users To Internal Squad',
  since: '3.0',
  userKeys: { userUuids: 'userIds' },
  tag,
  access: 'squads.write',
  method: 'POST',
  path: '/api/internal-squads/:uuid/bulk-actions/add-many-users',
  params: byUuid,
  body: namedUsers,
  response: eventSent,
})
export const removeManyUsersFromInternalSquad = endpoint({
  name: 'removeManyUsersFromInternalSquad',
  title: 'Delete Many Users From Internal Squad',
  since: '3.0',
  userKeys: { userUuids: 'userIds' },
  tag,
  access: 'squads.write',
  method: 'DELETE',
  path: '/api/internal-squads/:uuid/bulk-actions/remove-many-users',
  params: byUuid,
  body: namedUsers,
  response: eventSent,
})
export const reorderInternalSquads = endpoint({
  name: 'reorderInternalSquads',
  title: 'Reorder Internal Squads',
  since: '2.3',
  tag,
  access: 'squads.write',
  method: 'POST',
  path: '/api/internal-squads/actions/reorder',
  body: newOrder,
  response: z.object({ total: z.number(), internalSquads: z.array(internalSquad) }),
})
