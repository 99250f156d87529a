import { expect, it } from 'vitest'
import { tableRows } from './save-file.ts'

it('things become a row of names and a row for each of them', () => {
  const things = [
    { name: 'one', port: 443, isDisabled: false, tag: null, inbounds: ['A', 'B'] },
    { name: 'two', port: 80, isDisabled: true, tag: 'EU', inbounds: [] },
  ]
  expect(tableRows(things)).toEqual([
    ['name', 'port', 'isDisabled', 'tag', 'inbounds'],
    ['one', 443, 'false', '', 'A, B'],
    ['two', 80, 'true', 'EU', ''],
  ])
  expect(tableRows([])).toEqual([[]])
})
