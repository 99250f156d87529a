import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState, ErrorState, LoadingRows } from '../../../ui/frames/states.tsx'
import { useDialog } from '../../../ui/frames/use-dialog.ts'
import { HistoryList } from '../history-list.tsx'
import { historyQuery, undoAddress, type HistoryQuestion } from '../history.queries.ts'

interface Props {
  question: HistoryQuestion
  label: string
  /** Shows the newest only; the others are where `more` leads. */
  most?: number
  more?: ReactNode
}

/** Entries that answer a question, newest first, each with its undo. */
export function HistoryEntries({ question, label, most, more }: Props) {
  const { t } = useTranslation('history')
  const history = useInfiniteQuery(historyQuery(question))
  const [entry, undo] = [useDialog('entry'), useDialog('undo')]
  if (history.isPending) return <LoadingRows />
  if (history.isError) return <ErrorState error={history.error} onRetry={() => void history.refetch()} />
  const all = history.data.pages.flatMap((page) => page.entries)
  const entries = all.slice(0, most)
  return (
    <>
      {entries.length === 0 && <EmptyState title={t('empty')} hint={t('emptyOfThing')} />}
      <HistoryList
        label={label}
        entries={entries}
        onOpen={(id) => entry.open(String(id))}
        // Of a change to many, what it did to this thing.
        action={{
          label: t('undo.button'),
          onClick: ({ id, count }) => undo.open(undoAddress({ id, only: count > 1 ? question.target : undefined })),
        }}
      />
      {entries.length < all.length && more}
      {most === undefined && history.hasNextPage && (
        <Button variant="default" mt="md" loading={history.isFetchingNextPage} onClick={() => void history.fetchNextPage()}>
          {t('more')}
        </Button>
      )}
    </>
  )
}
