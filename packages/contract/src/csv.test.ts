import fc from 'fast-check'
import { expect, it } from 'vitest'
import { csvText, readCsv, withoutGuard } from './csv.ts'

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

it('a text is read as it is written: quotes, line breaks in cells, formulas', () => {
  const rows = [
    ['username', 'description'],
    ['anna', 'a "friend",\r\nwith two lines'],
    ['ben', '=1+1'],
  ]
  const read = readCsv(`\u{FEFF}${csvText(rows)}`)
  expect(read.map(({ cells }) => cells.map(withoutGuard))).toEqual(rows)
  expect(read.map(({ line }) => line)).toEqual([1, 2, 4])
})

it('semicolons and tabs are read where the head has them, and empty lines are none', () => {
  expect(readCsv('a;b\n1,5;2\n\n;\n3;4').map(({ line, cells }) => [line, ...cells])).toEqual([
    [1, 'a', 'b'],
    [2, '1,5', '2'],
    [5, '3', '4'],
  ])
  expect(readCsv('a\tb\n1\t2').map(({ cells }) => cells)).toEqual([
    ['a', 'b'],
    ['1', '2'],
  ])
})
