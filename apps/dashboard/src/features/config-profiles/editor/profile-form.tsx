import { updateConfigProfile, type ConfigProfile } from '@causeway/contract'
import { jsonFault, type JsonFault } from '@causeway/xray'
import { Alert, Button, Group, Text } from '@mantine/core'
import { IconAlignLeft, IconCopy, IconHistory, IconKey, IconRestore, IconTemplate } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CallError } from '../../../api/call-error.ts'
import { excessOf } from '../../../api/call.ts'
import { EditFrame } from '../../../api/edit-frame.tsx'
import { showError, showFailure } from '../../../api/toasts.ts'
import { useEditForm, type Change, type Opened } from '../../../api/use-edit-form.ts'
import { draftStore } from '../../../lib/draft-store.ts'
import { CodeDiff, CodeEditor } from '../../../ui/code-editor.tsx'
import type { CodeEditorHandle } from '../../../ui/code-editor-parts.ts'
import { useConfirm } from '../../../ui/confirm.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { useCopy } from '../../../ui/use-copy.ts'
import { useDialog } from '../../../ui/use-dialog.ts'
import { useDraft } from '../../../ui/use-draft.ts'
import { schemaQuery, useUpdateConfigProfile } from '../config-profiles.queries.ts'
import { KeyPairModal } from '../parts/key-pair-modal.tsx'
import { RolloutStrip } from '../rollouts/rollout-strip.tsx'
import { useRollout, useStartRollout } from '../rollouts/rollouts.queries.ts'
import { RevisionsDrawer } from '../../revisions/parts/revisions-drawer.tsx'
import { TemplateCatalogueModal } from '../../template-catalogue/parts/template-catalogue-modal.tsx'
import classes from './editor.module.css'
import { Differences } from './differences.tsx'
import { usePlanDialog } from './plan-dialog.tsx'
import { readConfig, useVerdict, type Checker, type Judged } from './use-validator.ts'
import { VerdictBox } from './verdict-box.tsx'

type ProfileText = { text: string }

interface Props {
  opened: Opened<ConfigProfile>
  checker: Checker
  /** The text can be typed into. */
  onReady: () => void
}

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
  const { uuid, updatedAt, nodes } = opened.entity
  const editor = useRef<CodeEditorHandle>(null)
  const [known, setKnown] = useState<{ text: string; verdict: Judged }>()
  const edit = useEditForm({
    opened,
    toForm,
    fields: { text: { label: t('config'), isSame: (one, other) => one === other, inWords: () => t('anotherText') } },
  })
  const { text } = edit.form.values
  const setText = (next: string) => edit.form.setValues({ text: next })
  const kept = useDraft({ drafts, id: uuid, base: updatedAt, text, isChanged: edit.isChanged, onFound: setText })
  const draft = edit.isChanged ? kept.found : undefined
  const verdict = useVerdict(text, checker, known)
  const schema = useQuery(schemaQuery()).data
  const update = useUpdateConfigProfile({
    onSaved: (profile) => {
      kept.settle()
      note(toForm(profile).text, true, null)
    },
    onFailure: (error) => {
      // That nobody answered says nothing of the text.
      if (error instanceof CallError && error.isUnanswered) showFailure(updateConfigProfile, error)
      else note(text, false, (error instanceof CallError ? error.serverMessage : undefined) ?? error.message)
    },
  })
  const start = useStartRollout({
    // What was typed is kept with the roll-out, and comes back from there if it does not end well.
    onStarted: () => {
      kept.settle()
      edit.reset()
    },
  })
  const isRollingOut = useRollout(uuid)?.state === 'running'
  const confirm = useConfirm()
  const { ask, dialog } = usePlanDialog()

  function note(of: string, isValid: boolean, message: string | null): void {
    setKnown({ text: of, verdict: { isValid, message, at: new Date() } })
  }
  async function send({ values }: Change<ProfileText>, isFresh: () => Promise<boolean>): Promise<ConfigProfile | undefined> {
    const config = readConfig(values.text)
    const fault = jsonFault(values.text)
    if (config === undefined || fault) return refuse(fault)
    const excess = excessOf(updateConfigProfile, JSON.stringify({ uuid, config }))
    if (excess !== undefined) {
      showError(t('error'), excess)
      return undefined
    }
    const decision = await ask({ uuid, config, hasNodes: nodes.length > 0 })
    // A plan is read for a while; what somebody saves meanwhile is not overwritten unseen.
    if (!decision || !(await isFresh())) return undefined
    const { renamed, reason, staged } = decision
    const change = { uuid, config, ...(renamed.length > 0 ? { renamed } : {}), ...(reason === '' ? {} : { reason }) }
    if (staged === undefined) return update.mutateAsync(change)
    await start.mutateAsync({ ...change, ...staged })
    return undefined
  }
  /** Xray reads comments and more that JSON has not, and the last of two equal keys; the panel keeps JSON, and all of it. */
  function refuse(fault: JsonFault | undefined): undefined {
    showError(t('error'), t(fault?.kind === 'lost' ? 'notKept' : 'notJson'))
    if (fault) editor.current?.reveal(fault)
  }
  async function saveAnyway(): Promise<void> {
    const fault = jsonFault(text)
    if (readConfig(text) === undefined || fault) return refuse(fault)
    const question = { title: t('anyway.title'), body: t('anyway.body'), action: t('anyway.action'), isDangerous: true }
    if (await confirm(question)) await edit.save(send)
  }
  const isValid = verdict?.isValid === true
  const markers =
    verdict?.place && !isValid ? [{ ...verdict.place, message: verdict.message ?? '', severity: 'error' as const }] : []
  return (
    <EditFrame
      edit={edit}
      onSave={send}
      onDiscard={kept.forget}
      isDisabled={!isValid || isRollingOut}
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
      {/* What others save while the page is open is told of above. */}
      {draft && edit.conflicts.length === 0 && (
        <Alert variant="default" mb="md" icon={<IconRestore size={18} aria-hidden />} role="status">
          <Group justify="space-between" gap="xs">
            <Text size="sm" component="div">
              {t(draft.base === updatedAt ? 'draft.found' : 'draft.older')} <RelativeTime at={draft.at} />
            </Text>
            <Button variant="default" size="compact-sm" onClick={edit.reset}>
              {t('draft.discard')}
            </Button>
          </Group>
        </Alert>
      )}
      {(edit.conflicts.length > 0 || (draft && draft.base !== updatedAt)) && (
        <div style={{ marginBottom: '1rem' }}>
          <CodeDiff label={t('difference')} language="json" before={edit.theirs.text} after={text} height={320} />
        </div>
      )}
      <RolloutStrip profile={opened.entity} onTake={setText} />
      <Toolbar editor={editor} text={text} isUnsaved={edit.isChanged} onTake={setText} />
      <CodeEditor
        ref={editor}
        label={t('config')}
        language="json"
        value={text}
        onChange={setText}
        schema={schema}
        markers={markers}
        onReady={onReady}
        isReadOnly={kept.isWaiting}
        isUnkept={kept.isUnkept}
        onSave={() => void (isValid && !isRollingOut && edit.canSave && edit.save(send))}
      />
      <VerdictBox verdict={verdict} checker={checker} onGo={(place) => editor.current?.reveal(place)} />
      {dialog}
      <RevisionsDrawer
        of={{ kind: 'profile', uuid }}
        language="json"
        text={text}
        isUnsaved={edit.isChanged}
        onTake={setText}
        inWords={(before, after) => <Differences before={before} after={after} />}
      />
    </EditFrame>
  )
}

interface ToolbarProps {
  editor: React.RefObject<CodeEditorHandle | null>
  text: string
  isUnsaved: boolean
  onTake: (text: string) => void
}

function Toolbar({ editor, text, isUnsaved, onTake }: ToolbarProps) {
  const { t } = useTranslation('profile-editor')
  const { t: profiles } = useTranslation('config-profiles')
  const { t: revision } = useTranslation('revisions')
  const revisions = useDialog('revisions')
  const keys = useDialog('keys')
  const catalogue = useDialog('catalogue')
  const { isCopied, copy } = useCopy()
  return (
    <div className={classes['toolbar']} role="toolbar" aria-label={t('tools')}>
      <Tool icon={<IconAlignLeft size={16} aria-hidden />} label={t('format')} onClick={() => void editor.current?.format()} />
      <Tool icon={<IconCopy size={16} aria-hidden />} label={t(isCopied ? 'copied' : 'copy')} onClick={() => void copy(text)} />
      <Tool icon={<IconKey size={16} aria-hidden />} label={profiles('keyPair.open')} onClick={() => keys.open('new')} />
      <Tool icon={<IconHistory size={16} aria-hidden />} label={revision('open')} onClick={() => revisions.open('all')} />
      <Tool icon={<IconTemplate size={16} aria-hidden />} label={t('catalogue')} onClick={() => catalogue.open('all')} />
      <TemplateCatalogueModal
        isOpen={catalogue.value !== undefined}
        onClose={catalogue.close}
        kind="XRAY_CORE"
        type="XRAY_CORE"
        isUnsaved={isUnsaved}
        onTake={onTake}
      />
      <KeyPairModal
        isOpen={keys.value !== undefined}
        onClose={keys.close}
        onInsert={({ privateKey }) => {
          keys.close()
          editor.current?.paste(privateKey)
        }}
      />
    </div>
  )
}

function Tool({ icon, label, onClick }: { icon: React.ReactNode; label: string; onClick: () => void }) {
  return (
    <Button variant="default" size="compact-md" leftSection={icon} onClick={onClick}>
      {label}
    </Button>
  )
}
