import { describe, expect, it } from 'vitest'
import { arrangeRows, placeColumns, type DataColumn } from './data-table-columns.ts'

interface Row {
  name: string
  used: number | null
}
const name: DataColumn<Row> = { id: 'name', cell: (row) => row.name, value: (row) => row.name, filter: 'text', grow: 1 }
const used: DataColumn<Row> = { id: 'used', cell: (row) => row.used, value: (row) => row.used, filter: 'select' }
const rows: Row[] = [
  { name: 'b10', used: null },
  { name: 'b9', used: 5 },
  { name: 'A1', used: 7 },
]
const names = (arranged: Row[]) => arranged.map((row) => row.name)

describe('rows that are all in the browser', () => {
  it('BWT-010 puts null values last in both directions', () => {
    const by = (desc: boolean) => names(arrangeRows(rows, [name, used], { filters: {}, sorting: [{ id: 'used', desc }] }))
    expect(by(false)).toEqual(['b9', 'A1', 'b10'])
    expect(by(true)).toEqual(['A1', 'b9', 'b10'])
  })

  it('sort names as people read them, numbers inside included', () => {
    expect(names(arrangeRows(rows, [name, used], { filters: {}, sorting: [{ id: 'name', desc: false }] }))).toEqual([
      'A1',
      'b9',
      'b10',
    ])
  })

  it('keep those that contain a text filter and equal a select filter, whatever the case', () => {
    expect(names(arrangeRows(rows, [name, used], { filters: { name: 'B' }, sorting: [] }))).toEqual(['b10', 'b9'])
    expect(names(arrangeRows(rows, [name, used], { filters: { used: '5' }, sorting: [] }))).toEqual(['b9'])
  })

  it('are not changed in place', () => {
    const before = [...rows]
    arrangeRows(rows, [name], { filters: {}, sorting: [{ id: 'name', desc: true }] })
    expect(rows).toEqual(before)
  })

  it('ignore filters of columns that are gone', () => {
    expect(arrangeRows(rows, [name], { filters: { ghost: 'x' }, sorting: [{ id: 'ghost', desc: true }] })).toHaveLength(3)
  })
})

describe('placing columns', () => {
  const sized = (column: DataColumn<Row>, size: number, pinned: 'start' | 'end' | false = false) => ({ column, size, pinned })

  it('gives spare width to columns that grow', () => {
    const placed = placeColumns([sized(name, 100), sized(used, 100)], 400, 36)
    expect(placed.map(({ width }) => width)).toEqual([264, 100])
  })

  it('shares it evenly when none grows, and shrinks nothing when there is too little room', () => {
    expect(placeColumns([sized(used, 100), sized({ ...used, id: 'x' }, 100)], 300, 0).map(({ width }) => width)).toEqual([
      150, 150,
    ])
    expect(placeColumns([sized(name, 500), sized(used, 500)], 300, 0).map(({ width }) => width)).toEqual([500, 500])
  })

  it('pins columns one behind the other at either side', () => {
    const placed = placeColumns(
      [
        sized(used, 100, 'start'),
        sized({ ...used, id: 'b' }, 80, 'start'),
        sized({ ...used, id: 'c' }, 70),
        sized({ ...used, id: 'd' }, 60, 'end'),
        sized({ ...used, id: 'e' }, 50, 'end'),
      ],
      0,
      36,
    )
    expect(placed.map(({ offset }) => offset)).toEqual([36, 136, 0, 50, 0])
  })
})
