const ZERO = 0x30
/** Longer numbers are rounded, as they are everywhere. */
export const MAX_EXACT_DIGITS = 15

/** How a row says that a cell has no value. */
const NONE = -1
const LENGTH_BYTES = 4

/** A row as the database sends it: how many cells it has, then of every cell its length and its text. */
export class SentRow {
  bytes: Buffer = Buffer.alloc(0)
  start = 0
  /** Where each cell begins and ends. */
  readonly starts: number[] = []
  readonly ends: number[] = []

  /** Stands for the row that begins here, until the next one is read. */
  read(bytes: Buffer, start: number): void {
    this.bytes = bytes
    this.start = start
    const { starts, ends } = this
    const cells = bytes.readInt16BE(start)
    let at = start + 2
    for (let cell = 0; cell < cells; cell++) {
      const length = bytes.readInt32BE(at)
      at += LENGTH_BYTES
      starts[cell] = at
      if (length !== NONE) at += length
      ends[cell] = length === NONE ? NONE : at
    }
  }

  /** All that it has before a column. */
  until(column: number): Buffer {
    return this.bytes.subarray(this.start, (this.starts[column] ?? 0) - LENGTH_BYTES)
  }

  has(column: number): boolean {
    return (this.ends[column] ?? NONE) !== NONE
  }

  text(column: number): string | null {
    return this.has(column) ? this.bytes.toString('utf8', this.starts[column], this.ends[column]) : null
  }

  /** A number, or 0 where there is none. */
  number(column: number): number {
    const [start = 0, end = NONE] = [this.starts[column], this.ends[column]]
    if (end - start > MAX_EXACT_DIGITS) return Number(this.text(column))
    let value = 0
    for (let at = start; at < end; at++) {
      const digit = (this.bytes[at] ?? 0) - ZERO
      if (digit < 0 || digit > 9) return Number(this.text(column))
      value = value * 10 + digit
    }
    return value
  }
}

/** A consumer of the rows of a statement as they arrive. */
export interface RowTaker {
  /** None have come yet: those of another statement are not wanted any more. */
  begin(): void
  /** The row is good until this is over. */
  take(row: SentRow, columns: readonly string[]): void
}

/** The place of a column, which is there. */
export function columnAt(columns: readonly string[], name: string): number {
  const index = columns.indexOf(name)
  if (index === -1) throw new Error(`${name} is no column of this statement.`)
  return index
}
