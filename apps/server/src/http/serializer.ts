import fastJsonStringify from 'fast-json-stringify'
import type { FastifySerializerCompiler } from 'fastify'
import { z } from 'zod'

const DROPPED = new Set([
  'format',
  'pattern',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minLength',
  'maxLength',
  'enum',
  'default',
  '$schema',
  'id',
  '$id',
  'description',
  'title',
])

/**
 * Response schemas shape the output: unknown keys are dropped, so a secret column cannot leak, and a missing required
 * key throws. Formats and ranges are not checked on the way out; tests do that. Compiles a route's serializer at its
 * first reply. Compiling all of them before the server listens was most of the cost of building the app.
 */
export const serializerCompiler: FastifySerializerCompiler<z.ZodType> = ({ schema }) => {
  let write: ((reply: unknown) => string) | undefined
  return (reply) => {
    write ??= replyWriter(schema)
    return write(reply)
  }
}

export function replyWriter(schema: z.ZodType): (reply: unknown) => string {
  const jsonSchema = z.toJSONSchema(schema, { io: 'output', target: 'openapi-3.0', reused: 'inline', unrepresentable: 'any' })
  return fastJsonStringify(relax(jsonSchema) as fastJsonStringify.AnySchema) // relax() keeps the shape of a JSON schema
}

function relax(node: unknown, isProperties = false): unknown {
  if (Array.isArray(node)) return node.map((item) => relax(item))
  if (node === null || typeof node !== 'object') return node
  const kept = Object.entries(node).filter(([key]) => isProperties || !DROPPED.has(key))
  return Object.fromEntries(kept.map(([key, value]) => [key, relax(value, key === 'properties' && !isProperties)]))
}
