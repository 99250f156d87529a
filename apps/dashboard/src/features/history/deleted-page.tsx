import { Button, Select, Text } from '@mantine/core'
import { historyKinds } from '@causeway/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { PageHeader } from '../../ui/frames/page-header.tsx'
import { SearchField } from '../../ui/inputs/search-field.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../../ui/frames/states.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { RefreshButton } from '../../ui/refresh-button.tsx'
import classes from './history.module.css'
import { HistoryList } from './history-list.tsx'
import { deletedQuery, undoAddress } from './history.queries.ts'

export default function DeletedPage() {
  const { t } = useTranslation('history')
  const chosen = useDialog('kind')
  const kind = historyKinds.find((each) => each === chosen.value)
  const named = useDialog('search')
  const deleted = useInfiniteQuery(deletedQuery({ kind, search: named.value }))
  const [entry, undo] = [useDialog('entry'), useDialog('undo')]
  const entries = deleted.data?.pages.flatMap((page) => page.entries) ?? []
  const parts = new Map(entries.map(({ id, things }) => [id, things]))
  return (
    <>
      <PageHeader
        title={t('deleted.title')}
        description={t('deleted.description')}
        actions={<RefreshButton label={t('refresh')} onRefresh={() => void deleted.refetch()} />}
      />
      <div className={classes['filters']}>
        <Select
          aria-label={t('filter.kind')}
          placeholder={t('filter.any')}
          data={historyKinds.map((each) => ({ value: each, label: t(`kind.${each}`) }))}
          value={kind ?? null}
          clearable
          onChange={(next) => (next === null ? chosen.close() : chosen.open(next))}
        />
        <SearchField
          label={t('deleted.search')}
          initial={named.value ?? ''}
          onSearch={(next) => (next === '' ? named.close() : named.open(next))}
        />
      </div>
      <Text size="sm" c="dimmed" mb="md">
        {t('deleted.comesBack.user')}
      </Text>
      {deleted.isPending && <LoadingRows />}
      {deleted.isError && <ErrorState error={deleted.error} onRetry={() => void deleted.refetch()} />}
      {deleted.isSuccess && entries.length === 0 && (
        <EmptyState title={t(named.value === undefined ? 'deleted.empty' : 'deleted.notFound')} hint={t('deleted.emptyHint')} />
      )}
      <HistoryList
        label={t('deleted.title')}
        entries={entries}
        onOpen={(id) => entry.open(String(id))}
        action={{ label: t('deleted.restore'), onClick: ({ id }) => undo.open(String(id)) }}
        partsOf={(id) => parts.get(id) ?? []}
        onPart={(id, only) => undo.open(undoAddress({ id, only }))}
      />
      {deleted.hasNextPage && (
        <Button variant="default" mt="md" loading={deleted.isFetchingNextPage} onClick={() => void deleted.fetchNextPage()}>
          {t('more')}
        </Button>
      )}
    </>
  )
}
