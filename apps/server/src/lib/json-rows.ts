import { crc32 } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { columnAt, MAX_EXACT_DIGITS, type RowTaker, type SentRow } from './sent-rows.ts'

// JSON written from the rows that the database sends, byte for byte as a response schema would write it from values. Nothing on
// the way is made a text: as texts, cutting and joining the cells of 1,000 users took twice as long.

/** Writes something of a row. */
export type WriteRow = (row: SentRow, to: JsonBytes) => void

/** JSON as bytes, as far as it has been written. */
class JsonBytes {
  bytes: Buffer
  length = 0

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  /** Makes room for so many bytes more. */
  reserve(more: number): void {
    if (this.length + more <= this.bytes.length) return
    const larger = Buffer.allocUnsafe(Math.max(this.length + more, this.bytes.length * 2))
    this.bytes.copy(larger, 0, 0, this.length)
    this.bytes = larger
  }

  add(json: string): void {
    this.reserve(json.length * MOST_BYTES_PER_UNIT)
    this.length += this.bytes.write(json, this.length)
  }

  addBytes(from: Buffer): void {
    this.reserve(from.length)
    this.length += from.copy(this.bytes, this.length)
  }

  /** So few bytes are copied more quickly one by one. */
  copy(from: Uint8Array, start: number, end: number): void {
    this.reserve(end - start)
    const { bytes } = this
    let { length } = this
    for (let at = start; at < end; at++) bytes[length++] = from[at] ?? 0
    this.length = length
  }

  byte(code: number): void {
    this.reserve(1)
    this.bytes[this.length++] = code
  }
}

const MOST_BYTES_PER_UNIT = 3
const LIKELY_ROW = 2000

/** Smaller ones cost the collector next to nothing. */
const LEAST_KEPT_BYTES = 256 * 1024
const MOST_KEPT_BYTES = 8 * 1024 * 1024
const MOST_KEPT_BUFFERS = 4

/** Memory of large lists, to be used again: each allocated anew, they keep the collector busy half of the time. */
export class ListMemory {
  readonly #free: Buffer[] = []

  take(likelyBytes: number): Buffer {
    return (likelyBytes < LEAST_KEPT_BYTES ? undefined : this.#free.pop()) ?? Buffer.allocUnsafe(likelyBytes)
  }

  /** The bytes may be overwritten from now on. */
  give(bytes: Buffer): void {
    const isKept = bytes.length >= LEAST_KEPT_BYTES && bytes.length <= MOST_KEPT_BYTES
    if (isKept && this.#free.length < MOST_KEPT_BUFFERS) this.#free.push(bytes)
  }
}

/** Writes a list of rows as they come, each by what is good for its columns. */
export class JsonList implements RowTaker {
  count = 0
  readonly #before: string
  readonly #writerOf: (columns: readonly string[]) => WriteRow
  readonly #to: JsonBytes
  readonly #memory: ListMemory
  #write: WriteRow | undefined

  constructor(before: string, likelyRows: number, memory: ListMemory, writerOf: (columns: readonly string[]) => WriteRow) {
    this.#before = before
    this.#writerOf = writerOf
    this.#memory = memory
    this.#to = new JsonBytes(memory.take(LIKELY_ROW * (likelyRows + 1)))
  }

  begin(): void {
    this.count = 0
    this.#write = undefined
    this.#to.length = 0
    this.#to.add(this.#before)
  }

  take(row: SentRow, columns: readonly string[]): void {
    this.#write ??= this.#writerOf(columns)
    if (this.count > 0) this.#to.byte(COMMA)
    this.#write(row, this.#to)
    this.count++
  }

  end(after: string): Buffer {
    this.#to.add(after)
    return this.#to.bytes.subarray(0, this.#to.length)
  }

  /** Once, when what `end` gave is read no more. */
  release(): void {
    this.#memory.give(this.#to.bytes)
  }
}

/**
 * Writes the keys that the schema names, each from the column of its name or as given, and nothing else.
 * @throws Error when nothing is known of a key that the schema asks for
 */
export function objectWriter(schema: z.ZodObject, columns: readonly string[], given: Record<string, WriteRow> = {}): WriteRow {
  const { properties = {}, required = [] } = toSchema(schema)
  const parts: { before: Buffer; write: WriteRow }[] = []
  for (const [key, property] of Object.entries(properties)) {
    const write = given[key] ?? columnWriter(property, columns.indexOf(key))
    if (write) parts.push({ before: Buffer.from(`${parts.length > 0 ? ',' : '{'}${JSON.stringify(key)}:`), write })
    else if (required.includes(key)) throw new Error(`The contract asks for ${key}, which is no column of this statement.`)
  }
  return (row, to) => {
    for (const { before, write } of parts) {
      to.copy(before, 0, before.length)
      write(row, to)
    }
    to.byte(CLOSING)
  }
}

/** Two large pages; 4 kB each. */
const KEPT_ROWS = 2000

/** A row that has come once is told by a sum, since most that come once do not come again. */
interface KeptRow {
  sum: number
  same?: { row: Buffer; written: Buffer }
}

/**
 * Caches the text of a repeated row, keyed by the column `key`, as long as the database sends the same row. Comparing
 * takes a tenth of writing it. The last column, `unused`, is not written.
 */
export function keptByRow(
  columns: readonly string[],
  write: WriteRow,
  { key, unused }: { key: string; unused: string },
): WriteRow {
  const kept = new LRUCache<string, KeptRow>({ max: KEPT_ROWS })
  const [id, last] = [columnAt(columns, key), columnAt(columns, unused)]
  if (last !== columns.length - 1) throw new Error(`${unused} is not the last column of this statement.`)
  return (row, to) => {
    const name = row.text(id) ?? ''
    const known = kept.get(name)
    const now = row.until(last)
    if (known?.same && known.same.row.equals(now)) return to.addBytes(known.same.written)
    const before = to.length
    write(row, to)
    const sum = crc32(now)
    const isAgain = known?.sum === sum
    const same = isAgain ? { row: Buffer.from(now), written: Buffer.from(to.bytes.subarray(before, to.length)) } : undefined
    kept.set(name, same ? { sum, same } : { sum })
  }
}

type Property = z.core.JSONSchema._JSONSchema

const known = new WeakMap<z.ZodObject, z.core.JSONSchema.BaseSchema>()

function toSchema(schema: z.ZodObject): z.core.JSONSchema.BaseSchema {
  const made =
    known.get(schema) ?? z.toJSONSchema(schema, { io: 'output', target: 'openapi-3.0', reused: 'inline', unrepresentable: 'any' })
  known.set(schema, made)
  return made
}

function columnWriter(property: Property, column: number): WriteRow | undefined {
  if (column === -1) return undefined
  const write = cellWriter(property)
  return (row, to) => {
    if (row.has(column)) write(row.bytes, row.starts[column] ?? 0, row.ends[column] ?? 0, to)
    else to.copy(NULL, 0, NULL.length)
  }
}

/** Writes the text of a cell. */
type WriteCell = (from: Buffer, start: number, end: number, to: JsonBytes) => void

function cellWriter(property: Property): WriteCell {
  const { type, format, enum: among } = typeof property === 'boolean' ? {} : property
  if (type === 'integer' || type === 'number') return writeNumber
  if (type === 'boolean') return (from, start, _, to) => to.add(from[start] === TRUE ? 'true' : 'false')
  if (type !== 'string') throw new Error(`A ${String(type)} is not written from the text of a column.`)
  if (format === 'uuid' || among) return writePlain
  return format === 'date-time' ? writeInstant : writeText
}

const NULL = Buffer.from('null')
const QUOTE = codeOf('"')
const BACKSLASH = codeOf('\\')
const COMMA = codeOf(',')
const CLOSING = codeOf('}')
const ZERO = codeOf('0')
const DASH = codeOf('-')
const PLUS = codeOf('+')
const DOT = codeOf('.')
const T = codeOf('T')
const Z = codeOf('Z')
const TRUE = codeOf('t')

function codeOf(sign: string): number {
  return sign.charCodeAt(0)
}

/** A whole number. */
function writeNumber(from: Buffer, start: number, end: number, to: JsonBytes): void {
  if (end - start <= MAX_EXACT_DIGITS) to.copy(from, start, end)
  else to.add(String(Number(from.toString('latin1', start, end))))
}

/** Texts without characters to escape. */
function writePlain(from: Buffer, start: number, end: number, to: JsonBytes): void {
  to.byte(QUOTE)
  to.copy(from, start, end)
  to.byte(QUOTE)
}

const FIRST_PLAIN = 0x20

function writeText(from: Buffer, start: number, end: number, to: JsonBytes): void {
  for (let at = start; at < end; at++) {
    const code = from[at] ?? 0
    if (code < FIRST_PLAIN || code === QUOTE || code === BACKSLASH)
      return to.add(JSON.stringify(from.toString('utf8', start, end)))
  }
  writePlain(from, start, end, to)
}

const [YEAR, DAY, SECONDS, THOUSANDTHS] = [4, 10, 19, 3]
const ZONE = 3

/** An instant as connections in UTC send it, `2026-01-31 12:00:00.5+00`, to the millisecond. */
function writeInstant(from: Buffer, start: number, end: number, to: JsonBytes): void {
  const zone = end - ZONE
  const isInZone = from[zone] === PLUS && from[zone + 1] === ZERO && from[zone + 2] === ZERO
  if (from[start + YEAR] !== DASH || !isInZone) return to.add(rareInstant(from.toString('latin1', start, end)))
  to.byte(QUOTE)
  to.copy(from, start, start + DAY)
  to.byte(T)
  to.copy(from, start + DAY + 1, start + SECONDS)
  to.byte(DOT)
  const thousandths = start + SECONDS + 1
  for (let at = thousandths; at < thousandths + THOUSANDTHS; at++) to.byte(at < zone ? (from[at] ?? ZERO) : ZERO)
  to.byte(Z)
  to.byte(QUOTE)
}

/** Of years before 1 or after 9999. */
function rareInstant(text: string): string {
  const [, year, rest, era] = /^(\d+)(-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?)\+00( BC)?$/.exec(text) ?? []
  if (year === undefined || rest === undefined) throw new Error(`${text} is no instant of a connection in UTC.`)
  const number = era ? 1 - Number(year) : Number(year)
  const iso = `${number < 0 ? '-' : '+'}${String(Math.abs(number)).padStart(6, '0')}${rest.replace(' ', 'T')}Z`
  return JSON.stringify(new Date(iso))
}
