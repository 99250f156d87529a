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
