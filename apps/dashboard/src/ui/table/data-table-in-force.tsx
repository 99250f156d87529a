import { Button, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { numberFormat } from '../../lib/numbers/formats.ts'
import type { DataColumn } from './data-table-columns.ts'
import type { FilterOptions } from './data-table-filters.tsx'
import { withFilter, type TableView, type TableViewChange } from './data-table-view.ts'
import classes from './data-table.module.css'

/** Sentences about the active filters. */
export interface InForce {
  /** How many rows there are without them. */
  all: number | undefined
  /** They were left on at the last visit. */
  isRemembered: boolean
  /** A filter that is no column's: what it lets through. Without one it is shown elsewhere, as a search is by its own field. */
  word: (id: string, value: string) => string | undefined
}

interface Props<Row> extends InForce {
  columns: readonly DataColumn<Row>[]
  columnLabels: Record<string, string>
  options: FilterOptions | undefined
  total: number | undefined
  view: TableView
  onViewChange: TableViewChange
}

/** How many rows the filters leave, and each of them, to be taken away by itself. */
export function DataTableInForce<Row>(props: Props<Row>) {
  const { columns, columnLabels, options, total, all, isRemembered, word, view, onViewChange } = props
  const { t, i18n } = useTranslation('table')
  const number = numberFormat(i18n.language)
  const chips = Object.entries(view.filters).flatMap(([id, value]) => {
    const column = columns.find((one) => one.id === id && one.filter !== undefined)
    if (!column) {
      const text = word(id, value)
      return text === undefined ? [] : [{ id, text }]
    }
    const named = column.filter === 'select' ? options?.[id]?.find((option) => option.value === value)?.label : value
    // The name of what was chosen may not have been read yet.
    return [
      {
        id,
        text: named === undefined ? (columnLabels[id] ?? id) : t('filter.named', { column: columnLabels[id], value: named }),
      },
    ]
  })
  return (
    <div className={classes.inForce} role="group" aria-label={t('filter.inForce')}>
      {total !== undefined && all !== undefined && (
        <Text size="sm">{t('filter.left', { shown: number.format(total), all: number.format(Math.max(all, total)) })}</Text>
      )}
      {isRemembered && chips.length > 0 && (
        <Text size="sm" c="dimmed">
          {t('filter.remembered')}
        </Text>
      )}
      {chips.map(({ id, text }) => (
        <Button
          key={id}
          size="compact-xs"
          variant="default"
          radius="xl"
          className={classes.chip}
          rightSection={<IconX size={12} aria-hidden />}
          aria-label={t('filter.remove', { filter: text })}
          onClick={() => onViewChange({ filters: withFilter(view.filters, id, ''), pageIndex: 0 })}
        >
          <bdi>{text}</bdi>
        </Button>
      ))}
    </div>
  )
}
