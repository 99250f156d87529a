import fc from 'fast-check'
import { expect, it } from 'vitest'
import { csvText } from './csv.ts'

it('cells are quoted where they must be, and rows end as RFC 4180 says', () => {
  expect(
    csvText([
      ['a', 1.5],
      ['say "hi", then\ngo', -2],
    ]),
  ).toBe('a,1.5\r\n"say ""hi"", then\ngo",-2\r\n')
})

it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1'])('the text %j is no formula in a spreadsheet', (text) => {
  expect(csvText([[text]]).replace(/^"/, '')).toMatch(/^'/)
})

it('whatever the cells hold, they come back whole', () => {
  const rows = fc.array(fc.array(fc.string({ unit: 'binary' }), { minLength: 1 }), { minLength: 1 })
  fc.assert(
    fc.property(rows, (given) => {
      expect(read(csvText(given))).toEqual(given.map((row) => row.map(guarded)))
    }),
  )
})

function guarded(text: string): string {
  return /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text
}

/** The grammar of RFC 4180. */
function read(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy
  for (let found = field.exec(text); found; found = field.exec(text)) {
    row.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '')
    if (found[3] === '\r\n') {
      rows.push(row)
      row = []
    }
  }
  return rows
}
