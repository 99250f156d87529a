import { updateConfigProfile, type ConfigProfile } from '@causeway/contract'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { EditFrame } from '../../../api/edit-frame.tsx'
import { useEditForm, type EditForm, type Opened } from '../../../api/use-edit-form.ts'
import { draftStore, type Draft } from '../../../lib/draft-store.ts'
import { CodeDiff, CodeEditor } from '../../../ui/editor/code-editor.tsx'
import type { CodeEditorHandle } from '../../../ui/editor/code-editor-parts.ts'
import { DraftNotice } from '../../../ui/frames/draft-notice.tsx'
import { useDraft } from '../../../ui/frames/use-draft.ts'
import { schemaQuery } from '../config-profiles.queries.ts'
import { RolloutStrip } from '../rollouts/rollout-strip.tsx'
import { useSnippetContents } from '../snippets/snippets.queries.ts'
import { useSchemaWithSnippets } from './snippet-schema.ts'
import { ComputedDrawer } from './computed-drawer.tsx'
import { useRollout } from '../rollouts/rollouts.queries.ts'
import { RevisionsDrawer } from '../../revisions/parts/revisions-drawer.tsx'
import { Differences } from './differences.tsx'
import { ProfileToolbar } from './profile-toolbar.tsx'
import { useSaveProfile, type ProfileText } from './use-save-profile.ts'
import { useGoBack } from '../../revisions/parts/use-go-back.ts'
import { useVerdict, type Checker } from './use-validator.ts'
import { VerdictBox } from './verdict-box.tsx'

interface Props {
  opened: Opened<ConfigProfile>
  checker: Checker
  /** The text can be typed into. */
  onReady: () => void
}

const DIFF_HEIGHT = 320

/** They outlive a reload and the way through the sign-in, but not the tab: they may hold keys. */
const drafts = draftStore(sessionStorage, 'profile-draft')

/** A form asks for it with every key. */
const written = new WeakMap<ConfigProfile, ProfileText>()

/** As the server's revisions are written, so that a difference is one. */
function toForm(profile: ConfigProfile): ProfileText {
  const known = written.get(profile)
  const form = known ?? { text: JSON.stringify(profile.config, null, 2) }
  if (known === undefined) written.set(profile, form)
  return form
}

/** The text of a profile, what is known of it, and the two ways to save. */
export function ProfileForm({ opened, checker, onReady }: Props) {
  const { t } = useTranslation('profile-editor')
  const { t: ui } = useTranslation('ui')
  const { uuid } = opened.entity
  const editor = useRef<CodeEditorHandle>(null)
  const box = useRef<HTMLDivElement>(null)
  const { edit, text, setText, kept, save } = useProfileEdit(opened, editor, box)
  const snippets = useSnippetContents()
  const verdict = useVerdict(text, checker, save.said, snippets)
  const schema = useSchemaWithSnippets(useQuery(schemaQuery()).data, snippets)
  const isRollingOut = useRollout(uuid)?.state === 'running'
  const isValid = verdict?.isValid === true
  const isReadOnly = { readOnlyReason: ui('code.draftFirst') }

  const goBack = useGoBack({
    setText,
    canSave: edit.canSave && !isRollingOut,
    save: (number) => edit.save((change, isFresh) => save.send(change, isFresh, t('backTo', { number }))),
  })

  async function saveAnyway(): Promise<void> {
    if (verdict && (await save.isMeant(verdict))) await edit.save(save.send)
  }
  return (
    <EditFrame
      writes={updateConfigProfile}
      edit={edit}
      onSave={(change, isFresh) => save.send(change, isFresh)}
      onDiscard={kept.forget}
      isDisabled={!isValid || isRollingOut}
      status={<VerdictBox ref={box} verdict={verdict} checker={checker} onGo={(place) => editor.current?.reveal(place)} />}
      others={
        <Button
          color="red.7"
          disabled={verdict?.isValid !== false || edit.isSaving || isRollingOut}
          onClick={() => void saveAnyway()}
        >
          {t('anyway.button')}
        </Button>
      }
    >
      <UnsavedText edit={edit} text={text} draft={edit.isChanged ? kept.found : undefined} savedAt={opened.entity.updatedAt} />
      <RolloutStrip profile={opened.entity} onTake={setText} />
      <ProfileToolbar editor={editor} text={text} isUnsaved={edit.isChanged} onTake={setText} />
      <CodeEditor
        ref={editor}
        label={t('config')}
        language="json"
        value={text}
        onChange={setText}
        schema={schema}
        markers={markersOf(verdict)}
        onReady={onReady}
        {...(kept.isWaiting && isReadOnly)}
        isUnkept={kept.isUnkept}
        onSave={() => void (isValid && !isRollingOut && edit.canSave && edit.save(save.send))}
      />
      {save.dialog}
      <ComputedDrawer text={text} snippets={snippets} />
      <RevisionsDrawer
        of={{ kind: 'profile', uuid }}
        language="json"
        text={text}
        isUnsaved={edit.isChanged}
        onTake={goBack}
        inWords={(before, after) => <Differences before={before} after={after} />}
      />
    </EditFrame>
  )
}

/** The edited text, its draft, and the ways to save it. */
function useProfileEdit(
  opened: Opened<ConfigProfile>,
  editor: RefObject<CodeEditorHandle | null>,
  box: RefObject<HTMLDivElement | null>,
) {
  const { t } = useTranslation('profile-editor')
  const { uuid, updatedAt } = opened.entity
  const edit = useEditForm({
    opened,
    toForm,
    fields: { text: { label: t('config'), isSame: (one, other) => one === other, inWords: () => t('anotherText') } },
  })
  const { text } = edit.form.values
  const setText = (next: string) => edit.form.setValues({ text: next })
  const kept = useDraft({ drafts, id: uuid, base: updatedAt, text, isChanged: edit.isChanged, onFound: setText })
  const save = useSaveProfile({
    profile: opened.entity,
    text,
    textOf: (profile) => toForm(profile).text,
    onSaved: kept.settle,
    // What was typed is kept with the roll-out, and comes back from there if it does not end well.
    onRollout: () => {
      kept.settle()
      edit.reset()
    },
    onFault: (fault) => editor.current?.reveal(fault),
    onRefused: () => box.current?.focus(),
  })
  return { edit, text, setText, kept, save }
}

function markersOf(verdict: ReturnType<typeof useVerdict>) {
  if (!verdict?.place || verdict.isValid) return []
  return [{ ...verdict.place, message: verdict.message ?? '', severity: 'error' as const }]
}

interface UnsavedProps {
  edit: EditForm<ConfigProfile, ProfileText>
  text: string
  draft: Draft | undefined
  savedAt: string
}

/** A draft that was put back, and how the text differs from a colleague's save. */
function UnsavedText({ edit, text, draft, savedAt }: UnsavedProps) {
  const { t } = useTranslation('profile-editor')
  const isOlder = draft !== undefined && draft.base !== savedAt
  const hasConflict = edit.conflicts.length > 0
  return (
    <>
      {/* What others save while the page is open is told of above. */}
      {draft && !hasConflict && (
        <DraftNotice text={t(isOlder ? 'draft.older' : 'draft.found')} at={draft.at}>
          <Button variant="default" size="compact-sm" onClick={edit.reset}>
            {t('draft.discard')}
          </Button>
        </DraftNotice>
      )}
      {(hasConflict || isOlder) && (
        <div style={{ marginBottom: '1rem' }}>
          <CodeDiff label={t('difference')} language="json" before={edit.theirs.text} after={text} height={DIFF_HEIGHT} />
        </div>
      )}
    </>
  )
}
