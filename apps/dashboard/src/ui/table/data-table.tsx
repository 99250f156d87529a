import { useTable, type RowSelectionState } from '@tanstack/react-table'
import { useCallback, useDeferredValue, useMemo, useState } from 'react'
import { DataTableBody } from './data-table-body.tsx'
import { DataTableCards } from './data-table-cards.tsx'
import { arrangeRows, COLUMN_SIZE, type DataColumn } from './data-table-columns.ts'
import { features, updated } from './data-table-features.ts'
import { DataTableFilters } from './data-table-filters.tsx'
import { DataTableInForce } from './data-table-in-force.tsx'
import { DataTableNotice } from './data-table-notice.tsx'
import { DataTablePager } from './data-table-pager.tsx'
import type { DataTableProps } from './data-table-props.ts'
import { withFilter } from './data-table-view.ts'
import { DataTableSelection } from './data-table-selection.tsx'
import { DataTableToolbar } from './data-table-toolbar.tsx'
import { useIsPhone } from '../use-is-phone.ts'
import classes from './data-table.module.css'

const NO_SELECTION: RowSelectionState = {}
const NO_ROWS: never[] = []

/** The one table of the product. Columns, filters, order, sizes and paging are the caller's persisted `view`. */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  'use no memo' // reads the table's columns, which change behind one and the same reference
  const { columns, view, onViewChange, onSelectionChange, rowId } = props
  const selection = props.selection ?? NO_SELECTION
  const isNarrow = useIsPhone()
  const [isFullscreen, setFullscreen] = useState(false)

  const isServerSide = props.total !== undefined
  // Rows that have come are drawn in slices, between which the browser answers.
  const given = useDeferredValue(props.rows)
  const rows = useMemo(
    () => (isServerSide ? (given ?? NO_ROWS) : arrangeRows(given ?? NO_ROWS, columns, view)),
    [isServerSide, given, columns, view],
  )
  const definitions = useMemo(() => columns.map(toDefinition), [columns])
  const table = useTable({
    features,
    columns: definitions,
    data: rows,
    getRowId: rowId,
    manualSorting: true,
    enableSortingRemoval: false,
    sortDescFirst: false,
    columnResizeMode: 'onChange',
    columnResizeDirection: document.documentElement.dir === 'rtl' ? 'rtl' : 'ltr',
    state: {
      columnOrder: view.order,
      columnPinning: view.pinning,
      columnSizing: view.sizes,
      columnVisibility: view.visibility,
      rowSelection: selection,
      sorting: view.sorting,
    },
    onColumnOrderChange: (updater) => onViewChange({ order: updated(updater, view.order) }),
    onColumnPinningChange: (updater) => onViewChange({ pinning: updated(updater, view.pinning) }),
    onColumnSizingChange: (updater) => onViewChange({ sizes: updated(updater, view.sizes) }),
    onColumnVisibilityChange: (updater) => onViewChange({ visibility: updated(updater, view.visibility) }),
    onRowSelectionChange: (updater) => onSelectionChange?.(updated(updater, selection)),
    onSortingChange: (updater) => onViewChange({ sorting: updated(updater, view.sorting), pageIndex: 0 }),
  })

  const onFilter = useCallback(
    (id: string, value: string) => onViewChange({ filters: withFilter(view.filters, id, value), pageIndex: 0 }),
    [view.filters, onViewChange],
  )
  const isEmpty = given !== undefined && rows.length === 0
  const isStale = props.hasFailed === true && given !== undefined

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape leaves full screen from wherever the focus is
    <section
      aria-label={props.label}
      className={classes.root}
      data-fullscreen={isFullscreen || undefined}
      onKeyDown={(event) => {
        // Only a key that nothing inside has used: menus and fields close themselves first.
        if (event.key === 'Escape' && isFullscreen && !event.defaultPrevented) setFullscreen(false)
      }}
    >
      <DataTableToolbar
        table={table}
        columnLabels={props.columnLabels}
        hasFilters={columns.some(({ filter }) => filter !== undefined)}
        view={view}
        onViewChange={onViewChange}
        onResetView={props.onResetView}
        isNarrow={isNarrow}
        isFullscreen={isFullscreen}
        onFullscreenChange={setFullscreen}
      >
        {/* In the place of the page's commands, so that nothing below moves when the first row is selected. */}
        {onSelectionChange && Object.keys(selection).length > 0 ? (
          <DataTableSelection
            table={table}
            selection={selection}
            onSelectionChange={onSelectionChange}
            total={props.total}
            isWhole={props.isWholeSelected === true}
            onSelectWhole={props.onSelectWhole}
          >
            {props.bulkActions}
          </DataTableSelection>
        ) : (
          props.toolbar
        )}
      </DataTableToolbar>
      {view.areFiltersOpen && (
        <DataTableFilters
          columns={columns}
          columnLabels={props.columnLabels}
          view={view}
          options={props.filterOptions}
          onFilter={onFilter}
        />
      )}
      {props.inForce && Object.keys(view.filters).length > 0 && (
        <DataTableInForce
          {...props.inForce}
          columns={columns}
          columnLabels={props.columnLabels}
          options={props.filterOptions}
          total={props.rows && props.total}
          view={view}
          onViewChange={onViewChange}
        />
      )}
      {props.hasFailed && <DataTableNotice updatedAt={isStale ? props.updatedAt : undefined} onRetry={props.onRetry} />}
      {isNarrow ? (
        <DataTableCards {...props} rows={given && rows} table={table} isEmpty={isEmpty} isStale={isStale} />
      ) : (
        <DataTableBody {...props} rows={given && rows} table={table} isEmpty={isEmpty} isStale={isStale} />
      )}
      {props.total !== undefined && <DataTablePager total={props.total} view={view} onViewChange={onViewChange} />}
    </section>
  )
}

function toDefinition<Row>(column: DataColumn<Row>) {
  return {
    id: column.id,
    // A column without an accessor cannot be sorted; the value itself is never read, the rows arrive sorted.
    accessorFn: () => null,
    enableSorting: column.isSortable ?? false,
    enableHiding: !column.isFixed,
    size: column.size ?? COLUMN_SIZE.default,
    minSize: COLUMN_SIZE.min,
    maxSize: COLUMN_SIZE.max,
  }
}
