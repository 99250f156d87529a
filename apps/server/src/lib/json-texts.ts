import { LRUCache } from 'lru-cache'
import { z } from 'zod'

// JSON written from the texts that the database sends, byte for byte as a response schema would write it from values.

/** A row as the database sends it: the text of each column. */
export type TextRow = readonly (string | null)[]
export type WriteRow = (row: TextRow) => string

/**
 * Writes the keys that the schema names, each from the column of its name or as given, and nothing else.
 * @throws Error when nothing is known of a key that the schema asks for
 */
export function objectWriter(schema: z.ZodObject, columns: readonly string[], given: Record<string, WriteRow> = {}): WriteRow {
  const { properties = {}, required = [] } = toSchema(schema)
  const parts: { before: string; write: WriteRow }[] = []
  for (const [key, property] of Object.entries(properties)) {
    const write = given[key] ?? columnWriter(property, columns.indexOf(key))
    if (write) parts.push({ before: `${parts.length > 0 ? ',' : '{'}${JSON.stringify(key)}:`, write })
    else if (required.includes(key)) throw new Error(`The contract asks for ${key}, which is no column of this statement.`)
  }
  return (row) => {
    let text = ''
    for (const { before, write } of parts) text += before + write(row)
    return `${text}}`
  }
}

/** Two large pages; 4 kB each. */
const KEPT_ROWS = 2000

/**
 * Keeps what was written of a row, found by the column `key`, as long as the database sends the same row: looking whether it
 * does takes a tenth of writing it. The column `unused` is not written.
 */
export function keptByRow(
  columns: readonly string[],
  write: WriteRow,
  { key, unused }: { key: string; unused: string },
): WriteRow {
  const kept = new LRUCache<string, { row: TextRow; written: string }>({ max: KEPT_ROWS })
  const keyOf = textAt(columns, key)
  const skipped = columns.indexOf(unused)
  return (row) => {
    const known = kept.get(keyOf(row) ?? '')
    if (known?.row.every((cell, index) => cell === row[index] || index === skipped)) return known.written
    const written = inOnePiece(write(row))
    kept.set(keyOf(row) ?? '', { row, written })
    return written
  }
}

/** A text put together of many is copied from all of them each time it is written, which takes a hundred times as long. */
function inOnePiece(text: string): string {
  return Buffer.from(text).toString()
}

const LIKELY_ROW = 1500
const MOST_BYTES_PER_UNIT = 3

/** A list of what is written of each row, between two texts, as bytes: joined as texts, so many pieces cost twice as much. */
export function writtenList(before: string, rows: readonly TextRow[], write: WriteRow, after: string): Buffer {
  let bytes = Buffer.allocUnsafe(LIKELY_ROW * (rows.length + 1))
  let length = 0
  const add = (text: string) => {
    const needed = length + text.length * MOST_BYTES_PER_UNIT
    if (needed > bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, bytes.length * 2))
      bytes.copy(larger, 0, 0, length)
      bytes = larger
    }
    length += bytes.write(text, length)
  }
  add(before)
  for (const [index, row] of rows.entries()) {
    if (index > 0) add(',')
    add(write(row))
  }
  add(after)
  return bytes.subarray(0, length)
}

/** A text of the column, which is there. */
export function textAt(columns: readonly string[], name: string): (row: TextRow) => string | null {
  const index = columns.indexOf(name)
  if (index === -1) throw new Error(`${name} is no column of this statement.`)
  return (row) => row[index] ?? null
}

type Property = z.core.JSONSchema._JSONSchema

const known = new WeakMap<z.ZodObject, z.core.JSONSchema.BaseSchema>()

function toSchema(schema: z.ZodObject): z.core.JSONSchema.BaseSchema {
  const made =
    known.get(schema) ?? z.toJSONSchema(schema, { io: 'output', target: 'openapi-3.0', reused: 'inline', unrepresentable: 'any' })
  known.set(schema, made)
  return made
}

function columnWriter(property: Property, index: number): WriteRow | undefined {
  if (index === -1) return undefined
  const write = valueWriter(property)
  return (row) => {
    const text = row[index]
    return text === null || text === undefined ? 'null' : write(text)
  }
}

function valueWriter(property: Property): (text: string) => string {
  const { type, format, enum: among } = typeof property === 'boolean' ? {} : property
  if (type === 'integer' || type === 'number') return jsonNumber
  if (type === 'boolean') return (text) => (text === 't' ? 'true' : 'false')
  if (type !== 'string') throw new Error(`A ${String(type)} is not written from the text of a column.`)
  if (format === 'uuid' || among) return (text) => `"${text}"` // nothing in them is escaped
  return format === 'date-time' ? jsonInstant : jsonText
}

/** Longer ones are rounded, as they are everywhere. */
const MAX_EXACT_DIGITS = 15

/** A whole number. */
function jsonNumber(text: string): string {
  return text.length <= MAX_EXACT_DIGITS ? text : String(Number(text))
}

// oxlint-disable-next-line no-control-regex -- these are what JSON escapes
const ESCAPED = /[\u0000-\u001f"\\]/

export function jsonText(text: string): string {
  return ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`
}

const SECONDS_END = 19
const ZONE = '+00'

/** An instant as connections in UTC send it, `2026-01-31 12:00:00.5+00`, to the millisecond. */
export function jsonInstant(text: string): string {
  const end = text.length - ZONE.length
  if (text[4] !== '-' || !text.endsWith(ZONE)) return rareInstant(text)
  const thousandths =
    end === SECONDS_END
      ? '000'
      : text
          .slice(SECONDS_END + 1, end)
          .slice(0, 3)
          .padEnd(3, '0')
  return `"${text.slice(0, 10)}T${text.slice(11, SECONDS_END)}.${thousandths}Z"`
}

/** Of years before 1 or after 9999. */
function rareInstant(text: string): string {
  const [, year, rest, era] = /^(\d+)(-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?)\+00( BC)?$/.exec(text) ?? []
  if (year === undefined || rest === undefined) throw new Error(`${text} is no instant of a connection in UTC.`)
  const number = era ? 1 - Number(year) : Number(year)
  const iso = `${number < 0 ? '-' : '+'}${String(Math.abs(number)).padStart(6, '0')}${rest.replace(' ', 'T')}Z`
  return JSON.stringify(new Date(iso))
}
