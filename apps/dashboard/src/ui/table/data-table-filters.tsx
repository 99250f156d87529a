import { CloseButton, Select, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DataColumn } from './data-table-columns.ts'
import type { TableView } from './data-table-view.ts'
import classes from './data-table.module.css'

export type FilterOptions = Record<string, readonly { value: string; label: string }[]>

interface Props<Row> {
  columns: readonly DataColumn<Row>[]
  columnLabels: Record<string, string>
  view: TableView
  options: FilterOptions | undefined
  onFilter: (id: string, value: string) => void
}

const DEBOUNCE_MS = 300

/** One line with a field for each visible column that can be filtered, and for hidden ones whose filter is in force. */
export function DataTableFilters<Row>({ columns, columnLabels, view, options, onFilter }: Props<Row>) {
  const { t } = useTranslation('table')
  const shown = columns.filter(({ id, filter }) => filter && (view.visibility[id] !== false || view.filters[id] !== undefined))
  return (
    <div className={classes.filters} role="search" aria-label={t('filter.label')}>
      {shown.map(({ id, filter }) =>
        filter === 'select' ? (
          <Select
            key={id}
            size="xs"
            className={classes.filter}
            aria-label={t('filter.column', { column: columnLabels[id] })}
            placeholder={columnLabels[id] ?? ''}
            data={[...(options?.[id] ?? [])]}
            value={view.filters[id] ?? null}
            onChange={(value) => onFilter(id, value ?? '')}
            clearable
            searchable
            nothingFoundMessage={t('filter.nothing')}
            comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
          />
        ) : (
          <TextFilter
            key={id}
            label={columnLabels[id] ?? id}
            value={view.filters[id] ?? ''}
            onChange={(value) => onFilter(id, value)}
          />
        ),
      )}
    </div>
  )
}

function TextFilter({ label, value, onChange }: { label: string; value: string; onChange: (value: string) => void }) {
  const { t } = useTranslation('table')
  const [draft, setDraft] = useState({ text: value, from: value })
  // A filter changed from outside (cleared, restored) wins over what stands in the field.
  if (draft.from !== value) setDraft({ text: draft.text.trim() === value ? draft.text : value, from: value })
  const send = useDebouncedCallback((text: string) => onChange(text.trim()), { delay: DEBOUNCE_MS, flushOnUnmount: false })
  return (
    <TextInput
      size="xs"
      className={classes.filter}
      aria-label={t('filter.column', { column: label })}
      placeholder={label}
      value={draft.text}
      onChange={(event) => {
        setDraft({ ...draft, text: event.currentTarget.value })
        send(event.currentTarget.value)
      }}
      rightSection={
        draft.text !== '' && (
          <CloseButton
            size="xs"
            aria-label={t('filter.clearColumn', { column: label })}
            onClick={() => {
              send.cancel()
              setDraft({ ...draft, text: '' })
              onChange('')
            }}
          />
        )
      }
    />
  )
}
