import type { SubscriptionTemplate } from '@causeway/contract'
import { jsonFault } from '@causeway/xray'
import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconFileTime, IconHistory } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EditFrame } from '../../api/edit-frame.tsx'
import { showError } from '../../api/toasts.ts'
import { useEditForm, type Opened } from '../../api/use-edit-form.ts'
import { draftStore } from '../../lib/draft-store.ts'
import type { CodeEditorHandle, CodeMarker } from '../../ui/code-editor-parts.ts'
import { CodeDiff, CodeEditor } from '../../ui/code-editor.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { useDialog } from '../../ui/use-dialog.ts'
import { useDraft } from '../../ui/use-draft.ts'
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
  const [refusal, setRefusal] = useState<{ words: string; markers: readonly CodeMarker[] }>()
  const edit = useEditForm({
    opened,
    toForm: (template) => ({ text: toText(template) }),
    fields: { text: { label: t('text'), inWords: (text) => t('lines', { count: text.split('\n').length }) } },
  })
  const text = edit.form.values.text
  const draft = useDraft({ drafts, id: `template:${type}`, text, isChanged: edit.isChanged })
  const save = useSaveTemplate({ setErrors: (errors) => refuse(Object.values(errors).join(' ')) })
  const catalogue = useDialog('catalogue')
  const { t: revision } = useTranslation('revisions')
  const revisions = useDialog('revisions')

  function change(next: string): void {
    setRefusal(undefined)
    edit.form.setFieldValue('text', next)
  }

  /** The server's words, at the place they speak of. */
  function refuse(words: string): void {
    const place = placeIn(words)
    setRefusal({ words, markers: place ? [{ ...place, message: words, severity: 'error' }] : NO_MARKERS })
    if (place) editor.current?.reveal(place)
  }

  function mayTry(): boolean {
    if (text.trim() === '') return false
    const fault = language === 'json' ? jsonFault(text) : undefined
    if (!fault) return true
    if (fault.kind === 'broken') showError(t('invalid.title'), t('invalid.message'))
    refuse(`${fault.message} (line ${fault.line}, column ${fault.column})`)
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
        others={
          <Button variant="default" leftSection={<IconHistory size={16} aria-hidden />} onClick={() => revisions.open(OPEN)}>
            {revision('open')}
          </Button>
        }
      >
        <Stack gap="sm">
          <TemplateToolbar editor={editor} text={text} onCatalogue={() => catalogue.open(OPEN)} />
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
            isReadOnly={draft.isWaiting}
            isUnkept={draft.isUnkept}
            onSave={() => {
              if (edit.canSave && !edit.isSaving) frame.current?.querySelector('form')?.requestSubmit()
            }}
          />
          {refusal && (
            <Alert variant="default" role="alert" icon={<IconAlertTriangle size={18} color="var(--bad)" aria-hidden />}>
              <span dir="auto">{refusal.words}</span>
            </Alert>
          )}
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
