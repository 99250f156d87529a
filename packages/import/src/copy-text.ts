// The text form of PostgreSQL's COPY, as a server sends it and a plain dump holds it.

/** A row of another installation by columns, each value as PostgreSQL writes it. */
export type SourceRow = Record<string, string | null>

const NULL = '\\N'
const ESCAPED: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }

/** @throws Error when the number of values is another than that of the columns */
export function readCopyRow(line: string, columns: readonly string[]): SourceRow {
  const values = line.split('\t')
  if (values.length !== columns.length)
    throw new Error(`a row has ${values.length} values, where the table has ${columns.length} columns`)
  const row: SourceRow = {}
  for (const [place, column] of columns.entries()) row[column] = valueOf(values[place] ?? '')
  return row
}

function valueOf(text: string): string | null {
  if (text === NULL) return null
  if (!text.includes('\\')) return text
  return text.replaceAll(/\\(.)/gs, (_, character: string) => ESCAPED[character] ?? character)
}

/** Cuts a stream of text into lines; what stands after the last line break waits for more. */
export class LineCutter {
  #rest = ''

  cut(text: string): string[] {
    const lines = (this.#rest + text).split('\n')
    this.#rest = lines.pop() ?? ''
    return lines
  }

  /** The rest that no line break ended. */
  get rest(): string {
    return this.#rest
  }
}
