import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { DrawerFrame } from '../../../ui/frames/frames.tsx'
import { useDialog } from '../../../ui/frames/use-dialog.ts'
import { EntryDrawer } from '../entry-drawer.tsx'
import { historyQuery } from '../history.queries.ts'
import { UndoModal } from '../undo-modal.tsx'
import { HistoryEntries } from './history-entries.tsx'

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
        {target.value !== undefined && <HistoryEntries question={{ target: target.value }} label={t('ofThing')} />}
      </DrawerFrame>
      <DrawerFrame isOpen={actor.value !== undefined} onClose={actor.close} title={t('byActor')} width={720}>
        {actor.value !== undefined && <HistoryEntries question={{ actor: actor.value }} label={t('byActor')} />}
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
