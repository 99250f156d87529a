import type { SourceRow } from './copy-text.ts'
import type { Findings } from './findings.ts'

const TIMESTAMP = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)(?:\+00)?$/
export const NEVER = '2099-12-31T00:00:00.000Z'
export const LONG_AGO = '1970-01-01T00:00:00.000Z'
const MOST = Number.MAX_SAFE_INTEGER

interface Bounds {
  min: number
  max?: number
  /** In the place of none. */
  none?: number
}

/** The values of a row. What cannot be is noted and replaced. */
export class Cells {
  readonly #row: SourceRow
  readonly #findings: Findings
  readonly #name: string

  /** `name` says in findings which row it is. */
  constructor(row: SourceRow, findings: Findings, name: string) {
    this.#row = row
    this.#findings = findings
    this.#name = name
  }

  text(column: string): string {
    return this.#row[column] ?? ''
  }

  maybeText(column: string): string | null {
    return this.#row[column] ?? null
  }

  /** PostgreSQL writes `t`, SQLite 1. */
  flag(column: string): boolean {
    return this.#row[column] === 't' || this.#row[column] === '1'
  }

  /** A whole number within bounds; the nearest bound otherwise. */
  whole(column: string, { min, max = MOST, none = min }: Bounds): number {
    const text = this.#row[column] ?? null
    if (text === null) return none
    const value = Number(text)
    if (Number.isInteger(value) && value >= min && value <= max) return value
    const nearest = value < min ? min : value > max ? max : none
    return this.replaced(column, text, nearest)
  }

  bytes(column: string): number {
    return this.whole(column, { min: 0 })
  }

  /** A whole number, or none where it is out of bounds. */
  maybeWhole(column: string, { min, max = MOST }: Bounds): number | null {
    const text = this.#row[column] ?? null
    if (text === null) return null
    const value = Number(text)
    return Number.isInteger(value) && value >= min && value <= max ? value : this.replaced(column, text, null)
  }

  instant(column: string, unreadable = NEVER): string {
    return this.maybeInstant(column, unreadable) ?? this.replaced(column, 'none', LONG_AGO)
  }

  /** Without a zone, as the source writes them: in UTC. */
  maybeInstant(column: string, unreadable = NEVER): string | null {
    const text = this.#row[column] ?? null
    if (text === null) return null
    const [, date, time] = TIMESTAMP.exec(text) ?? []
    if (date !== undefined && time !== undefined) return `${date}T${time}Z`
    return this.replaced(column, text, text.startsWith('-') || text.endsWith('BC') ? LONG_AGO : unreadable)
  }

  json(column: string): unknown {
    const text = this.#row[column] ?? null
    if (text === null) return null
    try {
      return JSON.parse(text)
    } catch {
      return this.replaced(column, text.slice(0, 100), null)
    }
  }

  /** An array of texts, as PostgreSQL writes it: `{A,"B C"}`. None where the column is missing. */
  list(column: string): string[] {
    const text = this.#row[column] ?? '{}'
    const items = [...text.slice(1, -1).matchAll(/"((?:[^"\\]|\\.)*)"|([^,]+)/g)]
    return items.map(([, quoted, plain]) => quoted?.replaceAll(/\\(.)/g, '$1') ?? plain ?? '')
  }

  has(column: string): boolean {
    return this.#row[column] !== undefined
  }

  /** Notes that the value was replaced, and gives the other. */
  replaced<T>(column: string, was: string, becomes: T): T {
    const other = becomes === null ? 'none' : String(becomes)
    this.#findings.note('impossibleValue', `${this.#name}: ${column} ${was} becomes ${other}`)
    return becomes
  }
}
