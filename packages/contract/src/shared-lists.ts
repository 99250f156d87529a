import { z } from 'zod'
import { MOST_NETWORKS } from './agent-filters.ts'
import { endpoint } from './endpoint.ts'
import { wireInt, wireList, wireText } from './wire.ts'

// Lists of networks that several plugins use by name.

const tag = 'Node plugins'
const name = z
  .string()
  .min(2, 'must have at least 2 characters')
  .max(255, 'must have at most 255 characters')
  .regex(/^[A-Za-z0-9_-]+$/, 'must have letters, digits, _ and - only')
const byName = z.object({ name })
const config = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ipList'), items: wireList(wireText(100), MOST_NETWORKS) }),
  z.object({ type: z.literal('asList'), items: wireList(wireInt, MOST_NETWORKS) }),
])
export const sharedList = z.object({ name: z.string(), config })
const eventSent = z.object({ eventSent: z.boolean() })
const since33 = { since: '3.3', tag } as const

export const listSharedLists = endpoint({
  ...since33,
  name: 'listSharedLists',
  title: 'Get Shared Lists',
  access: 'nodes.read',
  method: 'GET',
  path: '/api/node-plugins/shared-lists',
  response: z.object({
    total: wireInt,
    sharedLists: z.array(z.object({ name: z.string(), type: z.string(), itemsCount: wireInt })),
  }),
})
export const getSharedList = endpoint({
  ...since33,
  name: 'getSharedList',
  title: 'Get Shared List',
  access: 'nodes.read',
  method: 'GET',
  path: '/api/node-plugins/shared-lists/:name',
  params: byName,
  response: sharedList,
})
export const getSharedListByName = endpoint({
  name: 'getSharedListByName',
  title: 'Get Shared List',
  since: '3.4',
  tag,
  access: 'nodes.read',
  method: 'GET',
  path: '/api/node-plugins/shared-lists/by-name',
  query: byName,
  response: sharedList,
})
export const createSharedList = endpoint({
  ...since33,
  name: 'createSharedList',
  creates: true,
  title: 'Create Shared List',
  access: 'nodes.write',
  method: 'POST',
  path: '/api/node-plugins/shared-lists',
  body: z.object({ name, config }),
  response: sharedList,
  status: 201,
  bodyMegabytes: 4,
})
export const updateSharedList = endpoint({
  ...since33,
  name: 'updateSharedList',
  title: 'Update Shared List',
  access: 'nodes.write',
  method: 'PATCH',
  path: '/api/node-plugins/shared-lists',
  body: z.object({ name, config }),
  response: sharedList,
  bodyMegabytes: 4,
})
export const deleteSharedList = endpoint({
  ...since33,
  name: 'deleteSharedList',
  title: 'Delete Shared List',
  access: 'nodes.write',
  method: 'DELETE',
  path: '/api/node-plugins/shared-lists/:name',
  params: byName,
  response: z.object({ isDeleted: z.boolean() }),
})
export const deleteSharedListByName = endpoint({
  name: 'deleteSharedListByName',
  title: 'Delete Shared List',
  since: '3.4',
  tag,
  access: 'nodes.write',
  method: 'DELETE',
  path: '/api/node-plugins/shared-lists',
  body: byName,
  response: z.object({ isDeleted: z.boolean() }),
})
/** Has the nodes told of it anew that use it. */
export const syncSharedList = endpoint({
  ...since33,
  name: 'syncSharedList',
  title: 'Sync Shared List',
  access: 'nodes.write',
  method: 'POST',
  path: '/api/node-plugins/shared-lists/actions/sync',
  body: byName,
  response: eventSent,
})
