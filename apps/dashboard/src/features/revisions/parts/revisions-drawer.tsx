import type { Revision } from '@causeway/contract'
import { Badge, Button, Stack, Text, UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { CodeLanguage } from '../../../ui/editor/code-editor-parts.ts'
import { CodeDiff } from '../../../ui/editor/code-editor.tsx'
import { useConfirm } from '../../../ui/frames/confirm.tsx'
import { DrawerFrame, FrameFooter } from '../../../ui/frames/frames.tsx'
import { RelativeTime } from '../../../ui/calendar/relative-time.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../../../ui/frames/states.tsx'
import { useDialog } from '../../../ui/frames/use-dialog.ts'
import { revisionQuery, revisionsQuery, type RevisedText } from '../revisions.queries.ts'
import classes from './revisions.module.css'

interface Props {
  of: RevisedText
  language: CodeLanguage
  /** The editor's text, and whether it is saved. */
  text: string
  isUnsaved: boolean
  /** Goes back to the text of a revision. */
  onTake: (text: string, number: number) => void
  /** Changes of a text of this kind, beyond its lines. */
  inWords?: (before: string, after: string) => ReactNode
}

/** Revisions of a text, compared with the editor's text, and the way back. */
export function RevisionsDrawer({ onTake, ...rest }: Props) {
  const { t } = useTranslation('revisions')
  const dialog = useDialog('revisions')
  return (
    <DrawerFrame isOpen={dialog.value !== undefined} onClose={dialog.close} title={t('title')} width={960}>
      <Revisions
        {...rest}
        onTake={(taken, number) => {
          dialog.close()
          onTake(taken, number)
        }}
      />
    </DrawerFrame>
  )
}

function Revisions(props: Props) {
  const { t } = useTranslation('revisions')
  const revisions = useQuery(revisionsQuery(props.of))
  const [chosen, setChosen] = useState<number>()
  if (revisions.isPending) return <LoadingRows />
  if (revisions.isError) return <ErrorState error={revisions.error} onRetry={() => void revisions.refetch()} />
  const list = revisions.data.revisions
  if (list.length === 0) return <EmptyState title={t('none')} hint={t('noneHint')} />
  const number = chosen ?? list[0]?.number ?? 0
  return (
    <Stack gap="md">
      <ul className={classes['list']} aria-label={t('title')}>
        {list.map((revision) => (
          <li key={revision.number}>
            <UnstyledButton
              className={classes['revision']}
              aria-pressed={revision.number === number}
              onClick={() => setChosen(revision.number)}
            >
              <Line revision={revision} isCurrent={revision === list[0]} />
            </UnstyledButton>
          </li>
        ))}
      </ul>
      <Chosen key={number} {...props} number={number} />
    </Stack>
  )
}

interface LineProps {
  revision: Revision
  /** The newest is what is saved: every save makes one. */
  isCurrent: boolean
}

function Line({ revision: { number, at, actorKind, actorName, reason }, isCurrent }: LineProps) {
  const { t } = useTranslation('revisions')
  const who = actorName ?? t(actorKind === 'system' ? 'before' : 'somebody')
  return (
    <>
      <Text size="sm" fw={600} component="span">
        {t('number', { number })}
      </Text>{' '}
      <Text size="sm" c="dimmed" component="span">
        <bdi>{who}</bdi> · <RelativeTime at={at} />
      </Text>
      {isCurrent && (
        <Badge ms="xs" variant="light" color="cyan" tt="none">
          {t('current')}
        </Badge>
      )}
      {reason !== null && (
        <Text size="sm" dir="auto">
          {reason}
        </Text>
      )}
    </>
  )
}

function Chosen({ of, number, language, text, isUnsaved, onTake, inWords }: Props & { number: number }) {
  const { t } = useTranslation('revisions')
  const revision = useQuery(revisionQuery(of, number))
  const confirm = useConfirm()
  if (revision.isError) return <ErrorState error={revision.error} onRetry={() => void revision.refetch()} />
  if (revision.isPending) return <LoadingRows />
  const { content } = revision.data
  const isSame = content === text

  async function take(): Promise<void> {
    const question = { title: t('replace.title'), body: t('replace.body'), action: t('replace.action'), isDangerous: true }
    if (!isUnsaved || (await confirm(question))) onTake(content, number)
  }
  return (
    <>
      {isSame ? <Text size="sm">{t('same')}</Text> : inWords?.(content, text)}
      {!isSame && <CodeDiff label={t('diff', { number })} language={language} before={content} after={text} height={420} />}
      <FrameFooter>
        <Button disabled={isSame} onClick={() => void take()}>
          {t('take', { number })}
        </Button>
      </FrameFooter>
    </>
  )
}
