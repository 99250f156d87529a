import { Anchor, Button, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { exactTime } from '../../lib/time/dates.ts'
import { DrawerFrame, FrameFooter } from '../../ui/frames/frames.tsx'
import { ErrorState, LoadingRows } from '../../ui/frames/states.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { ChangedThings } from './changed-things.tsx'
import { entryQuery } from './history.queries.ts'
import { sentenceOf } from './history-words.ts'
import { LeftThings } from './left-things.tsx'

/** An entry field by field, with the way back or the reason why there is none. */
export function EntryDrawer() {
  const { t } = useTranslation('history')
  const dialog = useDialog('entry')
  return (
    <DrawerFrame isOpen={dialog.value !== undefined} onClose={dialog.close} title={t('entry.title')} width={720}>
      {dialog.value !== undefined && <Entry key={dialog.value} id={Number(dialog.value)} />}
    </DrawerFrame>
  )
}

function OtherEntry({ id, children }: { id: number; children: string }) {
  const { open } = useDialog('entry')
  return (
    <Anchor component="button" type="button" size="sm" ta="start" onClick={() => open(String(id))}>
      {children}
    </Anchor>
  )
}

function Entry({ id }: { id: number }) {
  const { t, i18n } = useTranslation('history')
  const entry = useQuery(entryQuery(id))
  const undo = useDialog('undo')
  if (entry.isPending) return <LoadingRows />
  if (entry.isError) return <ErrorState error={entry.error} onRetry={() => void entry.refetch()} />
  const { actor, at, from, changes, total, left, obstacle, undoes, undoneBy, stoppedAt } = entry.data
  const who = actor.kind === 'system' ? t('system') : (actor.name ?? t('unknownActor'))
  return (
    <>
      <Stack gap="sm">
        <Text fw={600}>
          <bdi>{sentenceOf(t, entry.data)}</bdi>
        </Text>
        <Text size="sm" c="dimmed">
          <bdi>{who}</bdi> · {exactTime(new Date(at), i18n.language)}
          {from !== null && (
            <>
              {' · '}
              <bdi>{t('from', { address: from })}</bdi>
            </>
          )}
        </Text>
        {undoes !== null && <OtherEntry id={undoes}>{t('entry.undoes', { id: undoes })}</OtherEntry>}
        {undoneBy !== null && <OtherEntry id={undoneBy}>{t('entry.undoneBy', { id: undoneBy })}</OtherEntry>}
        {stoppedAt !== null && <OtherEntry id={stoppedAt}>{t('entry.stoppedAt', { id: stoppedAt })}</OtherEntry>}
        <ChangedThings things={changes} total={total} />
        {left.length > 0 && <LeftThings title={t('entry.left')} left={left} />}
      </Stack>
      <FrameFooter>
        {obstacle !== null && (
          <Text size="sm" c="dimmed" style={{ flex: 1 }}>
            {t(`obstacle.${obstacle}`)}
          </Text>
        )}
        <Button disabled={obstacle !== null} onClick={() => undo.open(String(id))}>
          {t('undo.button')}
        </Button>
      </FrameFooter>
    </>
  )
}
