import { exportHistory } from '@causeway/contract'
import { Button, Menu, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '../../api/call.ts'
import { saveFile } from '../../lib/save-file.ts'
import { PageHeader } from '../../ui/frames/page-header.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../../ui/frames/states.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { RefreshButton } from '../../ui/refresh-button.tsx'
import { HistoryFilters } from './history-filters.tsx'
import { HistoryList } from './history-list.tsx'
import { historyQuery } from './history.queries.ts'
import { UndoOfActorModal } from './undo-modal.tsx'
import { useHistoryFilters } from './use-history-filters.ts'

export default function HistoryPage() {
  const { t } = useTranslation('history')
  const { question, set } = useHistoryFilters()
  const history = useInfiniteQuery(historyQuery(question))
  const [entry, undo, undoAll] = [useDialog('entry'), useDialog('undo'), useDialog('undoAll')]
  const entries = history.data?.pages.flatMap((page) => page.entries) ?? []
  const { actor, from, to } = question
  const which = actor !== undefined && from !== undefined ? { actor, from, to } : undefined

  async function save(format: 'csv' | 'json'): Promise<void> {
    const text = await call(exportHistory, { ...question, format })
    if (typeof text === 'string') saveFile(`history.${format}`, format === 'csv' ? 'text/csv' : 'application/json', text)
    else saveFile('history.json', 'application/json', JSON.stringify(text, null, 2))
  }
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={
          <>
            <RefreshButton label={t('refresh')} onRefresh={() => void history.refetch()} />
            <Menu>
              <Menu.Target>
                <Button variant="default">{t('export.menu')}</Button>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item onClick={() => void save('csv')}>{t('export.csv')}</Menu.Item>
                <Menu.Item onClick={() => void save('json')}>{t('export.json')}</Menu.Item>
              </Menu.Dropdown>
            </Menu>
            <Button variant="default" disabled={which === undefined} onClick={() => undoAll.open('1')}>
              {t('ofActor.open')}
            </Button>
          </>
        }
      />
      <HistoryFilters question={question} onChange={set} />
      {actor !== undefined && which === undefined && (
        <Text size="sm" c="dimmed" mb="xs">
          {t('ofActor.hint')}
        </Text>
      )}
      {history.isPending && <LoadingRows />}
      {history.isError && <ErrorState error={history.error} onRetry={() => void history.refetch()} />}
      {history.isSuccess && entries.length === 0 && <EmptyState title={t('empty')} hint={t('emptyHint')} />}
      <HistoryList
        label={t('title')}
        entries={entries}
        onOpen={(id) => entry.open(String(id))}
        action={{ label: t('undo.button'), onClick: ({ id }) => undo.open(String(id)) }}
      />
      {history.hasNextPage && (
        <Button variant="default" mt="md" loading={history.isFetchingNextPage} onClick={() => void history.fetchNextPage()}>
          {t('more')}
        </Button>
      )}
      <UndoOfActorModal which={which} />
    </>
  )
}
