import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { wireInstant, wireText, wireUuid } from './wire.ts'

export const apiToken = z.object({
  uuid: wireUuid,
  token: z.string(),
  tokenName: z.string(),
  createdAt: wireInstant,
  updatedAt: wireInstant,
})
export type ApiToken = z.output<typeof apiToken>

const tag = 'API tokens'

export const createApiToken = endpoint({
  name: 'createApiToken',
  title: 'Create API Token',
  tag,
  access: 'tokens.write',
  method: 'POST',
  path: '/api/tokens',
  body: z.object({ tokenName: wireText() }),
  response: z.object({ token: z.string(), uuid: wireUuid }),
  status: 201,
})
export const listApiTokens = endpoint({
  name: 'listApiTokens',
  title: 'Get All API Tokens',
  tag,
  access: 'tokens.read',
  method: 'GET',
  path: '/api/tokens',
  response: z.object({
    apiKeys: z.array(apiToken),
    docs: z.object({ isDocsEnabled: z.boolean(), scalarPath: z.string().nullable(), swaggerPath: z.string().nullable() }),
  }),
})
export const deleteApiToken = endpoint({
  name: 'deleteApiToken',
  title: 'Delete API Token',
  tag,
  access: 'tokens.write',
  method: 'DELETE',
  path: '/api/tokens/:uuid',
  params: z.object({ uuid: wireUuid }),
  response: z.boolean(),
})
