import { Button, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { TableView, TableViewChange } from './data-table-view.ts'
import type { ReactNode } from 'react'

interface Props {
  view: TableView
  onViewChange: TableViewChange
  empty?: ReactNode
  hasFailed?: boolean
}

/** No rows: because a filter leaves none over, or because there are none at all. */
export function DataTableEmpty({ view, onViewChange, empty, hasFailed }: Props) {
  const { t } = useTranslation('table')
  if (hasFailed) return null
  const isFiltered = Object.keys(view.filters).length > 0
  if (!isFiltered && view.pageIndex === 0 && empty !== undefined) return empty
  return (
    <Stack align="center" gap="xs" py={64}>
      <Text c="dimmed">{isFiltered ? t('empty.filtered') : t('empty.none')}</Text>
      {!isFiltered && view.pageIndex > 0 && (
        <Button size="xs" variant="default" onClick={() => onViewChange({ pageIndex: 0 })}>
          {t('page.first')}
        </Button>
      )}
    </Stack>
  )
}
