import type { z } from 'zod'
import type { Part, Shape } from './published.ts'
import { schemaAt } from './shape.ts'

export interface Sample {
  /** Field path with list items written as `0`. */
  at: string
  what: string
  value: unknown
}

const UUID = '6b1f5c1e-0f2a-4c57-9d0e-2d9f3a1b7c10'

// Values at and around every limit of the wire (docs/wire.md 6), in the order in which valid samples take them.
const LENGTHS = [6, 7, 8, 16, 17, 20, 21, 30, 31, 32, 33, 36, 37, 40, 41, 48, 49, 200, 201]
const UUIDS = words(`
  ${UUID} ${UUID.toUpperCase()} ${UUID.replaceAll('-', '')} {${UUID}} ${UUID.slice(1)} 00000000-0000-0000-0000-000000000000
  6b1f5c1e-0f2a-9c57-9d0e-2d9f3a1b7c10 6b1f5c1e-0f2a-0c57-0d0e-2d9f3a1b7c10 ffffffff-ffff-ffff-ffff-ffffffffffff`)
const DATE_TIMES = words(`
  2099-01-01T00:00:00.000Z 2099-01-01T00:00:00Z 2099-01-01T00:00Z 2099-01-01T00:00 2099-01-01T00:00:00
  2099-01-01T00:00:00+03:00 2099-01-01T00:00:00-0330 2099-01-01T00:00:00+03 2099-01-01 2099-01-01_00:00:00Z 2099-02-29T00:00:00Z
  2096-02-29T00:00:00Z 2099-13-01T00:00:00Z 2099-00-01T00:00:00Z 2099-01-32T00:00:00Z 2099-01-01T24:00:00Z 2099-01-01T23:60:00Z
  2099-01-01T23:59:60Z 2099-01-01T00:00:00.123456789Z 2099-01-01t00:00:00z 2020-01-01T00:00:00.000Z 0000-01-01T00:00:00Z
  20990101T000000Z 2099-1-1T0:0:0Z 2099-01-01T00:00:00.Z 2099-01-01T00:00:00+23:59 2099-01-01T00:00:00+24:00 2099-01-01T00:00:00+99:99`)
const EMAILS = words(`
  ann@example.com ANN@EXAMPLE.COM a.b+c@x-y.example.org o'neil@example.com _@example.com .ann@example.com a..b@example.com
  ann.@example.com ann@localhost ann@example.c ann@-example.com ann@exa_mple.com ann@example.com. аня@example.com ann'@example.com
  ann-@example.com ann+@example.com ann@1example.com "ann"@example.com ann@[127.0.0.1] a!b@example.com`)
const URLS = words(`
  https://example.com http://example.com/a?b#c ftp://x mailto:a@b javascript:alert(1) example.com //example.com http:// a:b`)
const NAMES = words(`
  ACTIVE DISABLED LIMITED EXPIRED active NO_RESET DAY WEEK MONTH YEAR DEFAULT TLS NONE REALITY h3 h2 http/1.1 h2,http/1.1
  h3,h2,http/1.1 h3,h2 http/1.1,h2 chrome firefox safari ios android edge qq random randomized 360 github pocketid yandex google STASH
  SINGBOX SINGBOX_LEGACY MIHOMO XRAY_JSON CLASH stash singbox singbox-legacy mihomo json v2ray-json clash v2ray ss`)
const PASSWORDS = words(`
  Abcdefgh1jklmnopqrstuvwx Abcdefgh1jkl abcdefgh1jklmnopqrstuvwx ABCDEFGH1JKLMNOPQRSTUVWX Abcdefghijklmnopqrstuvwx`)
const PLAIN = [
  '',
  ' ',
  'a b',
  'Abcdefgh1\nklmnopqrstuvwxyz',
  '2099-01-01 00:00:00Z',
  ...words('a ab abc Ab-_9 ABC ABC_9 A:B abc.def юзер true'),
]
const texts = [
  ...PLAIN,
  ...words('TRUE null 0 5 -1 1.5 xx'),
  ...LENGTHS.flatMap((length) => ['a'.repeat(length), 'A'.repeat(length)]),
  ...[UUIDS, DATE_TIMES, EMAILS, URLS, NAMES, PASSWORDS].flat(),
]
const small = [0, -0.5, 0.05, 0.1, 0.15, 0.5, 1, -1, 1.5, 2, 31, 32, 99, 100, 101, 500, 501, 999, 1000, 1001, 65535, 65536]
const numbers = [...small, -(2 ** 31), 2 ** 31, 2 ** 32, 2 ** 53, 2 ** 53 + 2, -(2 ** 60), 1e21, 1e300, 1.5e10]
const others = [
  null,
  true,
  false,
  [],
  ['a'],
  [UUID],
  [1],
  [null],
  {},
  { a: 1 },
  { a: 'b' },
  { 'x-y': 'z' },
  { 'x y': 'z' },
  { '': 'z' },
]
const jsonTexts = words(`
  [] {} [1] [null] {"a":"contains"} {"a":1} {not_json "text" [{"id":"username","value":"a"}] [{"id":"username","value":1}]
  [{"id":"username"}] [{"value":"a"}] [{"id":"username","desc":true}] [{"id":"username","desc":"x"}] [{"id":1,"desc":true}]`)

function words(text: string): string[] {
  return text.trim().split(/\s+/)
}

/** A whole valid sample of a part, then the same with one place changed at a time. `fixed` are places no value suits both in. */
export function samplesOf(
  schema: z.core.$ZodType & z.ZodType,
  shape: Shape,
  part: Part,
  fixed: Record<string, unknown>,
): Sample[] {
  let base = valid(schema, shape, [])
  for (const [at, value] of Object.entries(fixed)) base = put(base, at.split('.'), value)
  const samples: Sample[] = [{ at: '', what: 'everything', value: base }]
  for (const path of pathsOf(shape)) {
    const at = path.join('.')
    if (path.length > 0) samples.push({ at, what: 'missing', value: without(base, path) })
    for (const value of poolFor(part)) samples.push({ at, what: JSON.stringify(value), value: put(base, path, value) })
  }
  if (isRecord(base)) {
    samples.push({ at: '', what: 'an unknown key', value: { ...base, unknownKey: 1 } })
    for (const [key, value] of Object.entries(base)) samples.push({ at: key, what: 'only this', value: { [key]: value } })
  }
  return samples
}

/** Path segments and query values are text on the wire (or lists of it); JSON parts may hold anything. */
function poolFor(part: Part): unknown[] {
  if (part === 'params') return texts
  if (part === 'query') return [...texts, ...jsonTexts, ...numbers.map(String), [], ['a'], ['a', 'b']]
  return [...texts, ...numbers, ...others]
}

/** Picks for each leaf the first value of the pool that our schema takes there. */
function valid(schema: z.core.$ZodType & z.ZodType, shape: Shape, path: string[]): unknown {
  switch (shape.kind) {
    case 'object':
      return Object.fromEntries(Object.entries(shape.fields).map(([key, field]) => [key, valid(schema, field, [...path, key])]))
    case 'array':
      return [valid(schema, shape.item, [...path, '0'])]
    case 'record':
      return { key: valid(schema, shape.value, [...path, 'key']) }
    case 'value': {
      const leaf = schemaAt(schema, path)
      if (!leaf) return 'a'
      return [...texts, ...numbers, ...others].find((value) => accepts(leaf, value))
    }
  }
}

function accepts(schema: z.core.$ZodType, value: unknown): boolean {
  const result = schema['~standard'].validate(value)
  return !(result instanceof Promise) && !result.issues
}

function pathsOf(shape: Shape, before: string[] = []): string[][] {
  switch (shape.kind) {
    case 'object':
      return [before, ...Object.entries(shape.fields).flatMap(([key, field]) => pathsOf(field, [...before, key]))]
    case 'array':
      return [before, ...pathsOf(shape.item, [...before, '0'])]
    case 'record':
      return [before, ...pathsOf(shape.value, [...before, 'key'])]
    case 'value':
      return [before]
  }
}

function put(into: unknown, [step, ...rest]: string[], value: unknown): unknown {
  if (step === undefined) return value
  if (Array.isArray(into)) return into.map((item, index) => (String(index) === step ? put(item, rest, value) : item))
  const object = typeof into === 'object' && into !== null ? Object.fromEntries(Object.entries(into)) : {}
  return { ...object, [step]: put(object[step], rest, value) }
}

function without(from: unknown, path: string[]): unknown {
  const [step, ...rest] = path
  if (step === undefined || typeof from !== 'object' || from === null) return from
  if (Array.isArray(from)) return rest.length === 0 ? [] : from.map((item) => without(item, rest))
  const entries = Object.entries(from)
  if (rest.length === 0) return Object.fromEntries(entries.filter(([key]) => key !== step))
  return Object.fromEntries(entries.map(([key, value]) => [key, key === step ? without(value, rest) : value]))
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
