import { z } from 'zod'

// The primitives of the wire, each accepting exactly what clients of this generation may send (docs/wire.md 6).
// zod 4's own uuid, int, datetime and email accept other sets of values; the linter forbids them outside this file.

/** 8-4-4-4-12 hexadecimal digits, any version, either case. */
export const wireUuid = z.guid()

export function isUuid(text: string): boolean {
  return wireUuid.safeParse(text).success
}

/** A user or node by number, below 2^53: beyond it two numbers could be one. */
export const wireId = z.int({ error: 'must be a whole number below 2^53' }).min(1, 'must be at least 1')

/** A JSON number without fraction. Not bounded by 2^53, as clients send byte counts beyond it. */
export const wireInt = z
  .number()
  .refine((value) => Number.isInteger(value), { error: 'must be a whole number', params: { expected: 'integer' } })
  .meta({ type: 'integer' })

const DATE_TIME = /^(\d{4})-(\d{2})-(\d{2})T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?(Z|[+-]([01]\d|2[0-3]):?[0-5]\d)?$/

/** A date-time of a request: with seconds or without, with `Z`, an offset or no zone (then the server's zone). */
export const wireDateTime = z.stringFormat('datetime', isDateTime, { error: 'must be a date-time such as 2026-01-31T12:00:00Z' })

/** A date-time of a response: always UTC with `Z`. Typed clients reject offsets. */
export const wireInstant = z.stringFormat('datetime', (text) => text.endsWith('Z') && isDateTime(text))

/** The e-mail rule of the wire; zod 4's differs in which local parts it lets through. */
export const wireEmail = z.email({
  pattern: /^(?!\.)(?!.*\.\.)([A-Z0-9_'+\-.]*)[A-Z0-9_+-]@([A-Z0-9][A-Z0-9-]*\.)+[A-Z]{2,}$/i,
  error: 'must be an e-mail address',
})

/** Anything the WHATWG URL parser accepts. */
export const wireUrl = z.url({ error: 'must be a URL' })

/** A stored text. The wire has no bound for most; this one is far above any typed text, and far below 2 MB. */
export const wireText = (max = 255) => z.string().max(max, `must have at most ${max} characters`)

/** JSON that is stored as received. This bound of its text is far above anything written by hand. */
export const wireJson = (max = 20_000) =>
  z.unknown().refine((value) => value === undefined || JSON.stringify(value).length <= max, {
    error: `must have at most ${max} characters of JSON`,
  })

/** Validators drop this key without a word, as assigning it would change the object itself. */
const LOST_KEY = '__proto__'
const refuseLostKey = (given: unknown, context: z.core.$RefinementCtx) => {
  if (typeof given !== 'object' || given === null || !Object.hasOwn(given, LOST_KEY)) return given
  context.addIssue({ code: 'custom', message: 'must not have the key __proto__' })
  return z.NEVER
}

/** A JSON object with any keys that can be kept; arrays and null are refused. */
export const wireObject = preprocessed(refuseLostKey, z.record(z.string(), z.unknown()))

const TOLD_ENTRIES = 20

/**
 * A list of at most `max` entries. Checks the length before the entries, and those only up to the first mistakes: a
 * million mistakes must not produce a million sentences.
 */
export function wireList<T extends z.ZodType>(entry: T, max: number): z.ZodType<z.output<T>[], z.input<T>[]> {
  const look = (value: unknown, context: z.core.$RefinementCtx) => {
    if (!Array.isArray(value)) return value
    if (value.length > max) {
      const message = `must have at most ${max} entries`
      context.addIssue({ code: 'too_big', origin: 'array', maximum: max, inclusive: true, input: value, message })
      return z.NEVER
    }
    // Short ones are left to the list itself.
    for (let index = 0, told = 0; value.length > TOLD_ENTRIES && index < value.length && told < TOLD_ENTRIES; index++) {
      const { error } = entry.safeParse(value[index], { reportInput: true })
      if (!error) continue
      told++
      // The same issue one level up: a finished issue has all that a raw one needs.
      for (const issue of error.issues) context.issues.push({ ...issue, path: [index, ...issue.path] } as z.core.$ZodRawIssue)
    }
    return value
  }
  return preprocessed(look, z.array(entry).max(max))
}

/** An object of at most `max` keys, counted before they are looked at. */
export function wireRecord<K extends z.ZodString, V extends z.ZodType>(
  key: K,
  value: V,
  max: number,
): z.ZodType<Record<string, z.output<V>>, Record<string, z.input<V>>> {
  const check = (given: unknown, context: z.core.$RefinementCtx) => {
    if (typeof given !== 'object' || given === null || Object.keys(given).length <= max) return refuseLostKey(given, context)
    context.addIssue({ code: 'custom', message: `must have at most ${max} entries` })
    return z.NEVER
  }
  const record: z.ZodType = z.record(key, value)
  return preprocessed(check, record as z.ZodType<Record<string, z.output<V>>, Record<string, z.input<V>>>) // V is never optional
}

/** Names of internal squads and config profiles; spaces and 30 characters since 2.1.19. */
export const wireName = z
  .string()
  .min(2, 'must have at least 2 characters')
  .max(30, 'must have at most 30 characters')
  .regex(
    /^[A-Za-z0-9_-](?:[A-Za-z0-9_ -]*[A-Za-z0-9_-])?$/,
    'may contain only letters, digits, underscores, dashes, and spaces between them',
  )

/** One tag of a thing. */
export const tagName = (max: number) =>
  z
    .string()
    .max(max, `must have at most ${max} characters`)
    .regex(/^[A-Z0-9_:]+$/, 'may contain only uppercase letters, digits, underscores and colons')

/** A structured query parameter: JSON text in the query string; callers in TypeScript give the value itself. */
export function jsonText<T extends z.ZodType>(schema: T): z.ZodType<z.output<T>, z.input<T>> {
  const read = (value: unknown, context: z.core.$RefinementCtx) => {
    if (typeof value !== 'string') return value
    try {
      return JSON.parse(value) as unknown
    } catch {
      context.addIssue({ code: 'custom', message: 'must be JSON text' })
      return z.NEVER
    }
  }
  return preprocessed(read, schema)
}

/** preprocess() forgets the input type: callers give what the schema takes. */
function preprocessed<T extends z.ZodType>(
  check: (value: unknown, context: z.core.$RefinementCtx) => unknown,
  schema: T,
): z.ZodType<z.output<T>, z.input<T>> {
  return z.preprocess(check, schema) as unknown as z.ZodType<z.output<T>, z.input<T>>
}

/** A number in query text. */
export const queryNumber = z.coerce.number<number | string>()

/** Which part of a long list: how many rows to pass over, and how many to give. */
export const page = z.object({
  start: queryNumber.min(0, 'must be at least 0').refine(Number.isInteger, 'must be a whole number').optional(),
  size: queryNumber
    .min(1, 'must be at least 1')
    .max(500, 'must be at most 500')
    .refine(Number.isInteger, 'must be a whole number')
    .optional(),
})

function isDateTime(text: string): boolean {
  const match = DATE_TIME.exec(text)
  if (!match) return false
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  return month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month)
}

function daysInMonth(year: number, month: number): number {
  const isLeapYear = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  return [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0
}
