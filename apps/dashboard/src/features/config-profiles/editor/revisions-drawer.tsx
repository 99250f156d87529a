import type { Revision } from '@causeway/contract'
import { Button, Stack, Text, UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CodeDiff } from '../../../ui/code-editor.tsx'
import { DrawerFrame, FrameFooter } from '../../../ui/frames.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../../../ui/states.tsx'
import { useDialog } from '../../../ui/use-dialog.ts'
import { revisionQuery, revisionsQuery } from '../config-profiles.queries.ts'
import { compareConfigs } from './config-diff.ts'
import classes from './editor.module.css'

interface Props {
  uuid: string
  /** What stands in the editor. */
  text: string
  onTake: (text: string) => void
}

/** What the profile held after each save, compared with what stands in the editor, and the way back. */
export function RevisionsDrawer({ uuid, text, onTake }: Props) {
  const { t } = useTranslation('profile-editor')
  const dialog = useDialog('revisions')
  return (
    <DrawerFrame isOpen={dialog.value !== undefined} onClose={dialog.close} title={t('revisions.title')} width={960}>
      <Revisions
        uuid={uuid}
        text={text}
        onTake={(taken) => {
          dialog.close()
          onTake(taken)
        }}
      />
    </DrawerFrame>
  )
}

function Revisions({ uuid, text, onTake }: Props) {
  const { t } = useTranslation('profile-editor')
  const revisions = useQuery(revisionsQuery(uuid))
  const [chosen, setChosen] = useState<number>()
  if (revisions.isPending) return <LoadingRows />
  if (revisions.isError) return <ErrorState error={revisions.error} onRetry={() => void revisions.refetch()} />
  const list = revisions.data.revisions
  if (list.length === 0) return <EmptyState title={t('revisions.none')} hint={t('revisions.noneHint')} />
  const number = chosen ?? list[0]?.number ?? 0
  return (
    <Stack gap="md">
      <ul className={classes['list']} aria-label={t('revisions.title')}>
        {list.map((revision) => (
          <li key={revision.number}>
            <UnstyledButton
              className={classes['revision']}
              aria-pressed={revision.number === number}
              onClick={() => setChosen(revision.number)}
            >
              <Line revision={revision} />
            </UnstyledButton>
          </li>
        ))}
      </ul>
      <Chosen key={number} uuid={uuid} number={number} text={text} onTake={onTake} />
    </Stack>
  )
}

function Line({ revision: { number, at, actorKind, actorName, reason } }: { revision: Revision }) {
  const { t } = useTranslation('profile-editor')
  const who = actorName ?? t(actorKind === 'system' ? 'revisions.before' : 'revisions.somebody')
  return (
    <>
      <Text size="sm" fw={600} component="span">
        {t('revisions.number', { number })}
      </Text>{' '}
      <Text size="sm" c="dimmed" component="span">
        <bdi>{who}</bdi> · <RelativeTime at={at} />
      </Text>
      {reason !== null && (
        <Text size="sm" dir="auto">
          {reason}
        </Text>
      )}
    </>
  )
}

function Chosen({ uuid, number, text, onTake }: Props & { number: number }) {
  const { t } = useTranslation('profile-editor')
  const revision = useQuery(revisionQuery(uuid, number))
  if (revision.isError) return <ErrorState error={revision.error} onRetry={() => void revision.refetch()} />
  if (revision.isPending) return <LoadingRows />
  const { content } = revision.data
  return (
    <>
      <Differences before={content} after={text} />
      {content !== text && (
        <CodeDiff label={t('diff.text', { number })} language="json" before={content} after={text} height={420} />
      )}
      <FrameFooter>
        <Button disabled={content === text} onClick={() => onTake(content)}>
          {t('revisions.take', { number })}
        </Button>
      </FrameFooter>
    </>
  )
}

/** From the revision to what stands in the editor, in words. */
function Differences({ before, after }: { before: string; after: string }) {
  const { t } = useTranslation('profile-editor')
  const diff = compareConfigs(before, after)
  if (diff === undefined) return <Text size="sm">{t('diff.unknown')}</Text>
  if (diff.inbounds.length + diff.sections.length === 0) return <Text size="sm">{t('diff.none')}</Text>
  return (
    <ul aria-label={t('diff.title')} style={{ margin: 0, paddingInlineStart: '1.25rem' }}>
      {diff.inbounds.map(({ tag, change, keys }) => (
        <li key={tag}>
          <Text size="sm" component="span">
            {t(`diff.${change}`, { tag, keys: keys.join(', ') })}
          </Text>
        </li>
      ))}
      {diff.sections.length > 0 && (
        <li>
          <Text size="sm" component="span">
            {t('diff.sections', { sections: diff.sections.join(', ') })}
          </Text>
        </li>
      )}
    </ul>
  )
}
