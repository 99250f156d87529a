import { wireInstant } from '@causeway/contract'
import { z } from 'zod'
import { kinds, kindNames, type Counts, type Kind, type Line } from './kinds.ts'

// The text of an archive: a head, one line for each thing, and an end with a checksum (docs/archive.md).

const ARCHIVE_VERSION = 2

/** SHA-256 of what was added so far, in hexadecimal; packages have no cryptography of their own. */
export interface Checksum {
  update(text: string): unknown
  digest(encoding: 'hex'): string
}

const head = z.object({
  archive: z.literal('causeway'),
  version: z.number(),
  madeAt: wireInstant,
  madeBy: z.string(),
  counts: z.partialRecord(z.enum(kindNames), z.number()),
})
const end = z.object({ kind: z.literal('end'), sha256: z.string() })
const anyKind = z.object({ kind: z.string() })

export type ArchiveHead = z.output<typeof head>

/** Writes the lines of an archive; each is given with its line break. */
export class ArchiveWriter {
  readonly #checksum: Checksum

  constructor(checksum: Checksum) {
    this.#checksum = checksum
  }

  begin(facts: { madeAt: string; madeBy: string; counts: Counts }): string {
    return this.#line({ archive: 'causeway', version: ARCHIVE_VERSION, ...facts })
  }

  line(line: Line): string {
    return this.#line(line)
  }

  end(): string {
    return `${JSON.stringify({ kind: 'end', sha256: this.#checksum.digest('hex') })}\n`
  }

  #line(value: object): string {
    const text = `${JSON.stringify(value)}\n`
    this.#checksum.update(text)
    return text
  }
}

/** Reads an archive line by line. Every failure names the line. */
export class ArchiveReader {
  readonly #checksum: Checksum
  readonly #counted: Partial<Record<Kind, number>> = {}
  #head: ArchiveHead | undefined
  #isEnded = false
  #number = 0

  constructor(checksum: Checksum) {
    this.#checksum = checksum
  }

  /** What the head says, once it has been read. */
  get head(): ArchiveHead | undefined {
    return this.#head
  }

  /** The line's content; none for the head and the end. @throws Error with a sentence */
  read(text: string): Line | undefined {
    this.#number++
    if (this.#isEnded) return this.#refuse('stands after the end of the archive')
    const value = this.#parse(text)
    if (!this.#head) {
      this.#readHead(value)
      this.#checksum.update(`${text}\n`)
      return undefined
    }
    const name = anyKind.safeParse(value).data?.kind ?? ''
    if (name === 'end') return this.#readEnd(value)
    this.#checksum.update(`${text}\n`)
    if (!isKind(name)) return this.#refuse(`is of the unknown kind ${JSON.stringify(name)}`)
    const parsed = kinds[name].safeParse(value)
    if (!parsed.success) {
      const [issue] = parsed.error.issues
      return this.#refuse(`has a wrong ${issue?.path.join('.') || name}: ${issue?.message}`)
    }
    this.#counted[name] = (this.#counted[name] ?? 0) + 1
    return { kind: name, ...parsed.data } as Line // checked by the schema of this very kind
  }

  /** @throws Error when the archive has no end, as after a copy that was cut off */
  finish(): void {
    if (!this.#head) throw new Error('The archive is empty.')
    if (!this.#isEnded) throw new Error(`The archive is cut off after line ${this.#number}: its last line is missing.`)
  }

  #parse(text: string): unknown {
    try {
      return JSON.parse(text)
    } catch {
      return this.#refuse('is no JSON')
    }
  }

  #readHead(value: unknown): void {
    const parsed = head.safeParse(value)
    if (!parsed.success) throw new Error('This is no archive of Causeway: its first line does not say so.')
    if (parsed.data.version !== ARCHIVE_VERSION)
      throw new Error(
        `The archive has version ${parsed.data.version} of its form, and this program reads version ${ARCHIVE_VERSION}. Use a newer Causeway.`,
      )
    this.#head = parsed.data
  }

  #readEnd(value: unknown): undefined {
    const { sha256 } = end.safeParse(value).data ?? this.#refuse('has no checksum')
    if (sha256 !== this.#checksum.digest('hex')) this.#refuse('has another checksum than the lines before it')
    for (const kind of kindNames) {
      const [found = 0, promised = 0] = [this.#counted[kind], this.#head?.counts[kind]]
      if (found !== promised)
        this.#refuse(`ends an archive of ${found} lines of the kind ${kind}, where its head names ${promised}`)
    }
    this.#isEnded = true
    return undefined
  }

  #refuse(what: string): never {
    throw new Error(`Line ${this.#number} of the archive ${what}.`)
  }
}

function isKind(name: string): name is Kind {
  return Object.hasOwn(kinds, name)
}
