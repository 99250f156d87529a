import type { RowSelectionState } from '@tanstack/react-table'
import type { ReactNode } from 'react'
import type { DataColumn } from './data-table-columns.ts'
import type { FilterOptions } from './data-table-filters.tsx'
import type { InForce } from './data-table-in-force.tsx'
import type { TableView, TableViewChange } from './data-table-view.ts'

export interface DataTableProps<Row extends object> {
  /** The rows' name; the table's accessible name. */
  label: string
  columns: readonly DataColumn<Row>[]
  columnLabels: Record<string, string>
  /** undefined until the first answer. */
  rows: readonly Row[] | undefined
  rowId: (row: Row) => string
  rowLabel: (row: Row) => string
  /** Given when the server pages, filters and sorts; without it the table holds all its rows. */
  total?: number
  view: TableView
  onViewChange: TableViewChange
  onResetView: () => void
  /** The last read failed; rows on screen are as old as `updatedAt`. */
  hasFailed?: boolean
  updatedAt?: number
  onRetry?: () => void
  onOpen?: (row: Row) => void
  selection?: RowSelectionState
  onSelectionChange?: (selection: RowSelectionState) => void
  bulkActions?: ReactNode
  /** Selects every row of the list as it is filtered, on all pages. */
  onSelectWhole?: () => void
  /** The whole list is selected; `selection` then holds the rows of this page. */
  isWholeSelected?: boolean
  filterOptions?: FilterOptions
  /** Says which filters are in force; without it only their fields do. */
  inForce?: InForce
  /** A row on a narrow screen. */
  card: (row: Row) => ReactNode
  /** The menu of a card, as a button of its own beside it. */
  cardAction?: ((row: Row) => ReactNode) | undefined
  /** Shown instead of rows when there are none and no filter is set. */
  empty?: ReactNode
  /** Commands of the page, left and right in the toolbar. */
  toolbar?: ReactNode
}
