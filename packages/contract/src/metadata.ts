import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { USER_KEYS } from './users.ts'
import { wireObject, wireUuid } from './wire.ts'

// One object of their own that programs keep with a user or a node. It is no member of either.

const tag = 'Metadata'
const MOST_CHARACTERS = 20_000
const byUuid = z.object({ uuid: wireUuid })
const response = z.object({ metadata: z.record(z.string(), z.unknown()) })
const body = z.object({
  metadata: wireObject.refine((given) => JSON.stringify(given).length <= MOST_CHARACTERS, {
    error: `must have at most ${MOST_CHARACTERS} characters of JSON`,
  }),
})

export const getUserMetadata = endpoint({
  name: 'getUserMetadata',
  title: 'Get User Metadata',
  since: '2.7',
  userKeys: USER_KEYS,
  tag,
  access: 'users.read',
  method: 'GET',
  path: '/api/metadata/user/:uuid',
  params: byUuid,
  response,
})
export const setUserMetadata = endpoint({
  name: 'setUserMetadata',
  title: 'Set User Metadata',
  since: '2.7',
  userKeys: USER_KEYS,
  tag,
  access: 'users.write',
  method: 'PUT',
  path: '/api/metadata/user/:uuid',
  params: byUuid,
  body,
  response,
})
export const getNodeMetadata = endpoint({
  name: 'getNodeMetadata',
  title: 'Get Node Metadata',
  since: '2.7',
  tag,
  access: 'nodes.read',
  method: 'GET',
  path: '/api/metadata/node/:uuid',
  params: byUuid,
  response,
})
export const setNodeMetadata = endpoint({
  name: 'setNodeMetadata',
  title: 'Set Node Metadata',
  since: '2.7',
  tag,
  access: 'nodes.write',
  method: 'PUT',
  path: '/api/metadata/node/:uuid',
  params: byUuid,
  body,
  response,
})
