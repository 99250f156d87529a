import {
  defaultResponseRules,
  updateSubscriptionSettings,
  type ResponseRules,
  type SubscriptionSettings,
} from '@causeway/contract'
import { Alert, Button, Group, Tabs, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconAlertTriangle, IconFileImport, IconHistory } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CallError } from '../../api/call-error.ts'
import { EditFrame } from '../../api/edit-frame.tsx'
import { showError } from '../../api/toasts.ts'
import { useEditForm, type Opened } from '../../api/use-edit-form.ts'
import { useConfirm } from '../../ui/frames/confirm.tsx'
import { CodeDiff, CodeEditor } from '../../ui/editor/code-editor.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../../ui/frames/states.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { RevisionsDrawer } from '../revisions/parts/revisions-drawer.tsx'
import { useGoBack } from '../revisions/parts/use-go-back.ts'
import { placeOfPath } from './json-place.ts'
import { effectsQuery, useSaveRules } from './response-rules.queries.ts'
import classes from './response-rules.module.css'
import { RuleDrawer } from './rule-drawer.tsx'
import { AppEffects, UserEffects } from './rules-effects.tsx'
import { RulesImportModal } from './rules-import-modal.tsx'
import { RulesList } from './rules-list.tsx'
import { useRulesSaveDialog } from './rules-save-dialog.tsx'
import { freeName, issuesOfServer, readRules, rulesText, usableText, type Reading, type RuleIssue } from './rules-text.ts'
import { headersOf, RulesTrial } from './rules-trial.tsx'

const PAUSE_MS = 500
const EDITOR_HEIGHT = 560
const VIEWS = ['sentences', 'json'] as const
const OPEN = 'open'

/** The rules as sentences or as text, and beside them what they would do. */
export function RulesEditor({ opened }: { opened: Opened<SubscriptionSettings> }) {
  const { t } = useTranslation('response-rules')
  const view = useDialog('view')
  const confirm = useConfirm()
  const importing = useDialog('import')
  const revisions = useDialog('revisions')
  const [headers, setHeaders] = useState('user-agent: Happ/3.5.0\naccept: */*')
  const [refusal, setRefusal] = useState<string>()
  const edit = useEditForm({
    opened,
    toForm: ({ responseRules }) => ({ text: rulesText(responseRules) }),
    fields: { text: { label: t('title'), inWords: (text) => t('lines', { count: text.split('\n').length }) } },
  })
  const { text } = edit.form.values
  const read = readRules(text)
  const { effects, issues: told } = useEffects(text, headers)
  const issues = read.kind === 'rules' ? [...read.issues, ...told.filter(isNew(read.issues))] : told
  const rules = read.kind === 'rules' ? read.rules : undefined
  const plan = useRulesSaveDialog(effects.data)
  const save = useSaveRules({ setErrors: (errors) => setRefusal(Object.values(errors).join(' ')) })

  function change(next: string): void {
    setRefusal(undefined)
    edit.form.setFieldValue('text', next)
  }
  const put = (next: ResponseRules) => change(rulesText(next))
  async function send(isFresh: () => Promise<boolean>, given?: string): Promise<SubscriptionSettings | undefined> {
    const responseRules = usableText(edit.form.getValues().text)
    if (responseRules === undefined) return undefined
    const reason = await plan.ask(given)
    if (reason === undefined || !(await isFresh())) return undefined
    return save.mutateAsync({ uuid: opened.entity.uuid, responseRules, ...(reason === '' ? {} : { reason }) })
  }
  function mayTry(): boolean {
    const isUsable = usableText(edit.form.getValues().text) !== undefined
    if (!isUsable) showError(t('mistakes.title'), t('mistakes.message'))
    return isUsable
  }
  async function removeAll(): Promise<void> {
    const question = { title: t('remove.title'), body: t('remove.body'), action: t('remove.action'), isDangerous: true }
    if (await confirm(question)) change('')
  }
  const goBack = useGoBack({
    setText: change,
    canSave: edit.canSave,
    save: (number) => edit.save((_, isFresh) => send(isFresh, t('plan.backTo', { number }))),
  })
  return (
    <div className={classes['columns']}>
      <EditFrame
        writes={updateSubscriptionSettings}
        edit={edit}
        mayTry={mayTry}
        onSave={(_, isFresh) => send(isFresh)}
        className={classes['form']}
        status={refusal !== undefined && <Refusal text={refusal} />}
      >
        <Group gap="xs" mb="md">
          <Button variant="default" leftSection={<IconFileImport size={16} aria-hidden />} onClick={() => importing.open(OPEN)}>
            {t('import.open')}
          </Button>
          <Button variant="default" leftSection={<IconHistory size={16} aria-hidden />} onClick={() => revisions.open(OPEN)}>
            {t('revisions')}
          </Button>
          {read.kind !== 'none' && (
            <Button variant="default" onClick={() => void removeAll()}>
              {t('remove.open')}
            </Button>
          )}
        </Group>
        {edit.conflicts.length > 0 && (
          <CodeDiff label={t('conflict')} language="json" before={text} after={edit.theirs.text} height={320} />
        )}
        <Tabs value={VIEWS.find((each) => each === view.value) ?? 'sentences'} onChange={(next) => next && view.open(next)}>
          <Tabs.List mb="md">
            <Tabs.Tab value="sentences">{t('view.sentences')}</Tabs.Tab>
            <Tabs.Tab value="json">{t('view.json')}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="sentences">
            <Sentences
              read={read}
              issues={issues}
              missingTemplates={new Set(effects.data?.missingTemplates.map(({ rule }) => rule))}
              onChange={put}
            />
          </Tabs.Panel>
          <Tabs.Panel value="json">
            <CodeEditor
              label={t('view.json')}
              language="json"
              height={EDITOR_HEIGHT}
              value={text}
              onChange={change}
              markers={markersOf(text, read, issues)}
            />
          </Tabs.Panel>
        </Tabs>
      </EditFrame>
      <aside className={classes['aside']} aria-labelledby="rules-effects">
        <h2 id="rules-effects">{t('effects')}</h2>
        <Tabs defaultValue="apps" keepMounted={false}>
          <Tabs.List mb="sm">
            <Tabs.Tab value="apps">{t('tab.apps')}</Tabs.Tab>
            <Tabs.Tab value="users">{t('tab.users')}</Tabs.Tab>
            <Tabs.Tab value="trial">{t('tab.trial')}</Tabs.Tab>
          </Tabs.List>
          {effects.data ? (
            <>
              <Tabs.Panel value="apps">
                <AppEffects effects={effects.data} />
              </Tabs.Panel>
              <Tabs.Panel value="users">
                <UserEffects effects={effects.data} />
              </Tabs.Panel>
              <Tabs.Panel value="trial">
                <RulesTrial headers={headers} onHeaders={setHeaders} rules={rules?.rules ?? []} trial={effects.data.trial} />
              </Tabs.Panel>
            </>
          ) : effects.isError && told.length === 0 ? (
            <ErrorState error={effects.error} onRetry={() => void effects.refetch()} />
          ) : (
            <LoadingRows count={6} />
          )}
        </Tabs>
      </aside>
      <RuleDrawer
        rules={rules?.rules ?? []}
        issues={issues}
        onChange={(place, rule) => rules && put({ ...rules, rules: rules.rules.with(place, rule) })}
      />
      <RulesImportModal
        hasRules={rules !== undefined && rules.rules.length > 0}
        onTake={(taken, how) => {
          const before = how === 'append' && rules ? rules.rules : []
          const added = taken.reduce((list, rule) => [...list, { ...rule, name: freeName(list, rule.name) }], before)
          put({ ...(rules ?? { version: '1' }), rules: added })
        }}
      />
      <RevisionsDrawer
        of={{ kind: 'responseRules', uuid: opened.entity.uuid }}
        language="json"
        text={text}
        isUnsaved={edit.isChanged}
        onTake={goBack}
      />
      {plan.dialog}
    </div>
  )
}

/** Asks the server what usable rules would do. Its refusals have places. */
function useEffects(text: string, headers: string) {
  const responseRules = usableText(text)
  const given = headersOf(headers)
  const ask = { responseRules: responseRules ?? null, ...(given ? { headers: given } : {}) }
  // A text, since an object would be another one with every render and so never come to rest.
  const wanted = JSON.stringify(ask)
  const [settled] = useDebouncedValue(wanted, PAUSE_MS)
  const effects = useQuery(effectsQuery(ask, responseRules !== undefined && wanted === settled))
  const issues = effects.error instanceof CallError && wanted === settled ? issuesOfServer(effects.error.issues) : []
  return { effects, issues }
}

const isNew = (known: readonly RuleIssue[]) => (issue: RuleIssue) =>
  !known.some(({ path, message }) => message === issue.message && path.join() === issue.path.join())

function markersOf(text: string, read: Reading, issues: readonly RuleIssue[]) {
  if (read.kind !== 'rules') return []
  return issues.map(({ path, message }) => ({ ...placeOfPath(text, path), message, severity: 'error' as const }))
}

interface SentencesProps {
  read: Reading
  issues: readonly RuleIssue[]
  missingTemplates: ReadonlySet<number>
  onChange: (rules: ResponseRules) => void
}

function Sentences({ read, ...rest }: SentencesProps) {
  const { t } = useTranslation('response-rules')
  if (read.kind === 'broken') {
    return (
      <Alert variant="default" role="note" icon={<IconAlertTriangle size={18} color="var(--bad)" aria-hidden />}>
        <Text size="sm">{t('broken', { line: read.line })}</Text>
      </Alert>
    )
  }
  if (read.kind === 'none') {
    return (
      <EmptyState
        sketch="rows"
        title={t('none')}
        hint={t('noneHint')}
        action={<Button onClick={() => rest.onChange(defaultResponseRules)}>{t('begin')}</Button>}
      />
    )
  }
  return <RulesList rules={read.rules} {...rest} />
}

function Refusal({ text }: { text: string }) {
  return (
    <Alert variant="default" role="note" icon={<IconAlertTriangle size={18} color="var(--bad)" aria-hidden />}>
      <span dir="auto">{text}</span>
    </Alert>
  )
}
