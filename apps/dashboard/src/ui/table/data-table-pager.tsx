import { ActionIcon, Group, NativeSelect, Text } from '@mantine/core'
import { IconChevronLeft, IconChevronRight, IconChevronsLeft, IconChevronsRight } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { numberFormat } from '../../lib/numbers/formats.ts'
import { PAGE_SIZES, type TableView, type TableViewChange } from './data-table-view.ts'
import classes from './data-table.module.css'

interface Props {
  total: number
  view: TableView
  onViewChange: TableViewChange
}

export function DataTablePager({ total, view, onViewChange }: Props) {
  const { t, i18n } = useTranslation('table')
  const number = numberFormat(i18n.language)
  const pages = Math.max(1, Math.ceil(total / view.pageSize))
  const first = Math.min(total, view.pageIndex * view.pageSize + 1)
  const last = Math.min(total, (view.pageIndex + 1) * view.pageSize)
  const go = (pageIndex: number) => onViewChange({ pageIndex })
  const isFirst = view.pageIndex === 0
  const isLast = view.pageIndex >= pages - 1
  return (
    <nav className={classes.pager} aria-label={t('page.label')}>
      <NativeSelect
        size="xs"
        aria-label={t('page.size')}
        value={String(view.pageSize)}
        data={PAGE_SIZES.map((size) => ({ value: String(size), label: t('page.perPage', { size: number.format(size) }) }))}
        onChange={(event) => {
          const pageSize = Number(event.currentTarget.value)
          // Keep the first row of the page in sight.
          onViewChange({ pageSize, pageIndex: Math.floor((view.pageIndex * view.pageSize) / pageSize) })
        }}
      />
      <Text size="sm" className={classes.range} aria-live="polite">
        {t('page.range', { first: number.format(first), last: number.format(last), total: number.format(total) })}
      </Text>
      <Group gap={2} className={classes.pageButtons}>
        <ActionIcon variant="subtle" color="gray" aria-label={t('page.first')} disabled={isFirst} onClick={() => go(0)}>
          <IconChevronsLeft size={18} />
        </ActionIcon>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('page.previous')}
          disabled={isFirst}
          onClick={() => go(view.pageIndex - 1)}
        >
          <IconChevronLeft size={18} />
        </ActionIcon>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('page.next')}
          disabled={isLast}
          onClick={() => go(view.pageIndex + 1)}
        >
          <IconChevronRight size={18} />
        </ActionIcon>
        <ActionIcon variant="subtle" color="gray" aria-label={t('page.last')} disabled={isLast} onClick={() => go(pages - 1)}>
          <IconChevronsRight size={18} />
        </ActionIcon>
      </Group>
    </nav>
  )
}
