import { updateSnippet, type Snippet } from '@causeway/contract'
import { Button, List, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconCircleCheck, IconCircleX, IconHistory } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { EditFrame } from '../../../api/edit-frame.tsx'
import { useEditForm, type Change, type Opened } from '../../../api/use-edit-form.ts'
import { CodeEditor } from '../../../ui/editor/code-editor.tsx'
import type { CodeEditorHandle, CodeMarker } from '../../../ui/editor/code-editor-parts.ts'
import { useDialog } from '../../../ui/frames/use-dialog.ts'
import { RevisionsDrawer } from '../../revisions/parts/revisions-drawer.tsx'
import { useGoBack } from '../../revisions/parts/use-go-back.ts'
import editor from '../editor/editor.module.css'
import { RolloutStrip } from '../rollouts/rollout-strip.tsx'
import { useRollout, useStartSnippetRollout } from '../rollouts/rollouts.queries.ts'
import { placeOfPath } from '../editor/problem-place.ts'
import { readSnippet, snippetText } from './snippet-text.ts'
import { snippetCheckQuery, useUpdateSnippet } from './snippets.queries.ts'
import { useSnippetPlan } from './snippet-plan.tsx'

type SnippetForm = { text: string }
const PAUSE_MS = 400
const QUIET_LINK = { color: 'inherit', textDecorationColor: 'var(--accent)', textUnderlineOffset: '0.2em' }

/** The text of a snippet, and the judgement of every profile that names it. */
export function SnippetForm({ opened }: { opened: Opened<Snippet> }) {
  const { t } = useTranslation('snippets')
  const { t: revision } = useTranslation('revisions')
  const { name, uuid = '', profiles = [] } = opened.entity
  const code = useRef<CodeEditorHandle>(null)
  const revisions = useDialog('revisions')
  const edit = useEditForm<Snippet, SnippetForm>({
    opened,
    toForm: (snippet) => ({ text: snippetText(snippet) }),
    fields: { text: { label: t('content'), isSame: (one, other) => one === other, inWords: () => t('anotherText') } },
  })
  const { text } = edit.form.values
  const setText = (next: string) => edit.form.setValues({ text: next })
  const judged = useJudgement(name, text)
  const update = useUpdateSnippet()
  const start = useStartSnippetRollout({ onStarted: () => edit.reset() })
  const isRollingOut = useRollout(uuid)?.state === 'running'
  const { ask, dialog } = useSnippetPlan()

  async function send(
    { values }: Change<SnippetForm>,
    isFresh: () => Promise<boolean>,
    given = '',
  ): Promise<Snippet | undefined> {
    const read = readSnippet(values.text)
    if (!('elements' in read)) return undefined
    const hasNodes = profiles.some(({ nodes }) => nodes > 0)
    const decision = await ask({ snippet: { name, snippet: read.elements }, uuid, hasNodes, reason: given })
    if (!decision || !(await isFresh())) return undefined
    const { staged } = decision
    const change = { snippet: read.elements, ...(decision.reason === '' ? {} : { reason: decision.reason }) }
    if (staged !== undefined) {
      await start.mutateAsync({ uuid, ...change, ...staged })
      return undefined
    }
    const reply = await update.mutateAsync({ name, ...change })
    return reply.snippets.find((snippet) => snippet.uuid === uuid)
  }
  const goBack = useGoBack({
    setText,
    canSave: edit.canSave && !isRollingOut,
    save: (number) => edit.save((change, isFresh) => send(change, isFresh, t('backTo', { number }))),
  })
  return (
    <EditFrame
      writes={updateSnippet}
      edit={edit}
      onSave={(change, isFresh) => send(change, isFresh)}
      isDisabled={judged.isValid !== true || isRollingOut}
      status={<Judgement judged={judged} profiles={profiles.length} onGo={(place) => code.current?.reveal(place)} />}
    >
      <RolloutStrip profile={{ uuid, updatedAt: opened.entity.updatedAt ?? '' }} onTake={setText} />
      <div className={editor['toolbar']} role="toolbar" aria-label={t('tools')}>
        <Button
          variant="default"
          size="compact-md"
          leftSection={<IconHistory size={16} aria-hidden />}
          onClick={() => revisions.open('all')}
        >
          {revision('open')}
        </Button>
      </div>
      <UsedIn profiles={profiles} />
      <CodeEditor
        ref={code}
        label={t('content')}
        language="json"
        value={text}
        onChange={setText}
        markers={judged.markers}
        onSave={() =>
          void (judged.isValid === true && !isRollingOut && edit.canSave && edit.save((change, isFresh) => send(change, isFresh)))
        }
      />
      {dialog}
      <RevisionsDrawer of={{ kind: 'snippet', uuid }} language="json" text={text} isUnsaved={edit.isChanged} onTake={goBack} />
    </EditFrame>
  )
}

function UsedIn({ profiles }: { profiles: NonNullable<Snippet['profiles']> }) {
  const { t } = useTranslation('snippets')
  if (profiles.length === 0)
    return (
      <Text size="sm" c="dimmed" mb="sm">
        {t('unusedHint')}
      </Text>
    )
  return (
    <section aria-label={t('usedIn')} style={{ marginBottom: '0.75rem' }}>
      <Text size="sm" fw={600}>
        {t('usedIn')}
      </Text>
      <List size="sm">
        {profiles.map(({ uuid, name, paths, nodes }) => (
          <List.Item key={uuid}>
            <Link to="/dashboard/management/config-profiles/$uuid" params={{ uuid }} style={QUIET_LINK}>
              <bdi>{name}</bdi>
            </Link>{' '}
            <Text span size="sm" c="dimmed">
              <bdi dir="ltr">{paths.join(', ')}</bdi> · {t('nodes', { count: nodes })}
            </Text>
          </List.Item>
        ))}
      </List>
    </section>
  )
}

interface Judged {
  /** Undefined while it is being looked at. */
  isValid: boolean | undefined
  message: string | undefined
  markers: CodeMarker[]
}

/** The server's judgement of each computed profile, after typing has paused. */
function useJudgement(name: string, text: string): Judged {
  const [settled] = useDebouncedValue(text, PAUSE_MS)
  const read = readSnippet(settled)
  const snippet = 'elements' in read ? read.elements : []
  const check = useQuery({ ...snippetCheckQuery({ name, snippet }), enabled: 'elements' in read })
  const marker = (message: string, place: { line: number; column: number } | undefined): CodeMarker[] => [
    { ...(place ?? { line: 1, column: 1 }), message, severity: 'error' },
  ]
  if ('fault' in read) return { isValid: false, message: read.fault.message, markers: marker(read.fault.message, read.fault) }
  if (settled !== text || check.isPending) return { isValid: undefined, message: undefined, markers: [] }
  if (check.isError) return { isValid: false, message: check.error.message, markers: [] }
  const markers = check.data.problems.flatMap(({ path, message }) => marker(message, placeOfPath(text, path)))
  return { isValid: markers.length === 0, message: markers[0]?.message, markers }
}

interface JudgementProps {
  judged: Judged
  profiles: number
  onGo: (place: CodeMarker) => void
}

function Judgement({ judged: { isValid, message, markers }, profiles, onGo }: JudgementProps) {
  const { t } = useTranslation('snippets')
  const { t: of } = useTranslation('profile-editor')
  const [first] = markers
  const valid = profiles === 0 ? t('validAlone') : t('valid', { count: profiles })
  return (
    <div className={editor['verdict']} data-state={isValid === undefined ? 'none' : isValid ? 'good' : 'bad'} role="status">
      {isValid === true && <IconCircleCheck size={18} aria-hidden />}
      {isValid === false && <IconCircleX size={18} aria-hidden />}
      <Text size="sm" component="span" className={editor['said']}>
        <bdi>{message ?? (isValid === undefined ? of('checking') : valid)}</bdi>
      </Text>
      {first && (
        <Button variant="default" size="compact-sm" onClick={() => onGo(first)}>
          {of('go', { line: first.line })}
        </Button>
      )}
    </div>
  )
}
