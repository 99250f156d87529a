import { z } from 'zod'
import type { Endpoint } from '@causeway/contract'

// The worst bodies that a route's schema allows, and those that it refuses at the greatest cost, made from the schema.

export interface WorstBody {
  what: string
  text: string
}

/** What a schema looks like as JSON Schema, as far as it is needed here. */
const node = z.looseObject({
  type: z
    .union([z.string(), z.array(z.string())])
    .transform((type) => (Array.isArray(type) ? type[0] : type))
    .optional(),
  format: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  minimum: z.number().optional(),
  maxItems: z.number().optional(),
  required: z.array(z.string()).optional(),
  get properties() {
    return z.record(z.string(), node).optional()
  },
  get items() {
    return node.optional()
  },
  get anyOf() {
    return z.array(node).optional()
  },
})
type Node = z.output<typeof node>

const UUID = '11111111-1111-4111-8111-111111111111'

/** Bodies of `limit` bytes at most, one per way in which a schema can be made to work. */
export function worstBodies({ body }: Endpoint, limit: number): WorstBody[] {
  const schema = node.parse(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }))
  const base = valid(schema)
  return placesOf(schema).flatMap(({ path, at }) =>
    Object.entries(fillings(at, limit - JSON.stringify(base).length - 200)).map(([how, value]) => ({
      what: `${path.join('.') || 'body'}: ${how}`,
      text: JSON.stringify(put(base, path, value)),
    })),
  )
}

/** Bodies that cost most before any schema sees them. */
export function worstJson(limit: number): WorstBody[] {
  const fill = (text: string, more = 0) => text.repeat(Math.floor((limit - 20 - more) / Buffer.byteLength(text)))
  return [
    { what: 'lists in lists', text: fill('[') },
    { what: 'a list of zeros', text: `{"a":[${fill('0,')}0]}` },
    { what: 'a list of empty objects', text: `{"a":[${fill('{},')}{}]}` },
    { what: 'many keys', text: `{${Array.from({ length: Math.floor(limit / 13) }, (_, n) => `"k${n}":1`).join()}}` },
    { what: 'a long text of two-byte letters', text: `{"a":"${fill('я')}"}` },
    { what: 'a long text of escapes', text: `{"a":"${fill('\\u0001')}"}` },
    { what: 'blanks', text: fill(' ') },
    { what: 'as many keys as may be', text: `{${Array.from({ length: 50_000 }, (_, n) => `"k${n}":1`).join()}}` },
  ]
}

function placesOf(schema: Node, path: string[] = []): { path: string[]; at: Node }[] {
  const own = { path, at: schema }
  const below = Object.entries(schema.properties ?? {}).flatMap(([key, value]) => placesOf(value, [...path, key]))
  return [own, ...(schema.anyOf ?? []).flatMap((each) => placesOf(each, path)), ...below]
}

/** What to put in a place so that it is as large as can be; of the wrong kind and of the right one. */
function fillings(at: Node, bytes: number): Record<string, unknown> {
  if (at.type === 'array') {
    const item = valid(at.items ?? {})
    const fitting = (value: unknown) =>
      Array.from(
        { length: Math.min(at.maxItems ?? 100_000, Math.floor(bytes / (JSON.stringify(value).length + 1))) },
        () => value,
      )
    return {
      'wrong entries': fitting('x'),
      'right entries': fitting(item),
      'far too many': Array.from({ length: 110_000 }, () => 'x'),
    }
  }
  if (at.type === 'string') return { 'a long text': 'a'.repeat(bytes), 'a long text of dots': 'a.'.repeat(bytes / 2) }
  if (at.type === 'object' && at.properties) return {}
  if (at.type === 'object' || at.type === undefined)
    return { 'many keys': Object.fromEntries(Array.from({ length: Math.min(55_000, bytes / 14) }, (_, n) => [`k${n}`, 'v'])) }
  return {}
}

function valid(schema: Node): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const [first] = schema.anyOf ?? []
  if (first) return valid(first)
  switch (schema.type ?? 'null') {
    case 'object':
      return Object.fromEntries((schema.required ?? []).map((key) => [key, valid(schema.properties?.[key] ?? {})]))
    case 'array':
      return []
    case 'string':
      return textOf(schema.format)
    case 'integer':
    case 'number':
      return Math.max(1, schema.minimum ?? 1)
    case 'boolean':
      return true
    default:
      return null
  }
}

function textOf(format: string | undefined): string {
  if (format === 'uuid' || format === 'guid') return UUID
  if (format === 'date-time' || format === 'datetime') return '2099-01-01T00:00:00Z'
  if (format === 'email') return 'a@example.com'
  if (format === 'uri') return 'https://example.com'
  return 'Abcdefgh1Jklmnop'
}

function put(into: unknown, [step, ...rest]: string[], value: unknown): unknown {
  if (step === undefined) return value
  const object = typeof into === 'object' && into !== null ? Object.fromEntries(Object.entries(into)) : {}
  return { ...object, [step]: put(object[step], rest, value) }
}
