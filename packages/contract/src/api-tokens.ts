import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { permissions, tokenPermissions } from './permissions.ts'
import { wireDateTime, wireInstant, wireList, wireText, wireUuid } from './wire.ts'

export const apiToken = z.object({
  uuid: wireUuid,
  token: z.string().describe('empty when it was shown once, at its making'),
  tokenName: z.string(),
  createdAt: wireInstant,
  updatedAt: wireInstant,
})
export type ApiToken = z.output<typeof apiToken>

const permission = z.enum(permissions)

/** Bounds of a token, beyond the wire, whose tokens have all permissions for ever. */
const apiTokenLimits = z.object({
  expiresAt: wireDateTime.nullable().describe('null: never'),
  permissions: wireList(
    permission.refine((name) => tokenPermissions.has(name), 'cannot be given to an API token'),
    permissions.length,
  )
    .nullable()
    .describe('null: everything that API tokens may do'),
})

/** A token without its text. */
export const apiTokenDetails = z.object({
  uuid: wireUuid,
  tokenName: z.string(),
  createdAt: wireInstant,
  expiresAt: wireInstant.nullable(),
  permissions: z.array(permission).nullable(),
  isShownOnce: z.boolean(),
  lastUsedAt: wireInstant.nullable(),
  lastUsedFrom: z.string().nullable().describe('the address'),
  lastUserAgent: z.string().nullable(),
})
export type ApiTokenDetails = z.output<typeof apiTokenDetails>

const tag = 'API tokens'
const tokenName = wireText()
const created = z.object({ token: z.string(), uuid: wireUuid })

export const createApiToken = endpoint({
  name: 'createApiToken',
  creates: true,
  title: 'Create API Token',
  tag,
  access: 'tokens.write',
  method: 'POST',
  path: '/api/tokens',
  body: z.object({ tokenName }),
  response: created,
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

// Own additions.
export const createLimitedApiToken = endpoint({
  name: 'createLimitedApiToken',
  creates: true,
  title: 'Create API Token',
  tag,
  access: 'tokens.write',
  method: 'POST',
  path: '/api/x/tokens',
  body: apiTokenLimits.partial().extend({
    tokenName,
    isShownOnce: z.boolean().optional().describe('true: only this answer has the text; the list leaves it empty'),
  }),
  response: created,
  status: 201,
})
export const updateApiToken = endpoint({
  name: 'updateApiToken',
  title: 'Update API Token',
  tag,
  access: 'tokens.write',
  method: 'PATCH',
  path: '/api/x/tokens',
  body: apiTokenLimits.extend({ tokenName }).partial().extend({ uuid: wireUuid }),
  response: apiTokenDetails,
})
export const listApiTokenDetails = endpoint({
  name: 'listApiTokenDetails',
  title: 'Get API Tokens',
  tag,
  access: 'tokens.read',
  method: 'GET',
  path: '/api/x/tokens',
  response: z.object({ tokens: z.array(apiTokenDetails) }),
})
export const getApiTokenDetails = endpoint({
  name: 'getApiTokenDetails',
  title: 'Get API Token',
  tag,
  access: 'tokens.read',
  method: 'GET',
  path: '/api/x/tokens/:uuid',
  params: z.object({ uuid: wireUuid }),
  response: apiTokenDetails,
})
