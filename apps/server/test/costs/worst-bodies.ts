import { z } from 'zod'
import type { $ZodType } from 'zod/v4/core'
import type { Endpoint } from '@causeway/contract'

// The worst bodies that a route's schema allows, and those that it refuses at the greatest cost, made from the schema.

export interface WorstBody {
  what: string
  text: string
}

/** What a schema looks like as JSON Schema, as far as it is needed here. */
const node = z.looseObject({
  /** The same for the same schema, wherever it is used; the null of what may be null has none. */
  schemaId: z.number().optional(),
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
  get additionalProperties() {
    return z.union([z.boolean(), node]).optional()
  },
})
type Node = z.output<typeof node>

/** Enough that an entry which shares the room is more than a word. */
const SHARED_BYTES = 200
const UUID = '11111111-1111-4111-8111-111111111111'

/**
 * Gives the bodies of `limit` bytes at most for one endpoint after the other, one per way in which a schema can be made to
 * work. What a schema refuses it refuses wherever it is used, before any route sees it, and so is given once: begin with the
 * largest limit.
 */
export function worstBodies(): (endpoint: Endpoint, limit: number) => WorstBody[] {
  const refused = new Set<string>()
  const isKnown = (at: Node, how: string, value: unknown) => {
    const schema = schemas[at.schemaId ?? -1]
    const way = `${at.schemaId} ${how}`
    if (refused.has(way)) return true
    if (schema && !z.safeParse(schema, value).success) refused.add(way)
    return false
  }
  return ({ body }, limit) => {
    const schema = nodeOf(body)
    const base = valid(schema)
    const bytes = limit - JSON.stringify(base).length - 200
    return placesOf(schema).flatMap(({ path, at }) =>
      Object.entries({ ...fillings(at, bytes), ...filledEntries(at, bytes) })
        .filter(([how, value]) => !isKnown(at, how, value))
        .map(([how, value]) => ({ what: `${path.join('.') || 'body'}: ${how}`, text: JSON.stringify(put(base, path, value)) })),
    )
  }
}

/** Query strings of `limit` bytes at most: each parameter as long as it can be, many times, and JSON where it is read as such. */
export function worstQueries({ query }: Endpoint, limit: number): WorstBody[] {
  const names = Object.keys(nodeOf(query).properties ?? {})
  if (names.length === 0) return []
  const fill = (text: string, more = 0) => text.repeat(Math.floor((limit - more) / Buffer.byteLength(encodeURIComponent(text))))
  const entry = '{"id":"username","value":"a"},'
  const ofOne = names.flatMap((name) =>
    Object.entries({
      'a long text': fill('a', name.length),
      'a long text of dots': fill('a.', name.length),
      'many digits': fill('9', name.length),
      'lists in lists': fill('[', name.length),
      'right entries': `[${fill(entry, 200)}{"id":"username","value":"a"}]`,
      'one long entry': `[{"id":"username","value":"${fill('a', 200)}"}]`,
      'many keys': `{${fill('"username":"fuzzy",', 200)}"tag":"fuzzy"}`,
      blanks: fill(' ', name.length),
    }).map(([how, value]) => ({ what: `?${name}: ${how}`, text: `${name}=${encodeURIComponent(value)}` })),
  )
  const [first = ''] = names
  const many = (pair: (index: number) => string, bytes: number) =>
    Array.from({ length: Math.floor(limit / bytes) }, (_, at) => pair(at)).join('&')
  return [
    ...ofOne,
    { what: `?${first}: many times`, text: many(() => `${first}=1`, first.length + 3) },
    { what: '?: names that are none', text: many((index) => `k${index}=1`, 9) },
  ]
}

/** Every schema that has become a node, at its `schemaId`. */
const schemas: $ZodType[] = []

function nodeOf(schema: z.ZodType): Node {
  return node.parse(
    z.toJSONSchema(schema, {
      io: 'input',
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => {
        jsonSchema['schemaId'] = schemaIdOf(zodSchema)
      },
    }),
  )
}

function schemaIdOf(schema: $ZodType): number {
  if (schema instanceof z.ZodOptional) return schemaIdOf(schema.unwrap())
  const known = schemas.indexOf(schema)
  return known < 0 ? schemas.push(schema) - 1 : known
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

/** Lists and objects of free keys whose entries are as large as they can be: one that has all the room, and many that share it. */
function filledEntries(at: Node, bytes: number): Record<string, unknown> {
  const entry = at.type === 'array' ? at.items : typeof at.additionalProperties === 'object' ? at.additionalProperties : undefined
  if (!entry) return {}
  const one = valid(entry)
  const room = JSON.stringify(one).length + 20
  const most = Math.max(1, Math.min(at.maxItems ?? 1000, Math.floor(bytes / (room + SHARED_BYTES))))
  const several = (count: number, value: unknown) => {
    const values = Array.from({ length: count }, () => value)
    return at.type === 'array' ? values : Object.fromEntries(values.map((each, index) => [`k${index}`, each]))
  }
  return Object.fromEntries(
    placesOf(entry).flatMap(({ path, at: place }) =>
      [1, most].flatMap((count) =>
        Object.entries(fillings(place, Math.floor(bytes / count) - room)).map(([how, value]) => [
          `${count} with ${path.join('.') || 'itself'}: ${how}`,
          several(count, put(one, path, value)),
        ]),
      ),
    ),
  )
}

/** What to put in a place so that it is as large as can be; of the wrong kind and of the right one. */
function fillings(at: Node, bytes: number): Record<string, unknown> {
  if (at.type === 'array') {
    const item = valid(at.items ?? {})
    const fitting = (value: unknown) =>
      Array.from(
        { length: Math.max(0, Math.min(at.maxItems ?? 100_000, Math.floor(bytes / (JSON.stringify(value).length + 1)))) },
        () => value,
      )
    return {
      'wrong entries': fitting('x'),
      'right entries': fitting(item),
      ...(bytes > 400_000 ? { 'far too many': Array.from({ length: 110_000 }, () => 'x') } : {}),
    }
  }
  if (at.type === 'string')
    return { 'a long text': 'a'.repeat(Math.max(0, bytes)), 'a long text of dots': 'a.'.repeat(Math.max(0, bytes / 2)) }
  if (at.type === 'object' && at.properties) return {}
  if (at.type === 'object' || at.type === undefined)
    return {
      'many keys': Object.fromEntries(
        Array.from({ length: Math.max(0, Math.min(55_000, bytes / 14)) }, (_, n) => [`k${n}`, 'v']),
      ),
    }
  return {}
}

function valid(schema: Node): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const [first] = schema.anyOf ?? []
  if (first) return valid(first)
  switch (schema.type ?? 'null') {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {})
          // Numbers that may be left out are what makes some bodies more than nothing to do.
          .filter(([key, { type }]) => schema.required?.includes(key) || type === 'integer')
          .map(([key, each]) => [key, valid(each)]),
      )
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
