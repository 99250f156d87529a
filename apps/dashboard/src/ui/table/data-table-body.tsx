import { Checkbox } from '@mantine/core'
import { useMergedRef } from '@mantine/hooks'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useMemo, useRef, useState, type CSSProperties, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { placeColumns, SELECTION_SIZE, type DataColumn } from './data-table-columns.ts'
import { DataTableEmpty } from './data-table-empty.tsx'
import type { DataTableInstance } from './data-table-features.ts'
import { DataTableHead } from './data-table-head.tsx'
import { MoreColumns } from './data-table-more.tsx'
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
/** Room beside a column that was scrolled into sight, for the button that says that there is more. */
const SORTED_MARGIN = 40
/** How many rows are drawn first; the browser lays them out and paints them before it is given the others. */
const FIRST_ROWS = 12

interface Props<Row extends object> extends DataTableProps<Row> {
  table: DataTableInstance<Row>
  isEmpty: boolean
  isStale: boolean
}

export function DataTableBody<Row extends object>(props: Props<Row>) {
  'use no memo' // reads the table's columns, which change behind one and the same reference
  const { rows, view } = props
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
  const height = ROW_HEIGHT[view.density]
  useSortedInSight(scroll, view.sorting[0]?.id, containerWidth > 0)
  return (
    <div className={classes.frame}>
      <div ref={useMergedRef(scroll, sizeRef)} className={classes.scroll} data-scroll>
        <table
          aria-label={props.label}
          aria-rowcount={props.total ?? rows?.length ?? 0}
          aria-busy={rows === undefined}
          className={classes.table}
          data-stale={props.isStale || undefined}
          // CSS variables are not part of CSSProperties.
          style={{ ...widthsOf(placed, isSelectable), '--row-height': `${height}px` } as CSSProperties}
        >
          <colgroup>
            {isSelectable && <col style={{ width: SELECTION_SIZE }} />}
            {placed.map(({ column }) => (
              <col key={column.id} style={{ width: `var(--width-${column.id})` }} />
            ))}
          </colgroup>
          <thead className={classes.head}>
            <HeadRow {...props} placed={placed} isSelectable={isSelectable} />
          </thead>
          <BodyRows {...props} scroll={scroll} cells={cells} height={height} isSelectable={isSelectable} />
        </table>
        {props.isEmpty && <DataTableEmpty {...props} />}
      </div>
      <MoreColumns scroll={scroll} shape={`${shape} ${containerWidth}`} />
    </div>
  )
}

/** A list sorted by a column beyond the edge shows that column. */
function useSortedInSight(scroll: RefObject<HTMLDivElement | null>, sorted: string | undefined, isLaidOut: boolean): void {
  // Where a column stands is known to the browser alone.
  useEffect(() => {
    const box = scroll.current
    const head = box?.querySelector('th[aria-sort="ascending"], th[aria-sort="descending"]')
    if (!box || !head || head.hasAttribute('data-pinned')) return
    const [edge, column] = [box.getBoundingClientRect(), head.getBoundingClientRect()]
    if (column.right > edge.right) box.scrollBy({ left: column.right - edge.right + SORTED_MARGIN })
    else if (column.left < edge.left) box.scrollBy({ left: column.left - edge.left - SORTED_MARGIN })
  }, [scroll, sorted, isLaidOut])
}

type Placed<Row extends object> = ReturnType<typeof usePlacedColumns<Row>>

/** In figures: a table as wide as its content would let a long date widen its column. */
function widthsOf<Row extends object>(placed: Placed<Row>, isSelectable: boolean): Record<string, string> {
  const parts = placed.map(({ column }) => `var(--width-${column.id})`)
  const variables = placed.flatMap(({ column, width, offset }) => [
    [`--width-${column.id}`, `${width}px`],
    [`--offset-${column.id}`, `${offset}px`],
  ])
  return {
    ...Object.fromEntries(variables),
    width: `calc(${[`${isSelectable ? SELECTION_SIZE : 0}px`, ...parts].join(' + ')})`,
  }
}

interface HeadRowProps<Row extends object> extends Props<Row> {
  placed: Placed<Row>
  isSelectable: boolean
}

function HeadRow<Row extends object>({ table, rows, placed, columnLabels, isSelectable }: HeadRowProps<Row>) {
  'use no memo' // reads the table's columns, which change behind one and the same reference
  const { t } = useTranslation('table')
  const keys = useRowKeys<HTMLTableRowElement>()
  return (
    <tr ref={keys}>
      {isSelectable && (
        <th scope="col" className={classes.check} data-pinned="start">
          <Checkbox
            size="xs"
            aria-label={t('selection.page')}
            disabled={(rows?.length ?? 0) === 0}
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
          label={columnLabels[column.id] ?? column.id}
          pinned={pinned}
          width={`--width-${column.id}`}
        />
      ))}
    </tr>
  )
}

interface BodyRowsProps<Row extends object> extends Props<Row> {
  scroll: RefObject<HTMLDivElement | null>
  cells: readonly Pick<Placed<Row>[number], 'column' | 'pinned'>[]
  height: number
  isSelectable: boolean
}

function BodyRows<Row extends object>(props: BodyRowsProps<Row>) {
  'use no memo' // reads the table's selection, which changes behind one and the same reference
  const { table, rows, view, cells, height, isSelectable } = props
  const count = rows?.length ?? 0
  const { first, last, reach } = useShownRows(props)
  const keys = useRowKeys<HTMLTableSectionElement>(reach && { count, reach })
  return (
    <tbody ref={keys} data-pane>
      {rows === undefined && <DataTableSkeleton columns={cells} isSelectable={isSelectable} />}
      {first > 0 && <tr aria-hidden style={{ height: first * height }} />}
      {rows?.slice(first, last + 1).map((row, i) => {
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
  )
}

/** Of a long page the rows in view; of a short one at first those that fit on a screen, then all. */
function useShownRows<Row extends object>({ rows, scroll, height }: BodyRowsProps<Row>) {
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
  const isWhole = useIsPainted(rows !== undefined)
  if (!isVirtual) return { first: 0, last: (isWhole ? count : Math.min(count, FIRST_ROWS)) - 1 }
  const seen = virtualizer.getVirtualItems()
  return {
    first: seen[0]?.index ?? 0,
    last: seen.at(-1)?.index ?? -1,
    reach: (index: number) => virtualizer.scrollToIndex(index),
  }
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
