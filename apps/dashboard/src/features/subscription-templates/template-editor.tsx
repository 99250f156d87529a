import { updateSubscriptionTemplate, type SubscriptionTemplate } from '@causeway/contract'
import { jsonFault } from '@causeway/xray'
import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconFileTime } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EditFrame } from '../../api/edit-frame.tsx'
import { actionTitle, showError } from '../../api/toasts.ts'
import { useEditForm, type Opened } from '../../api/use-edit-form.ts'
import { draftStore } from '../../lib/draft-store.ts'
import type { CodeEditorHandle, CodeMarker } from '../../ui/editor/code-editor-parts.ts'
import { CodeDiff, CodeEditor } from '../../ui/editor/code-editor.tsx'
import { RelativeTime } from '../../ui/calendar/relative-time.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { useDraft } from '../../ui/frames/use-draft.ts'
import { RevisionsDrawer } from '../revisions/parts/revisions-drawer.tsx'
import { TemplateCatalogueModal } from '../template-catalogue/parts/template-catalogue-modal.tsx'
import { templateSchema } from './schemas/template-schema.ts'
import { useSaveTemplate } from './subscription-templates.queries.ts'
import { languageOf, placeIn, toInput, toText } from './template-text.ts'
import { TemplateToolbar } from './template-toolbar.tsx'

const DIFF_HEIGHT = 320
const OPEN = 'open'
const NO_MARKERS: readonly CodeMarker[] = []
/** They hold no keys, and outlive the tab. */
const drafts = draftStore(localStorage, 'draft')

/** The text, what can be done with it, and the way to save it. */
export function TemplateEditor({ opened }: { opened: Opened<SubscriptionTemplate> }) {
  const { t } = useTranslation('subscription-templates')
  const { templateType: type, uuid } = opened.entity
  const language = languageOf(type)
  const editor = useRef<CodeEditorHandle>(null)
  const frame = useRef<HTMLDivElement>(null)
  const refusalBox = useRef<HTMLDivElement>(null)
  const [refusal, setRefusal] = useState<{ words: string; markers: readonly CodeMarker[] }>()
  const edit = useEditForm({
    opened,
    toForm: (template) => ({ text: toText(template) }),
    fields: { text: { label: t('text'), inWords: (text) => t('lines', { count: text.split('\n').length }) } },
  })
  const text = edit.form.values.text
  const draft = useDraft({ drafts, id: `template:${type}`, text, isChanged: edit.isChanged })
  const save = useSaveTemplate({
    setErrors: (errors) => refuseAs(actionTitle(updateSubscriptionTemplate), Object.values(errors).join(' ')),
  })
  const catalogue = useDialog('catalogue')
  const { t: ui } = useTranslation('ui')
  const revisions = useDialog('revisions')

  function change(next: string): void {
    setRefusal(undefined)
    edit.form.setFieldValue('text', next)
  }

  /** The server's words, at the place they speak of. */
  function refuse(words: string): void {
    const place = placeIn(words)
    setRefusal({ words, markers: place ? [{ ...place, message: words, severity: 'error' }] : NO_MARKERS })
    // The button that had the focus may be disabled by now.
    if (place) editor.current?.reveal(place)
    else setTimeout(() => refusalBox.current?.focus())
  }

  function refuseAs(title: string, words: string): void {
    showError(title, words)
    refuse(words)
  }

  function mayTry(): boolean {
    if (text.trim() === '') return false
    const fault = language === 'json' ? jsonFault(text) : undefined
    if (!fault) return true
    const words = `${fault.message} (line ${fault.line}, column ${fault.column})`
    showError(t('invalid.title'), fault.kind === 'broken' ? t('invalid.message') : words)
    refuse(words)
    return false
  }
  return (
    <div ref={frame}>
      {draft.found && (
        <Alert variant="default" mb="md" role="alert" icon={<IconFileTime size={18} color="var(--warn)" aria-hidden />}>
          <Group justify="space-between" gap="xs">
            <Text size="sm">
              {t('draft.found')} <RelativeTime at={draft.found.at} />
            </Text>
            <Group gap="xs">
              <Button
                size="compact-sm"
                onClick={() => {
                  if (draft.found) change(draft.found.text)
                  draft.settle()
                }}
              >
                {t('draft.take')}
              </Button>
              <Button size="compact-sm" variant="default" onClick={draft.forget}>
                {t('draft.drop')}
              </Button>
            </Group>
          </Group>
        </Alert>
      )}
      <EditFrame
        edit={edit}
        mayTry={mayTry}
        onDiscard={draft.forget}
        onSave={({ values }) => save.mutateAsync(toInput(type, values.text))}
        status={
          refusal && (
            <Alert
              ref={refusalBox}
              tabIndex={-1}
              variant="default"
              role="note"
              icon={<IconAlertTriangle size={18} color="var(--bad)" aria-hidden />}
            >
              <span dir="auto">{refusal.words}</span>
            </Alert>
          )
        }
      >
        <Stack gap="sm">
          <TemplateToolbar
            editor={editor}
            text={text}
            onCatalogue={() => catalogue.open(OPEN)}
            onRevisions={() => revisions.open(OPEN)}
          />
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
            markers={refusal?.markers ?? NO_MARKERS}
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
        onTake={change}
      />
    </div>
  )
}
