import { Menu } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconChevronDown } from '@tabler/icons-react'
import { useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { COLUMN_SIZE, type DataColumn } from './data-table-columns.ts'
import type { DataTableColumn, DataTableInstance } from './data-table-features.ts'
import { MenuButton } from '../menu-button.tsx'
import classes from './data-table.module.css'

interface Props<Row extends object> {
  table: DataTableInstance<Row>
  column: DataColumn<Row>
  label: string
  pinned: 'start' | 'end' | false
  /** Name of the CSS variable that holds the drawn width. */
  width: string
}

const RESIZE_STEP = 16
const ARIA_SORT = { asc: 'ascending', desc: 'descending' } as const

export function DataTableHead<Row extends object>({ table, column, label, pinned }: Props<Row>) {
  'use no memo' // reads the table's columns, which change behind one and the same reference
  const { t } = useTranslation('table')
  const [isDropTarget, setDropTarget] = useState(false)
  const header = table.getFlatHeaders().find(({ id }) => id === column.id)
  const leaf = table.getColumn(column.id)
  if (!header || !leaf) return null
  const sorted = leaf.getIsSorted()

  return (
    <th
      scope="col"
      className={classes.headCell}
      aria-sort={sorted ? ARIA_SORT[sorted] : leaf.getCanSort() ? 'none' : undefined}
      data-align={column.align}
      data-pinned={pinned || undefined}
      data-drop-target={isDropTarget || undefined}
      style={pinned ? { [pinned === 'start' ? 'insetInlineStart' : 'insetInlineEnd']: `var(--offset-${column.id})` } : undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setDropTarget(true)
      }}
      onDragLeave={() => setDropTarget(false)}
      onDrop={(event) => {
        event.preventDefault()
        setDropTarget(false)
        moveColumn(table, event.dataTransfer.getData('text/plain'), column.id)
      }}
    >
      <div className={classes.headContent} draggable onDragStart={(event) => event.dataTransfer.setData('text/plain', column.id)}>
        {leaf.getCanSort() ? (
          <button type="button" className={classes.headLabel} onClick={leaf.getToggleSortingHandler()}>
            <span className={classes.headText}>{label}</span>
            {sorted === 'asc' && <IconArrowUp size={14} aria-hidden />}
            {sorted === 'desc' && <IconArrowDown size={14} aria-hidden />}
          </button>
        ) : (
          <span className={classes.headLabel}>
            <span className={classes.headText}>{label}</span>
          </span>
        )}
        <ColumnMenu table={table} leaf={leaf} label={label} />
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a separator with a value is a control */}
      <div
        role="separator"
        aria-orientation="vertical"
        aria-label={t('column.resize', { column: label })}
        aria-valuenow={leaf.getSize()}
        aria-valuemin={COLUMN_SIZE.min}
        aria-valuemax={COLUMN_SIZE.max}
        tabIndex={0}
        className={classes.resizer}
        data-resizing={leaf.getIsResizing() || undefined}
        onMouseDown={(event) => {
          // The head slides under the pointer as the column grows, and the browser would begin to drag it.
          event.preventDefault()
          header.getResizeHandler()(event)
        }}
        onTouchStart={header.getResizeHandler()}
        onDoubleClick={() => leaf.resetSize()}
        onKeyDown={(event) => onResizeKey(event, table, leaf)}
      />
    </th>
  )
}

function ColumnMenu<Row extends object>({
  table,
  leaf,
  label,
}: {
  table: DataTableInstance<Row>
  leaf: DataTableColumn<Row>
  label: string
}) {
  'use no memo' // reads the table's columns, which change behind one and the same reference
  const { t } = useTranslation('table')
  return (
    <MenuButton
      position="bottom-end"
      button={(props) => (
        <button type="button" {...props} className={classes.columnMenu} data-tap aria-label={t('column.menu', { column: label })}>
          <IconChevronDown size={14} />
        </button>
      )}
    >
      <ColumnCommands table={table} leaf={leaf} />
    </MenuButton>
  )
}

function ColumnCommands<Row extends object>({ table, leaf }: { table: DataTableInstance<Row>; leaf: DataTableColumn<Row> }) {
  'use no memo' // reads the table's columns, which change behind one and the same reference
  const { t } = useTranslation('table')
  const order = visibleOrder(table)
  const place = order.indexOf(leaf.id)
  const pinned = leaf.getIsPinned()
  return (
    <Menu.Dropdown>
      {leaf.getCanSort() && (
        <>
          <Menu.Item onClick={() => leaf.toggleSorting(false)}>{t('column.sortAscending')}</Menu.Item>
          <Menu.Item onClick={() => leaf.toggleSorting(true)}>{t('column.sortDescending')}</Menu.Item>
          <Menu.Item disabled={!leaf.getIsSorted()} onClick={() => leaf.clearSorting()}>
            {t('column.clearSort')}
          </Menu.Item>
          <Menu.Divider />
        </>
      )}
      <Menu.Item disabled={pinned === 'start'} onClick={() => leaf.pin('start')}>
        {t('column.pinStart')}
      </Menu.Item>
      <Menu.Item disabled={pinned === 'end'} onClick={() => leaf.pin('end')}>
        {t('column.pinEnd')}
      </Menu.Item>
      <Menu.Item disabled={!pinned} onClick={() => leaf.pin(false)}>
        {t('column.unpin')}
      </Menu.Item>
      <Menu.Divider />
      <Menu.Item disabled={place <= 0} onClick={() => moveColumn(table, leaf.id, order[place - 1])}>
        {t('column.moveBack')}
      </Menu.Item>
      <Menu.Item disabled={place >= order.length - 1} onClick={() => moveColumn(table, leaf.id, order[place + 1])}>
        {t('column.moveForward')}
      </Menu.Item>
      <Menu.Item onClick={() => leaf.resetSize()}>{t('column.resetSize')}</Menu.Item>
      <Menu.Item disabled={!leaf.getCanHide()} onClick={() => leaf.toggleVisibility(false)}>
        {t('column.hide')}
      </Menu.Item>
    </Menu.Dropdown>
  )
}

function visibleOrder<Row extends object>(table: DataTableInstance<Row>): string[] {
  return table.getVisibleLeafColumns().map(({ id }) => id)
}

/** Puts a column where another one stands now; the columns between them move over by one. */
function moveColumn<Row extends object>(table: DataTableInstance<Row>, id: string, target: string | undefined) {
  const order = table.getAllLeafColumns().map((column) => column.id)
  const from = order.indexOf(id)
  const to = target === undefined ? -1 : order.indexOf(target)
  if (from < 0 || to < 0 || from === to) return
  order.splice(to, 0, ...order.splice(from, 1))
  table.setColumnOrder(order)
}

function onResizeKey<Row extends object>(event: KeyboardEvent, table: DataTableInstance<Row>, leaf: DataTableColumn<Row>) {
  if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
  event.preventDefault()
  const isRtl = document.documentElement.dir === 'rtl'
  const step = (event.key === 'ArrowRight') === isRtl ? -RESIZE_STEP : RESIZE_STEP
  const size = Math.min(COLUMN_SIZE.max, Math.max(COLUMN_SIZE.min, leaf.getSize() + step))
  table.setColumnSizing((sizes) => ({ ...sizes, [leaf.id]: size }))
}
