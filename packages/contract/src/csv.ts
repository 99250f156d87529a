/** Rows as RFC 4180 has them. Figures are given as numbers and stay numbers; texts cannot become formulas. */
export function csvText(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')
}

/** A spreadsheet would take these beginnings for a formula; the apostrophe makes them text. */
const FORMULA = /^[=+\-@\t\r\n]/

function cell(value: string | number): string {
  const text = typeof value === 'string' && FORMULA.test(value) ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const DELIMITERS = [',', ';', '\t']

/**
 * Cells of a text as RFC 4180 has them, with the delimiter that its first line has most of: spreadsheets of some languages
 * write semicolons. Lines without any cell are dropped; `line` is where a row begins in the text.
 */
export function readCsv(text: string): { line: number; cells: string[] }[] {
  const given = text.startsWith('\u{FEFF}') ? text.slice(1) : text
  const [head = ''] = given.split(/\r?\n/, 1)
  const delimiter = DELIMITERS.toSorted((one, other) => head.split(other).length - head.split(one).length)[0] ?? ','
  const rows: { line: number; cells: string[] }[] = []
  let [row, cell, isQuoted, line]: [{ line: number; cells: string[] }, string, boolean, number] = [
    { line: 1, cells: [] },
    '',
    false,
    1,
  ]
  const endRow = (): void => {
    row.cells.push(cell)
    if (row.cells.some((each) => each.trim() !== '')) rows.push(row)
    cell = ''
  }
  for (let at = 0; at < given.length; at++) {
    const sign = given[at] ?? ''
    if (sign === '\n') line++
    if (isQuoted) {
      if (sign !== '"') cell += sign
      else if (given[at + 1] === '"') cell += given[++at] ?? ''
      else isQuoted = false
    } else if (sign === '"' && cell === '') isQuoted = true
    else if (sign === delimiter) {
      row.cells.push(cell)
      cell = ''
    } else if (sign === '\n') {
      endRow()
      row = { line, cells: [] }
    } else if (sign !== '\r') cell += sign
  }
  endRow()
  return rows
}

/** What `csvText` puts before a text that a spreadsheet would take for a formula is taken away again. */
export function withoutGuard(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell
}
