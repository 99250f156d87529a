import { LineCutter } from './copy-text.ts'

// A plain SQL dump, as pg_dump and pg_dumpall write it, read as a stream.

/** Rows of a table that stand together in the dump, still as text. */
export interface DumpedLines {
  table: string
  columns: readonly string[]
  lines: string[]
}

const COPY = /^COPY public\.("?)([^" ]+)\1 \((.*)\) FROM stdin;$/
const BEGUN = /^-- PostgreSQL database (?:cluster )?dump/
const COMPLETE = /^-- PostgreSQL database (?:cluster )?dump complete/
const ENCODING = /^SET client_encoding = '([^']+)';/

/** Finds the rows of tables in a dump. Every failure is a sentence with the place. */
export class DumpScanner {
  readonly #cutter = new LineCutter()
  #number = 0
  #table: { name: string; columns: string[] } | undefined
  #isBegun = false
  #isComplete = false

  /** Tables that begin in this piece stand in it even without rows. */
  scan(text: string): DumpedLines[] {
    const found: DumpedLines[] = []
    let current = this.#table && this.#begin(found)
    for (const cut of this.#cutter.cut(text)) {
      this.#number++
      // Of an editor or a copy on Windows. In a value of the dump it is written as an escape.
      const line = cut.endsWith('\r') ? cut.slice(0, -1) : cut
      if (!this.#table) {
        this.#readStatement(line)
        if (this.#table) current = this.#begin(found)
      } else if (line === '\\.') this.#table = undefined
      else current?.lines.push(line)
    }
    return found
  }

  /** @throws Error when the dump ends before its end */
  finish(): void {
    if (this.#table) throw new Error(`it is cut off in the table ${this.#table.name}, at line ${this.#number + 1}.`)
    if (!this.#isBegun && !BEGUN.test(this.#cutter.rest))
      throw new Error('it is not a dump that pg_dump has written. Make one with pg_dump --format=plain.')
    if (!this.#isComplete && !COMPLETE.test(this.#cutter.rest))
      throw new Error(`it is cut off after line ${this.#number}: the note of pg_dump that it is complete is missing.`)
  }

  /** For sentences about a row that was just given. */
  get place(): string {
    return `line ${this.#number}`
  }

  #begin(found: DumpedLines[]): DumpedLines {
    const { name, columns } = this.#table ?? { name: '', columns: [] }
    const begun = { table: name, columns, lines: [] }
    found.push(begun)
    return begun
  }

  #readStatement(line: string): void {
    const copied = COPY.exec(line)
    if (copied) {
      this.#table = { name: copied[2] ?? '', columns: (copied[3] ?? '').split(', ').map((name) => name.replaceAll('"', '')) }
      return
    }
    if (BEGUN.test(line)) this.#isBegun = true
    if (COMPLETE.test(line)) this.#isComplete = true
    const encoding = ENCODING.exec(line)?.[1]
    if (encoding !== undefined && encoding !== 'UTF8')
      throw new Error(`it is written in ${encoding} (line ${this.#number}). Make one with pg_dump --encoding=UTF8.`)
    if (line.startsWith('INSERT INTO '))
      throw new Error(`it has its rows as INSERT statements (line ${this.#number}). Make one without --inserts.`)
  }
}
