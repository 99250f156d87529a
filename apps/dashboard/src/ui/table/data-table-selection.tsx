import { Button, Group, Text } from '@mantine/core'
import type { RowSelectionState } from '@tanstack/react-table'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { DataTableInstance } from './data-table-features.ts'
import { numberFormat } from '../../lib/numbers/formats.ts'
import classes from './data-table.module.css'

interface Props<Row extends object> {
  table: DataTableInstance<Row>
  selection: RowSelectionState
  onSelectionChange: (selection: RowSelectionState) => void
  /** All rows of the list, where the server pages it. */
  total: number | undefined
  isWhole: boolean
  onSelectWhole: (() => void) | undefined
  children: ReactNode
}

/** Says how many rows are selected, on this page and on others, and what can be done with them. */
export function DataTableSelection<Row extends object>({
  table,
  selection,
  onSelectionChange,
  total = 0,
  isWhole,
  onSelectWhole,
  children,
}: Props<Row>) {
  'use no memo' // reads the table's columns, which change behind one and the same reference
  const { t, i18n } = useTranslation('table')
  const count = Object.keys(selection).length
  const elsewhere = count - table.getRowModel().rows.filter((row) => selection[row.id] === true).length
  return (
    <div data-pane role="status" className={classes.selection}>
      <Text size="sm" fw={500}>
        {isWhole ? t('selection.whole', { count: total }) : t('selection.count', { count })}
        {!isWhole && elsewhere > 0 && ` ${t('selection.elsewhere', { shown: numberFormat(i18n.language).format(elsewhere) })}`}
      </Text>
      <Button size="compact-xs" variant="subtle" color="gray" onClick={() => onSelectionChange({})}>
        {t('selection.clear')}
      </Button>
      <Button
        size="compact-xs"
        variant="subtle"
        color="gray"
        disabled={table.getIsAllPageRowsSelected()}
        onClick={() => table.toggleAllPageRowsSelected(true)}
      >
        {t('selection.all')}
      </Button>
      {onSelectWhole && !isWhole && total > table.getRowModel().rows.length && (
        <Button size="compact-xs" variant="subtle" onClick={onSelectWhole}>
          {t('selection.selectWhole', { count: total })}
        </Button>
      )}
      <Group gap="xs" ms="auto">
        {children}
      </Group>
    </div>
  )
}
