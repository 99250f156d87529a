import { Checkbox, Skeleton } from '@mantine/core'
import { useMergedRef } from '@mantine/hooks'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useRef, useState, useLayoutEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { DataTableEmpty } from './data-table-empty.tsx'
import type { DataTableInstance } from './data-table-features.ts'
import type { DataTableProps } from './data-table-props.ts'
import { useRowKeys } from '../rows/row-keys.ts'
import classes from './data-table.module.css'

interface Props<Row extends object> extends DataTableProps<Row> {
  table: DataTableInstance<Row>
  isEmpty: boolean
  isStale: boolean
}

const CARD_HEIGHT = 64
const OVERSCAN = 8
const SKELETON_CARDS = 8

/** The table on a narrow screen: a list of two-line cards that scrolls with the page. */
export function DataTableCards<Row extends object>(props: Props<Row>) {
  'use no memo' // reads the table's columns, which change behind one and the same reference
  const { rows, table } = props
  const { t } = useTranslation('table')
  const list = useRef<HTMLUListElement>(null)
  const [top, setTop] = useState(0)
  // Reads the layout: where the list begins on the page is known only once it is drawn.
  useLayoutEffect(() => setTop(list.current?.offsetTop ?? 0), [])
  const virtualizer = useWindowVirtualizer({
    count: rows?.length ?? 0,
    estimateSize: () => CARD_HEIGHT,
    overscan: OVERSCAN,
    scrollMargin: top,
  })

  const keys = useRowKeys<HTMLUListElement>({ count: rows?.length ?? 0, reach: (index) => virtualizer.scrollToIndex(index) })
  const ref = useMergedRef(list, keys)

  if (rows === undefined)
    return (
      <div aria-busy="true">
        {Array.from({ length: SKELETON_CARDS }, (_, i) => (
          <Skeleton key={i} height={CARD_HEIGHT - 8} mb={8} radius="md" />
        ))}
      </div>
    )
  return (
    <>
      <ul
        ref={ref}
        data-pane
        aria-label={props.label}
        className={classes.cards}
        data-stale={props.isStale || undefined}
        style={{ height: virtualizer.getTotalSize() }}
      >
        {virtualizer.getVirtualItems().map(({ index, start, key }) => {
          const row = rows[index]
          if (!row) return null
          const id = props.rowId(row)
          return (
            <li
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              className={classes.card}
              data-selected={props.selection?.[id] || undefined}
              aria-setsize={props.total ?? rows.length}
              aria-posinset={props.view.pageIndex * props.view.pageSize + index + 1}
              style={{ transform: `translateY(${start - top}px)` }}
            >
              {props.onSelectionChange && (
                <Checkbox
                  className={classes.cardCheck}
                  aria-label={t('selection.row', { name: props.rowLabel(row) })}
                  checked={props.selection?.[id] === true}
                  onChange={() => table.getRow(id).toggleSelected()}
                />
              )}
              {props.onOpen ? (
                <button type="button" className={classes.cardBody} onClick={() => props.onOpen?.(row)}>
                  {props.card(row)}
                </button>
              ) : (
                <div className={classes.cardBody}>{props.card(row)}</div>
              )}
              {props.cardAction?.(row)}
            </li>
          )
        })}
      </ul>
      {props.isEmpty && <DataTableEmpty {...props} />}
    </>
  )
}
