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
  children: ReactNode
}

/** Says how many rows are selected, on this page and on others, and what can be done with them. */
export function DataTableSelection<Row extends object>({ table, selection, onSelectionChange, children }: Props<Row>) {
  'use no memo' // reads the table's columns, which change behind one and the same reference
  const { t, i18n } = useTranslation('table')
  const count = Object.keys(selection).length
  const elsewhere = count - table.getRowModel().rows.filter((row) => selection[row.id] === true).length
  return (
    <div data-pane role="status" className={classes.selection}>
      <Text size="sm" fw={500}>
        {t('selection.count', { count })}
        {elsewhere > 0 && ` ${t('selection.elsewhere', { shown: numberFormat(i18n.language).format(elsewhere) })}`}
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
      <Group gap="xs" ms="auto">
        {children}
      </Group>
    </div>
  )
}
