import { updateSubscriptionTemplate, type SubscriptionTemplate } from '@causeway/contract'
import { jsonFault } from '@causeway/xray'
import { Alert, Button, Stack } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useRef, useState, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { EditFrame } from '../../api/edit-frame.tsx'
import { actionTitle, showError } from '../../api/toasts.ts'
import { useEditForm, type Opened } from '../../api/use-edit-form.ts'
import { draftStore, type Draft } from '../../lib/draft-store.ts'
import type { CodeEditorHandle, CodeMarker } from '../../ui/editor/code-editor-parts.ts'
import { CodeDiff, CodeEditor } from '../../ui/editor/code-editor.tsx'
import { DraftNotice } from '../../ui/frames/draft-notice.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { useDraft } from '../../ui/frames/use-draft.ts'
import { HistoryButton } from '../history/parts/history-item.tsx'
import { useGoBack } from '../revisions/parts/use-go-back.ts'
import { RevisionsDrawer } from '../revisions/parts/revisions-drawer.tsx'
import { TemplateCatalogueModal } from '../template-catalogue/parts/template-catalogue-modal.tsx'
import { templateSchema } from './schemas/template-schema.ts'
import { useSaveNamedTemplate, useSaveTemplate } from './subscription-templates.queries.ts'
import { languageOf, placeIn, toInput, toText } from './template-text.ts'
import { useTemplateSaveDialog } from './template-save-dialog.tsx'
import { TemplateToolbar } from './template-toolbar.tsx'

const DIFF_HEIGHT = 320
const OPEN = 'open'
const NO_MARKERS: readonly CodeMarker[] = []
/** They hold no keys, and outlive the tab. */
const drafts = draftStore(localStorage, 'draft')

/** The text, what can be done with it, and the way to save it. */
export function TemplateEditor({ opened }: { opened: Opened<SubscriptionTemplate> }) {
  const { t } = useTranslation('subscription-templates')
  const { t: ui } = useTranslation('ui')
  const { templateType: type, uuid, isDefault = true } = opened.entity
  const language = languageOf(type)
  const editor = useRef<CodeEditorHandle>(null)
  const frame = useRef<HTMLDivElement>(null)
  const refusal = useRefusal(editor)
  const edit = useEditForm({
    opened,
    toForm: (template) => ({ text: toText(template) }),
    fields: { text: { label: t('text'), inWords: (text) => t('lines', { count: text.split('\n').length }) } },
  })
  const text = edit.form.values.text
  const draft = useDraft({ drafts, id: `template:${isDefault ? type : uuid}`, text, isChanged: edit.isChanged })
  const setErrors = (errors: Record<string, string>) =>
    refusal.show(actionTitle(updateSubscriptionTemplate), Object.values(errors).join(' '))
  const save = useSaveTemplate({ setErrors })
  const saveNamed = useSaveNamedTemplate({ setErrors })
  const plan = useTemplateSaveDialog(type, isDefault ? undefined : uuid)
  const catalogue = useDialog('catalogue')
  const revisions = useDialog('revisions')

  function change(next: string): void {
    refusal.clear()
    edit.form.setFieldValue('text', next)
  }
  type Sending = [change: { values: { text: string } }, isFresh: () => Promise<boolean>, given?: string]
  async function send(...[{ values }, isFresh, given]: Sending): Promise<SubscriptionTemplate | undefined> {
    const reason = await plan.ask(values.text, given)
    // A preview is read for a while; a colleague's save meanwhile is not overwritten unseen.
    if (reason === undefined || !(await isFresh())) return undefined
    const { templateType, ...content } = toInput(type, values.text)
    const why = reason === '' ? {} : { reason }
    return isDefault
      ? save.mutateAsync({ templateType, ...content, ...why })
      : saveNamed.mutateAsync({ uuid, ...content, ...why })
  }
  const goBack = useGoBack({
    setText: change,
    canSave: edit.canSave,
    save: (number) => edit.save((taken, isFresh) => send(taken, isFresh, t('plan.backTo', { number }))),
  })
  function takeDraft(found: Draft): void {
    change(found.text)
    draft.settle()
  }
  return (
    <div ref={frame}>
      {draft.found && <FoundDraft draft={draft.found} onTake={takeDraft} onDiscard={draft.forget} />}
      <EditFrame
        writes={updateSubscriptionTemplate}
        edit={edit}
        mayTry={() => text.trim() !== '' && (language !== 'json' || refusal.accepts(text))}
        onDiscard={draft.forget}
        onSave={(change, isFresh) => send(change, isFresh)}
        status={refusal.box}
      >
        <Stack gap="sm">
          <TemplateToolbar
            editor={editor}
            text={text}
            onCatalogue={() => catalogue.open(OPEN)}
            onRevisions={() => revisions.open(OPEN)}
          />
          <div>
            <HistoryButton target={uuid} />
          </div>
          {edit.conflicts.length > 0 && (
            <CodeDiff label={t('conflict')} language={language} before={text} after={edit.theirs.text} height={DIFF_HEIGHT} />
          )}
          <CodeEditor
            ref={editor}
            label={t('textOf', { name: t(`titles.${type}`) })}
            language={language}
            value={text}
            onChange={change}
            schema={templateSchema(type)}
            markers={refusal.markers}
            {...(draft.isWaiting && { readOnlyReason: ui('code.draftFirst') })}
            isUnkept={draft.isUnkept}
            onSave={() => {
              if (edit.canSave && !edit.isSaving) frame.current?.querySelector('form')?.requestSubmit()
            }}
          />
        </Stack>
      </EditFrame>
      <TemplateCatalogueModal
        isOpen={catalogue.value !== undefined}
        onClose={catalogue.close}
        kind="SUBSCRIPTION"
        type={type}
        isUnsaved={edit.isChanged}
        onTake={change}
      />
      <RevisionsDrawer
        of={{ kind: 'template', uuid }}
        language={language}
        text={text}
        isUnsaved={edit.isChanged}
        onTake={goBack}
      />
      {plan.dialog}
    </div>
  )
}

interface FoundProps {
  draft: Draft
  onTake: (draft: Draft) => void
  onDiscard: () => void
}

function FoundDraft({ draft, onTake, onDiscard }: FoundProps) {
  const { t } = useTranslation('subscription-templates')
  return (
    <DraftNotice text={t('draft.found')} at={draft.at} isAsking>
      <Button size="compact-sm" onClick={() => onTake(draft)}>
        {t('draft.take')}
      </Button>
      <Button size="compact-sm" variant="default" onClick={onDiscard}>
        {t('draft.drop')}
      </Button>
    </DraftNotice>
  )
}

/** Why the text was refused: a box with the sentence, and a marker at the place that it speaks of. */
function useRefusal(editor: RefObject<CodeEditorHandle | null>) {
  const { t } = useTranslation('subscription-templates')
  const box = useRef<HTMLDivElement>(null)
  const [refusal, setRefusal] = useState<{ words: string; markers: readonly CodeMarker[] }>()

  function mark(words: string): void {
    const place = placeIn(words)
    setRefusal({ words, markers: place ? [{ ...place, message: words, severity: 'error' }] : NO_MARKERS })
    // The button that had the focus may be disabled by now.
    if (place) editor.current?.reveal(place)
    else setTimeout(() => box.current?.focus())
  }
  return {
    markers: refusal?.markers ?? NO_MARKERS,
    clear: () => setRefusal(undefined),
    show: (title: string, words: string) => {
      showError(title, words)
      mark(words)
    },
    /** Whether the text is JSON of which all would be kept; otherwise shows why not. */
    accepts: (text: string): boolean => {
      const fault = jsonFault(text)
      if (!fault) return true
      const words = `${fault.message} (line ${fault.line}, column ${fault.column})`
      showError(t('invalid.title'), fault.kind === 'broken' ? t('invalid.message') : words)
      mark(words)
      return false
    },
    box: refusal && (
      <Alert
        ref={box}
        tabIndex={-1}
        variant="default"
        role="note"
        icon={<IconAlertTriangle size={18} color="var(--bad)" aria-hidden />}
      >
        <span dir="auto">{refusal.words}</span>
      </Alert>
    ),
  }
}
