import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { DrawerFrame } from '../../../ui/frames/frames.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../../../ui/frames/states.tsx'
import { useDialog } from '../../../ui/frames/use-dialog.ts'
import { EntryDrawer } from '../entry-drawer.tsx'
import { HistoryList } from '../history-list.tsx'
import { historyQuery, undoAddress, type HistoryQuestion } from '../history.queries.ts'
import { UndoModal } from '../undo-modal.tsx'

/** The history of a thing or of an actor, an entry, and its undo: by the address of every page. */
export function HistoryDialogs() {
  const { t } = useTranslation(['history', 'users', 'nodes', 'hosts', 'subscription-settings'])
  const [target, actor] = [useDialog('history'), useDialog('did')]
  return (
    <>
      <DrawerFrame
        isOpen={target.value !== undefined}
        onClose={target.close}
        title={<TitleOf target={target.value} />}
        width={720}
      >
        {target.value !== undefined && <Entries question={{ target: target.value }} label={t('ofThing')} />}
      </DrawerFrame>
      <DrawerFrame isOpen={actor.value !== undefined} onClose={actor.close} title={t('byActor')} width={720}>
        {actor.value !== undefined && <Entries question={{ actor: actor.value }} label={t('byActor')} />}
      </DrawerFrame>
      <EntryDrawer />
      <UndoModal />
    </>
  )
}

/** By the name that the newest of its own changes has kept. */
function TitleOf({ target }: { target: string | undefined }) {
  const { t } = useTranslation('history')
  const history = useInfiniteQuery({ ...historyQuery({ target }), enabled: target !== undefined })
  const entries = history.data?.pages.flatMap((page) => page.entries) ?? []
  const name = entries.find((entry) => entry.target === target && entry.name !== null)?.name
  return name === undefined || name === null ? t('ofThing') : t('ofNamed', { name })
}

function Entries({ question, label }: { question: HistoryQuestion; label: string }) {
  const { t } = useTranslation('history')
  const history = useInfiniteQuery(historyQuery(question))
  const [entry, undo] = [useDialog('entry'), useDialog('undo')]
  if (history.isPending) return <LoadingRows />
  if (history.isError) return <ErrorState error={history.error} onRetry={() => void history.refetch()} />
  const entries = history.data.pages.flatMap((page) => page.entries)
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
      {history.hasNextPage && (
        <Button variant="default" mt="md" loading={history.isFetchingNextPage} onClick={() => void history.fetchNextPage()}>
          {t('more')}
        </Button>
      )}
    </>
  )
}
