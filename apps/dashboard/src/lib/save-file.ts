import { csvText } from '@causeway/contract'

/** Hands a text to the browser as a file to keep. */
export function saveFile(name: string, type: string, text: string): void {
  saveBlob(name, new Blob([text], { type: `${type};charset=utf-8` }))
}

/** Rows for a spreadsheet. The mark at the beginning tells it that this is UTF-8. */
export function saveCsv(name: string, rows: readonly (readonly (string | number)[])[]): void {
  saveFile(name, 'text/csv', `\u{FEFF}${csvText(rows)}`)
}

export type TableFormat = 'csv' | 'json'
type Cell = string | number | boolean | null | readonly string[]

/** Things of one kind as a file, named by the day. A column is a key of each of them. */
export function saveTable(name: string, format: TableFormat, things: readonly Readonly<Record<string, Cell>>[]): void {
  const file = `${name}-${new Date().toISOString().slice(0, 10)}.${format}`
  if (format === 'json') saveFile(file, 'application/json', `${JSON.stringify(things, null, 2)}\n`)
  else saveCsv(file, tableRows(things))
}

/** The names of the columns, then a row for each thing. */
export function tableRows(things: readonly Readonly<Record<string, Cell>>[]): (string | number)[][] {
  const columns = Object.keys(things[0] ?? {})
  return [columns, ...things.map((thing) => columns.map((column) => toText(thing[column] ?? null)))]
}

function toText(cell: Cell): string | number {
  if (cell === null) return ''
  if (typeof cell === 'number' || typeof cell === 'string') return cell
  return typeof cell === 'boolean' ? String(cell) : cell.join(', ')
}

export function saveBlob(name: string, content: Blob): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
