import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CodeLanguage } from '../../ui/code-editor-parts.ts'
import { CodeDiff } from '../../ui/code-editor.tsx'
import { useConfirm } from '../../ui/confirm.tsx'
import { DrawerFrame } from '../../ui/frames.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../../ui/states.tsx'
import { revisionQuery, revisionsQuery } from './subscription-templates.queries.ts'

const WIDTH = 900
const DIFF_HEIGHT = 460

interface Props {
  isOpen: boolean
  onClose: () => void
  uuid: string
  language: CodeLanguage
  /** What stands in the editor, and whether it is saved. */
  current: string
  isUnsaved: boolean
  onTake: (text: string) => void
}

/** What was saved before, what differs from the editor's text, and the way back to it. */
export function RevisionsDrawer({ isOpen, onClose, ...rest }: Props) {
  const { t } = useTranslation('subscription-templates')
  return (
    <DrawerFrame isOpen={isOpen} onClose={onClose} title={t('history.title')} width={WIDTH}>
      <Revisions {...rest} onClose={onClose} />
    </DrawerFrame>
  )
}

function Revisions({ uuid, onClose, ...rest }: Omit<Props, 'isOpen'>) {
  const { t } = useTranslation('subscription-templates')
  const query = useQuery(revisionsQuery(uuid))
  const [chosen, setChosen] = useState<number>()
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  if (query.data === undefined) return <LoadingRows count={6} />
  const { revisions } = query.data
  if (revisions.length === 0) return <EmptyState title={t('history.none')} hint={t('history.noneHint')} />
  return (
    <Stack gap="sm">
      {revisions.map(({ number, at, actorName }) => (
        <div key={number}>
          <Group justify="space-between" gap="xs">
            <Text size="sm">
              {t('history.revision', { number })} · <RelativeTime at={at} />
              {actorName !== null && (
                <>
                  {' · '}
                  <bdi>{actorName}</bdi>
                </>
              )}
            </Text>
            <Button
              size="compact-sm"
              variant="default"
              aria-expanded={chosen === number}
              onClick={() => setChosen(chosen === number ? undefined : number)}
            >
              {t(chosen === number ? 'history.hide' : 'history.compare')}
            </Button>
          </Group>
          {chosen === number && <Comparison uuid={uuid} number={number} {...rest} onDone={onClose} />}
        </div>
      ))}
    </Stack>
  )
}

type ComparisonProps = Pick<Props, 'uuid' | 'language' | 'current' | 'isUnsaved' | 'onTake'> & {
  number: number
  onDone: () => void
}

function Comparison({ uuid, number, language, current, isUnsaved, onTake, onDone }: ComparisonProps) {
  const { t } = useTranslation('subscription-templates')
  const query = useQuery(revisionQuery(uuid, number))
  const confirm = useConfirm()
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  if (query.data === undefined) return <LoadingRows count={4} />
  const { content } = query.data

  async function take(): Promise<void> {
    const question = { title: t('history.back.title'), body: t('history.back.body'), action: t('history.back.action') }
    if (isUnsaved && !(await confirm({ ...question, isDangerous: true }))) return
    onTake(content)
    onDone()
  }
  return (
    <Stack gap="xs" mt="xs">
      {content === current ? (
        <Text size="sm" c="dimmed">
          {t('history.same')}
        </Text>
      ) : (
        <>
          <CodeDiff
            label={t('history.diff', { number })}
            language={language}
            before={content}
            after={current}
            height={DIFF_HEIGHT}
          />
          <Group justify="flex-end">
            <Button size="xs" onClick={() => void take()}>
              {t('history.take', { number })}
            </Button>
          </Group>
        </>
      )}
    </Stack>
  )
}
