import { Button, Group, Title, VisuallyHidden } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import { useId, type ComponentProps, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useRowKeys } from '../../ui/rows/row-keys.ts'
import { EmptyState, ErrorState, LoadingRows } from '../../ui/frames/states.tsx'
import classes from './infra-billing.module.css'

interface Props<Data> {
  title: string
  actions: ReactNode
  /** Of the scrolling part at most, in pixels. */
  height: number
  query: UseQueryResult<Data>
  /** How many rows there are in all. */
  count: (data: Data) => number
  empty: ComponentProps<typeof EmptyState>
  columns: readonly Column[]
  children: (data: Data) => ReactNode
  foot?: ReactNode
}

interface Column {
  head: string
  isNumber?: boolean
}

/** One of the page's lists: actions above, a table whose last column has the row's actions, scrolling of its own. */
export function Panel<Data>({ title, actions, height, query, count, empty, columns, children, foot }: Props<Data>) {
  const { t } = useTranslation('infra-billing')
  const id = useId()
  const keys = useRowKeys<HTMLTableSectionElement>()
  const isEmpty = query.data !== undefined && count(query.data) === 0
  return (
    <div className={classes['panel']}>
      <Group justify="space-between" gap="xs" mb="xs" mih={30} wrap="nowrap">
        <Title order={2} id={id} fz="md">
          {title}
        </Title>
        <Group gap="xs">{actions}</Group>
      </Group>
      <div
        className={classes['scroll']}
        data-scroll
        data-empty={isEmpty || undefined}
        // As high as its rows need, and no frame around nothing.
        style={{ maxHeight: height }}
        role="region"
        aria-labelledby={id}
      >
        {query.isPending && <LoadingRows />}
        {query.isError && !query.data && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
        {isEmpty && <EmptyState {...empty} />}
        {query.data && !isEmpty && (
          <table className={classes['table']} aria-label={title}>
            <thead>
              <tr>
                {columns.map(({ head, isNumber }) => (
                  <th key={head} scope="col" className={isNumber ? classes['end'] : undefined}>
                    {head}
                  </th>
                ))}
                <th scope="col">
                  <VisuallyHidden>{t('actions')}</VisuallyHidden>
                </th>
              </tr>
            </thead>
            <tbody ref={keys} data-pane>
              {children(query.data)}
            </tbody>
          </table>
        )}
      </div>
      {foot}
    </div>
  )
}

export function NewButton({ children, onClick }: { children: string; onClick: () => void }) {
  return (
    <Button size="compact-sm" variant="default" leftSection={<IconPlus size={14} aria-hidden />} onClick={onClick}>
      {children}
    </Button>
  )
}
