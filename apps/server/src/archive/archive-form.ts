import { createHash, type Hash } from 'node:crypto'
import { wireInstant } from '@causeway/contract'
import { z } from 'zod'

// The text of an archive (docs/archive.md): a head, a line for each row, kind by kind, and an end with checksums.

const ARCHIVE_VERSION = 3

const head = z.object({
  archive: z.literal('causeway'),
  version: z.number(),
  madeAt: wireInstant,
  madeBy: z.string(),
  /** Says which layout the rows have: that of a database with exactly these migrations. */
  migrations: z.array(z.string()),
  installationKey: z.string(),
  /** Months of usage that have a place of their own. */
  months: z.array(z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/)),
  /** Numbers given out last, by `<kind>.<field>`. */
  numbers: z.record(z.string(), z.number()),
  fields: z.record(z.string(), z.array(z.string())),
  counts: z.record(z.string(), z.number()),
})
const anyHead = z.object({ archive: z.literal('causeway'), version: z.number(), madeBy: z.string().optional() })
const end = z.object({ end: z.object({ headSha256: z.string(), linesSha256: z.string() }) })

export type ArchiveHead = z.output<typeof head>
/** Lines of one kind that follow each other, without what names the kind: `{"id":1,…}`. */
export interface Rows {
  kind: string
  rows: Buffer[]
}
export interface Ending {
  head: ArchiveHead
  linesSha256: string
}

/** Rows that are given on together: bounds memory. */
const ROWS_TOGETHER = 5000
const BYTES_TOGETHER = 2 ** 22
/** A configuration with everything that belongs to it in the history has some tens of megabytes. */
const LONGEST_LINE = 2 ** 28
const NEWLINE = 10
const END = Buffer.from('{"end":')
/** Of a line: what closes it, and its line break. */
const CLOSED_LENGTH = 2

export const sha256 = (): Hash => createHash('sha256')

export function headLine(given: Omit<ArchiveHead, 'archive' | 'version'>): Buffer {
  return Buffer.from(`${JSON.stringify({ archive: 'causeway', version: ARCHIVE_VERSION, ...given })}\n`)
}

export function endLine(headSha256: string, linesSha256: string): Buffer {
  return Buffer.from(`${JSON.stringify({ end: { headSha256, linesSha256 } })}\n`)
}

export const beginningOf = (kind: string) => `{${JSON.stringify(kind)}:`

/**
 * Reads an archive: first the head, then rows. It has been checked in full once this ends.
 * @throws Error with a sentence that names the line
 */
export async function* readArchive(text: AsyncIterable<Buffer>): AsyncGenerator<ArchiveHead | Rows, Ending, undefined> {
  const reader = new Reader()
  for await (const chunk of text) yield* reader.read(chunk)
  const last = reader.takeRows()
  if (last) yield last
  return reader.finish()
}

class Reader {
  #number = 0
  #head: ArchiveHead | undefined
  #headSha256 = ''
  readonly #hash = sha256()
  #linesSha256: string | undefined
  #rows: Rows | undefined
  #kind = ''
  /** Of lines of this kind. */
  #beginning: Buffer = Buffer.alloc(0)
  #bytes = 0
  #rest: Buffer = Buffer.alloc(0)
  readonly #counts = new Map<string, number>()

  /** The lines that are whole once this chunk is there. */
  read(chunk: Buffer): (ArchiveHead | Rows)[] {
    const ready: (ArchiveHead | Rows)[] = []
    const text = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    let [from, hashedTo] = [0, 0]
    for (let at = text.indexOf(NEWLINE); at >= 0; at = text.indexOf(NEWLINE, from)) {
      this.#number++
      const line = text.subarray(from, at + 1)
      if (!this.#head) {
        ready.push((this.#head = this.#readHead(line)))
        hashedTo = at + 1
      } else if (this.#linesSha256 !== undefined) this.#refuse('stands after the end of the archive')
      else if (beginsWith(line, END)) {
        this.#hash.update(text.subarray(hashedTo, from))
        this.#readEnd(line)
      } else {
        const full = this.#addRow(line, this.#head)
        if (full) ready.push(full)
      }
      from = at + 1
    }
    if (this.#head && this.#linesSha256 === undefined) this.#hash.update(text.subarray(hashedTo, from))
    this.#rest = text.subarray(from)
    if (this.#rest.length > LONGEST_LINE) {
      this.#number++
      this.#refuse('is longer than any that a Causeway writes')
    }
    return ready
  }

  #addRow(line: Buffer, { fields }: ArchiveHead): Rows | undefined {
    const begins = this.#beginning
    const isSame = begins.length > 0 && beginsWith(line, begins)
    const kind = isSame ? this.#kind : (kindOf(line) ?? this.#refuse('is not a row of a kind'))
    if (!Object.hasOwn(fields, kind)) this.#refuse(`is of the kind ${kind}, which the head of the archive does not name`)
    const isFull = this.#rows && (!isSame || this.#rows.rows.length >= ROWS_TOGETHER || this.#bytes >= BYTES_TOGETHER)
    const full = isFull ? this.takeRows() : undefined
    this.#kind = kind
    if (!isSame) this.#beginning = Buffer.from(beginningOf(kind))
    this.#rows ??= { kind, rows: [] }
    this.#rows.rows.push(line.subarray(this.#beginning.length, line.length - CLOSED_LENGTH))
    this.#bytes += line.length
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1)
    return full
  }

  takeRows(): Rows | undefined {
    const rows = this.#rows
    this.#rows = undefined
    this.#bytes = 0
    return rows
  }

  finish(): Ending {
    if (this.#number === 0) throw new Error('The archive is empty.')
    if (this.#rest.length > 0) throw new Error(`The archive is cut off in line ${this.#number + 1}.`)
    if (!this.#head || this.#linesSha256 === undefined)
      throw new Error(`The archive is cut off after line ${this.#number}: its last line is missing.`)
    return { head: this.#head, linesSha256: this.#linesSha256 }
  }

  #readHead(line: Buffer): ArchiveHead {
    const value = parsed(line)
    const known = anyHead.safeParse(value)
    if (!known.success) throw new Error('This is no archive of Causeway: its first line does not say so.')
    if (known.data.version > ARCHIVE_VERSION)
      throw new Error(
        `The archive was made by ${known.data.madeBy ?? 'a newer Causeway'} in version ${known.data.version} of the form, and this program reads version ${ARCHIVE_VERSION}. Use a newer Causeway.`,
      )
    if (known.data.version < ARCHIVE_VERSION)
      throw new Error(`The archive has version ${known.data.version} of the form, which no release has written.`)
    const found = head.safeParse(value)
    if (!found.success) {
      const [issue] = found.error.issues
      throw new Error(`The first line of the archive has a wrong ${issue?.path.join('.')}: ${issue?.message}.`)
    }
    this.#headSha256 = sha256().update(line).digest('hex')
    return found.data
  }

  #readEnd(line: Buffer): void {
    const found = end.safeParse(parsed(line))
    const linesSha256 = this.#hash.digest('hex')
    if (!found.success || found.data.end.headSha256 !== this.#headSha256 || found.data.end.linesSha256 !== linesSha256)
      this.#refuse('has another checksum than the lines before it, so that some of them are not as they were written')
    for (const [kind, count] of Object.entries(this.#head?.counts ?? {}))
      if ((this.#counts.get(kind) ?? 0) !== count)
        this.#refuse(`ends an archive of ${this.#counts.get(kind) ?? 0} rows of the kind ${kind}, where its head names ${count}`)
    this.#linesSha256 = linesSha256
  }

  #refuse(what: string): never {
    throw new Error(`Line ${this.#number} of the archive ${what}.`)
  }
}

/** Compared where they stand: this is asked of every line. */
function beginsWith(line: Buffer, text: Buffer): boolean {
  return line.length > text.length && line.compare(text, 0, text.length, 0, text.length) === 0
}

function kindOf(line: Buffer): string | undefined {
  const close = line.indexOf('":{')
  if (close < 0 || line[0] !== 0x7b || line[1] !== 0x22 || line.at(-2) !== 0x7d) return undefined
  return line.toString('latin1', 2, close)
}

function parsed(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString('utf8'))
  } catch {
    return undefined
  }
}
