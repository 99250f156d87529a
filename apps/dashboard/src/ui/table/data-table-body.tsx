import { Checkbox } from '@mantine/core'
import { useMergedRef } from '@mantine/hooks'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useMemo, useRef, useState, type CSSProperties } from 'react'
import { useTranslation } from 'react-i18next'
import { placeColumns, SELECTION_SIZE, type DataColumn } from './data-table-columns.ts'
import { DataTableEmpty } from './data-table-empty.tsx'
import type { DataTableInstance } from './data-table-features.ts'
import { DataTableHead } from './data-table-head.tsx'
import { DataTableRow, DataTableSkeleton } from './data-table-row.tsx'
import type { DataTableProps } from './data-table-props.ts'
import type { Density } from './data-table-view.ts'
import { useRowKeys } from '../rows/row-keys.ts'
import { useIsPainted } from '../use-is-painted.ts'
import classes from './data-table.module.css'

const ROW_HEIGHT: Record<Density, number> = { xs: 40, md: 44, xl: 48 }

/** Pages longer than this keep only what is in sight in the document. */
const VIRTUAL_FROM = 60
const OVERSCAN = 8
/** How many rows are drawn first; the browser lays them out and paints them before it is given the others. */
const FIRST_ROWS = 12

interface Props<Row extends object> extends DataTableProps<Row> {
  table: DataTableInstance<Row>
  isEmpty: boolean
  isStale: boolean
}

export function DataTableBody<Row extends object>(props: Props<Row>) {
  'use no memo' // reads the table's columns, which change behind one and the same reference
  const { table, rows, view } = props
  const { t } = useTranslation('table')
  const scroll = useRef<HTMLDivElement>(null)
  const { ref: sizeRef, width: containerWidth } = useWidth()

  const isSelectable = props.onSelectionChange !== undefined
  const placed = usePlacedColumns(props, containerWidth, isSelectable ? SELECTION_SIZE : 0)
  // Rows are drawn again only when the order or the pinning of columns changes; widths reach them as CSS variables.
  const shape = placed.map(({ column, pinned }) => `${column.id}:${pinned}`).join()
  const cells = useMemo(
    () => placed.map(({ column, pinned }) => ({ column, pinned })),
    // oxlint-disable-next-line react/exhaustive-deps -- `shape` stands for what of `placed` matters here
    [shape, props.columns],
  )
  const widths = Object.fromEntries(
    placed.flatMap(({ column, width, offset }) => [
      [`--width-${column.id}`, `${width}px`],
      [`--offset-${column.id}`, `${offset}px`],
    ]),
  )

  // Said in figures: a table as wide as its content would let a long date widen its column.
  const parts = placed.map(({ column }) => `var(--width-${column.id})`)
  const tableWidth = `calc(${[`${isSelectable ? SELECTION_SIZE : 0}px`, ...parts].join(' + ')})`

  const height = ROW_HEIGHT[view.density]
  const count = rows?.length ?? 0
  const isVirtual = count > VIRTUAL_FROM
  const virtualizer = useVirtualizer({
    count: isVirtual ? count : 0,
    // Otherwise it measures, and the browser lays the page out in the middle of the first drawing.
    enabled: isVirtual,
    getScrollElement: () => scroll.current,
    estimateSize: () => height,
    overscan: OVERSCAN,
  })
  const seen = isVirtual ? virtualizer.getVirtualItems() : undefined
  const first = seen?.[0]?.index ?? 0
  const isWhole = useIsPainted(rows !== undefined)
  const last = seen ? (seen.at(-1)?.index ?? -1) : (isWhole ? count : Math.min(count, FIRST_ROWS)) - 1
  const shown = rows?.slice(first, last + 1)

  const headKeys = useRowKeys<HTMLTableRowElement>()
  const bodyKeys = useRowKeys<HTMLTableSectionElement>(
    isVirtual ? { count, reach: (index) => virtualizer.scrollToIndex(index) } : undefined,
  )

  return (
    <div ref={useMergedRef(scroll, sizeRef)} className={classes.scroll} data-scroll>
      <table
        aria-label={props.label}
        aria-rowcount={props.total ?? count}
        aria-busy={rows === undefined}
        className={classes.table}
        data-stale={props.isStale || undefined}
        // CSS variables are not part of CSSProperties.
        style={{ ...widths, width: tableWidth, '--row-height': `${height}px` } as CSSProperties}
      >
        <colgroup>
          {isSelectable && <col style={{ width: SELECTION_SIZE }} />}
          {placed.map(({ column }) => (
            <col key={column.id} style={{ width: `var(--width-${column.id})` }} />
          ))}
        </colgroup>
        <thead className={classes.head}>
          <tr ref={headKeys}>
            {isSelectable && (
              <th scope="col" className={classes.check} data-pinned="start">
                <Checkbox
                  size="xs"
                  aria-label={t('selection.page')}
                  disabled={count === 0}
                  checked={table.getIsAllPageRowsSelected()}
                  indeterminate={table.getIsSomePageRowsSelected() && !table.getIsAllPageRowsSelected()}
                  onChange={(event) => table.toggleAllPageRowsSelected(event.currentTarget.checked)}
                />
              </th>
            )}
            {placed.map(({ column, pinned }) => (
              <DataTableHead
                key={column.id}
                table={table}
                column={column}
                label={props.columnLabels[column.id] ?? column.id}
                pinned={pinned}
                width={`--width-${column.id}`}
              />
            ))}
          </tr>
        </thead>
        <tbody ref={bodyKeys} data-pane>
          {rows === undefined && <DataTableSkeleton columns={cells} isSelectable={isSelectable} />}
          {first > 0 && <tr aria-hidden style={{ height: first * height }} />}
          {shown?.map((row, i) => {
            const id = props.rowId(row)
            return (
              <DataTableRow
                key={id}
                row={row}
                id={id}
                label={props.rowLabel(row)}
                index={first + i}
                position={view.pageIndex * view.pageSize + first + i + 1}
                cells={cells}
                isSelected={isSelectable ? props.selection?.[id] === true : undefined}
                onOpen={props.onOpen}
                table={table}
              />
            )
          })}
          {last < count - 1 && <tr aria-hidden style={{ height: (count - 1 - last) * height }} />}
        </tbody>
      </table>
      {props.isEmpty && <DataTableEmpty {...props} />}
    </div>
  )
}

/** Known before anything is painted, as columns would be seen to move into their places. */
function useWidth() {
  const [width, setWidth] = useState(0)
  const ref = useCallback((element: HTMLDivElement | null) => {
    if (!element) return undefined
    setWidth(element.clientWidth)
    const observer = new ResizeObserver(([entry]) => entry && setWidth(entry.contentRect.width))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return { ref, width }
}

function usePlacedColumns<Row extends object>({ table, columns }: Props<Row>, containerWidth: number, startOffset: number) {
  'use no memo' // reads the table's columns, which change behind one and the same reference
  const byId = new Map<string, DataColumn<Row>>(columns.map((column) => [column.id, column]))
  const sized = [
    ...table.getStartVisibleLeafColumns(),
    ...table.getCenterVisibleLeafColumns(),
    ...table.getEndVisibleLeafColumns(),
  ].flatMap((leaf) => {
    const column = byId.get(leaf.id)
    return column ? [{ column, pinned: leaf.getIsPinned(), size: leaf.getSize() }] : []
  })
  return placeColumns(sized, containerWidth, startOffset)
}
