import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { generation, later } from './generations.ts'
import { permissions, tokenPermissions } from './permissions.ts'
import { wireDateTime, wireInstant, wireInt, wireList, wireText, wireUuid } from './wire.ts'

export const apiToken = z.object({
  uuid: wireUuid,
  token: z.string().describe('empty when it was shown once, at its making'),
  tokenName: z.string(),
  createdAt: wireInstant,
  updatedAt: wireInstant,
})

/** A token as later generations list it, without its text. */
export const scopedToken = z.object({
  uuid: wireUuid,
  name: z.string(),
  expireAt: wireInstant.describe('for one without an end, when its text ends'),
  scopes: z.array(z.string()),
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
  generation: generation.optional().describe('the generation of the wire that its program speaks'),
  scopes: z.array(z.string()).nullable().optional().describe('as a program of 3.x has asked for them'),
  reseller: z
    .object({ uuid: wireUuid, name: z.string() })
    .nullable()
    .optional()
    .describe('whose users it sees; null: every user'),
  lastUsedAt: wireInstant.nullable(),
  lastUsedFrom: z.string().nullable().describe('the address'),
  lastUserAgent: z.string().nullable(),
})
export type ApiTokenDetails = z.output<typeof apiTokenDetails>

const tag = 'API tokens'
const tokenName = wireText()
const resellerUuid = wireUuid.nullable().describe('whose users it sees; null: every user')
const scopedName = wireText(30).min(2, 'must have at least 2 characters')
const scopes = wireList(z.string().max(100), 300)
const isShownOnce = z.boolean().describe('true: only this answer has the text; the list leaves it empty')
const created = z.object({
  token: z.string(),
  uuid: wireUuid,
  name: later('2.8', z.string()),
  expireAt: later('2.8', wireInstant),
  scopes: later('2.8', z.array(z.string())),
  createdAt: later('2.8', wireInstant),
  updatedAt: later('2.8', wireInstant),
})

export const createApiToken = endpoint({
  name: 'createApiToken',
  creates: true,
  title: 'Create API Token',
  tag,
  access: 'tokens.write',
  method: 'POST',
  path: '/api/tokens',
  body: apiTokenLimits.partial().extend({
    tokenName: tokenName.optional(),
    isShownOnce: isShownOnce.optional(),
    name: later('2.8', scopedName).describe('in the place of tokenName'),
    expiresInDays: later('2.8', wireInt.min(1, 'must be at least 1').max(99_999, 'must be at most 99999')),
    scopes: later('2.8', scopes),
    generation: generation.optional().describe('what the program speaks (own addition)'),
  }),
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
    tokens: later('2.8', z.array(scopedToken)),
    isTextWithheld: z.boolean().optional().describe('the session has to prove its person before it gets the texts'),
    docs: z.object({
      isDocsEnabled: z.boolean(),
      enabled: later('2.8', z.boolean()),
      scalarPath: z.string().nullable(),
      swaggerPath: z.string().nullable(),
    }),
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
    resellerUuid: resellerUuid.optional(),
    generation: generation.optional(),
    isShownOnce: isShownOnce.optional(),
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
  body: apiTokenLimits.extend({ tokenName, generation, resellerUuid }).partial().extend({ uuid: wireUuid }),
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
/** Values that `POST /api/tokens` takes as `scopes`. */
export const listTokenScopes = endpoint({
  name: 'listTokenScopes',
  title: 'Get Token Scopes',
  since: '2.8',
  tag,
  access: 'tokens.read',
  method: 'GET',
  path: '/api/tokens/scopes',
  response: z.object({
    wildcard: z.string(),
    resources: z.array(
      z.object({
        resource: z.string(),
        resourceScopes: z.array(z.string()),
        endpoints: z.array(
          z.object({
            key: z.string(),
            kind: z.enum(['read', 'write']),
            method: z.string(),
            path: z.string(),
            description: z.string(),
          }),
        ),
      }),
    ),
  }),
})
