import { Skeleton } from '@mantine/core'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { isOnControl } from '../../lib/controls.ts'
import type { DataColumn } from './data-table-columns.ts'
import type { DataTableInstance } from './data-table-features.ts'
import classes from './data-table.module.css'

interface Cell<Row> {
  column: DataColumn<Row>
  pinned: 'start' | 'end' | false
}

interface Props<Row extends object> {
  row: Row
  id: string
  label: string
  index: number
  position: number
  cells: readonly Cell<Row>[]
  /** undefined: rows of this table cannot be selected. */
  isSelected: boolean | undefined
  onOpen: ((row: Row) => void) | undefined
  table: DataTableInstance<Row>
}

function Row<Row extends object>({ row, id, label, index, position, cells, isSelected, onOpen, table }: Props<Row>) {
  const { t } = useTranslation('table')
  return (
    <tr
      className={classes.row}
      data-index={index}
      data-selected={isSelected || undefined}
      data-opens={onOpen !== undefined || undefined}
      aria-rowindex={position}
      aria-label={label}
      tabIndex={0}
      onClick={(event) => {
        if (!isOnControl(event.target)) onOpen?.(row)
      }}
    >
      {isSelected !== undefined && (
        <td className={classes.check} data-pinned="start">
          <input
            type="checkbox"
            className={classes.tick}
            aria-label={t('selection.row', { name: label })}
            checked={isSelected}
            // A click and not a change, because only a click says whether Shift is held to select a range.
            onClick={(event) => table.getRow(id).getToggleSelectedHandler()(event)}
            onChange={() => undefined}
          />
        </td>
      )}
      {cells.map(({ column, pinned }) => (
        <td
          key={column.id}
          className={classes.cell}
          data-align={column.align}
          data-pinned={pinned || undefined}
          style={
            pinned ? { [pinned === 'start' ? 'insetInlineStart' : 'insetInlineEnd']: `var(--offset-${column.id})` } : undefined
          }
        >
          {column.cell(row)}
        </td>
      ))}
    </tr>
  )
}

/** Drawn again only when its own data, place or state changed: a poll that brings nothing new moves nothing. */
export const DataTableRow = memo(Row, (before, after) =>
  // `table` is left out: it is a new object at every render, and a row reads from it only when acted on.
  (['row', 'index', 'position', 'cells', 'isSelected', 'onOpen', 'label'] as const).every((name) => before[name] === after[name]),
) as typeof Row // memo() forgets that the component is generic.

const SKELETON_ROWS = 14

export function DataTableSkeleton<Row>({ columns, isSelectable }: { columns: readonly Cell<Row>[]; isSelectable: boolean }) {
  return Array.from({ length: SKELETON_ROWS }, (_, i) => (
    <tr key={i} className={classes.row} aria-hidden>
      {isSelectable && (
        <td className={classes.check}>
          <Skeleton height={14} width={14} radius="sm" />
        </td>
      )}
      {columns.map(({ column }, k) => (
        <td key={column.id} className={classes.cell}>
          <Skeleton height={10} width={`${45 + ((i * 7 + k * 13) % 40)}%`} radius="sm" />
        </td>
      ))}
    </tr>
  ))
}
