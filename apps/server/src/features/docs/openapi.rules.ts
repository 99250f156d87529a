import * as contract from '@causeway/contract'
import type { Access, Endpoint } from '@causeway/contract'
import { z } from 'zod'

type Json = Record<string, unknown>

/** The API in OpenAPI 3.1, made from the contract alone: what it says is what the server checks. */
export function openApiDocument(version: string): Json {
  const schemas: Json = {}
  const paths: Record<string, Json> = {}
  for (const endpoint of endpoints) {
    const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint, schemas) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Causeway API',
      version,
      description:
        'Send an API token as `Authorization: Bearer <token>`. Routes under `/api/x/` are additions to the wire of generation 2.1.',
    },
    servers: [{ url: '/' }],
    tags: [...new Set(endpoints.map(({ tag }) => tag))].toSorted().map((name) => ({ name })),
    paths,
    components: {
      schemas: { ...schemas, ...errorSchemas },
      securitySchemes: {
        apiToken: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'An API token, or an administrator session',
        },
        session: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'An administrator session only' },
        client: { type: 'apiKey', in: 'header', name: 'X-Remnawave-Client-Type', description: '`browser`, with sessions' },
      },
    },
  }
}

const exported: [string, unknown][] = Object.entries(contract)
const endpoints = [
  ...exported.map(([, value]) => value).filter(contract.isEndpoint),
  ...contract.pending.map(({ endpoint }) => endpoint),
]

/** Entities of the contract keep their name, so that they are described once. */
const names = z.registry<{ id: string }>()
for (const [name, value] of exported) {
  if (value instanceof z.ZodObject || value instanceof z.ZodEnum) names.add(value, { id: name[0]?.toUpperCase() + name.slice(1) })
}

const errorSchemas: Json = {
  KnownError: object({
    timestamp: { type: 'string' },
    path: { type: 'string' },
    message: { type: 'string' },
    errorCode: { type: 'string' },
  }),
  ValidationError: object({
    statusCode: { type: 'integer' },
    message: { type: 'string' },
    errors: { type: 'array', items: object({ code: { type: 'string' }, path: { type: 'array' }, message: { type: 'string' } }) },
  }),
  Refusal: object({ statusCode: { type: 'integer' }, message: { type: 'string' }, error: { type: 'string' } }, [
    'statusCode',
    'message',
  ]),
}

function operation(endpoint: Endpoint, schemas: Json): Json {
  const { body } = endpoint
  const hasBody = endpoint.method !== 'GET' && !(body instanceof z.ZodObject && Object.keys(body.shape).length === 0)
  return {
    operationId: endpoint.name,
    summary: endpoint.title,
    tags: [endpoint.tag],
    'x-since': endpoint.path.startsWith('/api/x/') ? 'own' : endpoint.since,
    security: security(endpoint.access),
    ...(endpoint.access === 'public' ? {} : { 'x-permission': endpoint.access }),
    ...(Object.keys(endpoint.userKeys).length > 0 ? { 'x-user-numbers': endpoint.userKeys } : {}),
    parameters: [
      ...parameters(endpoint.params, 'path'),
      ...parameters(endpoint.query, 'query'),
      ...(endpoint.creates ? [IDEMPOTENCY_KEY] : []),
    ],
    ...(hasBody ? { requestBody: { required: !isOptional(body), content: jsonContent(inputSchema(body)) } } : {}),
    responses: { [endpoint.status]: success(endpoint, schemas), ...failures(endpoint) },
  }
}

const IDEMPOTENCY_KEY: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', minLength: 8, maxLength: 128 },
  description: 'Names a submission. Sent again within a day with the same content, it creates nothing and gets the same answer.',
}

function security(access: Access): Json[] {
  if (access === 'public') return []
  return contract.tokenPermissions.has(access) ? [{ apiToken: [] }] : [{ session: [], client: [] }]
}

function parameters(part: z.ZodObject, where: 'path' | 'query'): Json[] {
  return Object.entries(part.shape).map(([name, field]) => {
    const schema = inputSchema(field)
    const shared = { name, in: where, required: where === 'path' || !isOptional(field) }
    // A structured parameter is JSON text in the query string.
    const isJsonText = schema['type'] === 'array' || schema['type'] === 'object'
    return isJsonText ? { ...shared, content: jsonContent(schema) } : { ...shared, schema }
  })
}

function success(endpoint: Endpoint, schemas: Json): Json {
  if (endpoint.raw && endpoint.response instanceof z.ZodUnknown)
    return { description: 'Sent as it is, in the format of the client' }
  const { $defs = {}, ...schema } = jsonSchema(endpoint.response, 'output', names)
  Object.assign(schemas, toComponents($defs))
  const content = endpoint.raw ? toComponents(schema) : object({ response: toComponents(schema) })
  return { description: 'Done', content: jsonContent(content) }
}

function failures(endpoint: Endpoint): Json {
  const reply = (description: string, name: string) => ({
    description,
    content: jsonContent({ $ref: `#/components/schemas/${name}` }),
  })
  return {
    400: reply('The input breaks a rule', 'ValidationError'),
    ...(endpoint.access === 'public' ? {} : { 401: reply('No token, or one that is not valid any more', 'Refusal') }),
    403: reply('Not allowed', 'KnownError'),
    500: reply('A failure of the catalogue', 'KnownError'),
  }
}

function inputSchema(schema: z.core.$ZodType): Json {
  return jsonSchema(schema, 'input')
}

function jsonSchema(schema: z.core.$ZodType, io: 'input' | 'output', metadata?: typeof names): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    ...(metadata ? { metadata } : {}),
    override: ({ zodSchema, jsonSchema: made }) => {
      Object.assign(made, z.globalRegistry.get(zodSchema))
      // Replies may gain fields; a client made from this document must not mind.
      if (made.additionalProperties === false) delete made.additionalProperties
    },
  })
  return rest
}

/** References point to the components of the document instead of the definitions of a single schema. */
function toComponents(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(toComponents)
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(
    Object.entries(node)
      // The name of a schema is a text; a property called so is a schema.
      .filter(([key, value]) => key !== 'id' || typeof value !== 'string' || '$ref' in node)
      .map(([key, value]) => [
        key,
        key === '$ref' ? String(value).replace('#/$defs/', '#/components/schemas/') : toComponents(value),
      ]),
  )
}

function isOptional(schema: z.core.$ZodType): boolean {
  return z.safeParse(schema, undefined).success || z.safeParse(schema, {}).success
}

function jsonContent(schema: unknown): Json {
  return { 'application/json': { schema } }
}

function object(properties: Json, required: string[] = Object.keys(properties)): Json {
  return { type: 'object', properties, required }
}
