import type { ReactNode } from 'react'
import type { TableView } from './data-table-view.ts'

/** One column of a DataTable. Columns are constants of a module, so that unchanged rows need not be drawn again. */
export interface DataColumn<Row> {
  id: string
  cell: (row: Row) => ReactNode
  /** Values by which a table with all its rows sorts and filters. */
  value?: (row: Row) => string | number | null
  isSortable?: boolean
  filter?: 'text' | 'select'
  size?: number
  /** Takes a share of the width that is left over. */
  grow?: number
  align?: 'end'
  /** Always shown, such as the name of the thing. */
  isFixed?: boolean
}

/** A column of a table whose rows the server sorts and filters. Only columns that the server knows may offer it. */
export type ServedColumn<Row, SortId extends string, FilterId extends string> = DataColumn<Row> &
  ({ id: SortId; isSortable: true } | { isSortable?: false }) &
  ({ id: FilterId; filter: 'text' | 'select' } | { filter?: undefined })

export const COLUMN_SIZE = { min: 50, max: 1000, default: 150 } as const
export const SELECTION_SIZE = 36

export interface PlacedColumn<Row> {
  column: DataColumn<Row>
  pinned: 'start' | 'end' | false
  width: number
  /** Distance from the side it is pinned to. */
  offset: number
}

/** Shares the container's spare width among the columns that grow, and works out where pinned columns stick. */
export function placeColumns<Row>(
  columns: readonly { column: DataColumn<Row>; pinned: 'start' | 'end' | false; size: number }[],
  containerWidth: number,
  startOffset: number,
): PlacedColumn<Row>[] {
  const taken = columns.reduce((sum, { size }) => sum + size, startOffset)
  const shares = columns.reduce((sum, { column }) => sum + (column.grow ?? 0), 0)
  const spare = Math.max(0, containerWidth - taken)
  const perShare = shares > 0 ? spare / shares : spare / Math.max(1, columns.length)
  const widths = columns.map(({ column, size }) => Math.floor(size + perShare * (shares > 0 ? (column.grow ?? 0) : 1)))

  let fromStart = startOffset
  let fromEnd = widths.reduce((sum, width, i) => sum + (columns[i]?.pinned === 'end' ? width : 0), 0)
  return columns.map(({ column, pinned }, i) => {
    const width = widths[i] ?? COLUMN_SIZE.default
    let offset = 0
    if (pinned === 'start') {
      offset = fromStart
      fromStart += width
    } else if (pinned === 'end') {
      fromEnd -= width
      offset = fromEnd
    }
    return { column, pinned, width, offset }
  })
}

/** Filters and sorts rows that are all in the browser. Empty values come last whichever way the column is sorted. */
export function arrangeRows<Row>(
  rows: readonly Row[],
  columns: readonly DataColumn<Row>[],
  view: Pick<TableView, 'filters' | 'sorting'>,
): Row[] {
  const byId = new Map(columns.map((column) => [column.id, column]))
  const filters = Object.entries(view.filters).filter(([id]) => byId.get(id)?.filter)
  const matching = rows.filter((row) =>
    filters.every(([id, wanted]) => {
      const column = byId.get(id)
      const value = String(column?.value?.(row) ?? '')
      return column?.filter === 'select' ? value === wanted : value.toLowerCase().includes(wanted.toLowerCase())
    }),
  )
  return matching.sort((a, b) => {
    for (const { id, desc } of view.sorting) {
      const order = compare(byId.get(id)?.value?.(a) ?? null, byId.get(id)?.value?.(b) ?? null, desc)
      if (order !== 0) return order
    }
    return 0
  })
}

function compare(a: string | number | null, b: string | number | null, desc: boolean): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  const order =
    typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b), undefined, { numeric: true })
  return desc ? -order : order
}
