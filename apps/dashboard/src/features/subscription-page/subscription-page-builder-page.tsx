import { pageConfig, type PageConfig, type SubscriptionPage, publishSubscriptionPage } from '@causeway/contract'
import { ActionIcon, Accordion, Text } from '@mantine/core'
import { IconApps, IconArrowBackUp, IconArrowForwardUp } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EditFrame, EditOpen } from '../../api/edit-frame.tsx'
import { useEditForm, type Opened } from '../../api/use-edit-form.ts'
import { PageHeader } from '../../ui/frames/page-header.tsx'
import { HistoryLink } from '../history/parts/history-item.tsx'
import { EmptyState } from '../../ui/frames/states.tsx'
import { AppEditor } from './app-editor.tsx'
import { AppList } from './app-list.tsx'
import { ConfigFiles, TroubleModal, type Trouble } from './config-files.tsx'
import {
  appNames,
  begin,
  changeApp,
  openConfig,
  redo,
  shownApps,
  step,
  undo,
  type Editor,
  type History,
} from './page-editor.rules.ts'
import { problemsInWords } from './page-problems.ts'
import { PagePreview } from './page-preview.tsx'
import { pageQuery, usePublishPage } from './subscription-page.queries.ts'
import classes from './subscription-page.module.css'

export default function SubscriptionPageBuilderPage() {
  const { t } = useTranslation('subscription-page')
  const isRead = useQuery(pageQuery).data !== undefined
  return (
    <>
      {!isRead && <PageHeader title={t('title')} description={t('description')} />}
      <EditOpen read={pageQuery}>{(opened) => <Builder opened={opened} />}</EditOpen>
    </>
  )
}

type PageForm = { config: PageConfig }

function Builder({ opened }: { opened: Opened<SubscriptionPage> }) {
  const { t } = useTranslation('subscription-page')
  const client = useQueryClient()
  const [trouble, setTrouble] = useState<Trouble>()
  const edit = useEditForm<SubscriptionPage, PageForm>({
    opened,
    toForm: ({ config }) => ({ config }),
    fields: {
      config: {
        label: t('title'),
        isSame: (one, other) => canonicalText(one) === canonicalText(other),
        inWords: (config) => appNames(config).join(', ') || '–',
      },
    },
  })
  const publish = usePublishPage()
  const { config } = edit.form.values
  const [history, setHistory] = useState(() => begin(openConfig(config)))
  const { present } = history
  // A foreign page that is shown, and a reset, are steps that undo takes back.
  if (present.config !== config) setHistory(step(history, openConfig(config)))

  const latest = useRef(history)
  // A change may come from a timer, after other changes.
  useEffect(() => {
    latest.current = history
  }, [history])

  function show(next: History): void {
    latest.current = next
    setHistory(next)
    edit.form.setValues({ config: next.present.config })
  }
  function change(make: (editor: Editor) => Editor, subject?: string): void {
    show(step(latest.current, make(latest.current.present), subject))
  }
  function mayTry(): boolean {
    const problems = problemsInWords(t, config)
    if (problems.length > 0) setTrouble({ title: t('invalid.title'), text: t('invalid.own'), problems })
    return problems.length === 0
  }
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={
          <>
            <HistoryLink action="publishSubscriptionPage" />
            <ConfigFiles config={config} onTaken={(taken) => change(() => openConfig(taken))} onTrouble={setTrouble} />
          </>
        }
      />
      <HowTo />
      <EditFrame
        writes={publishSubscriptionPage}
        edit={edit}
        action={t('publish')}
        mayTry={mayTry}
        // The frame has read the page just before: what is in the cache was compared.
        onSave={({ values }) =>
          publish.mutateAsync({
            config: values.config,
            basedOn: (client.getQueryData(pageQuery.queryKey) ?? opened.entity).publishedAt,
          })
        }
        others={
          <>
            <ActionIcon size="lg" aria-label={t('undo')} disabled={history.past.length === 0} onClick={() => show(undo(history))}>
              <IconArrowBackUp size={18} className="flip-rtl" aria-hidden />
            </ActionIcon>
            <ActionIcon
              size="lg"
              aria-label={t('redo')}
              disabled={history.future.length === 0}
              onClick={() => show(redo(history))}
            >
              <IconArrowForwardUp size={18} className="flip-rtl" aria-hidden />
            </ActionIcon>
          </>
        }
      >
        <div className={classes['columns']}>
          <AppList editor={present} onChange={change} />
          <SelectedApp editor={present} onChange={change} />
          <PagePreview config={present.config} platform={present.platform} />
        </div>
      </EditFrame>
      <TroubleModal trouble={trouble} onClose={() => setTrouble(undefined)} />
    </>
  )
}

interface SelectedProps {
  editor: Editor
  onChange: (make: (editor: Editor) => Editor, subject?: string) => void
}

function SelectedApp({ editor, onChange }: SelectedProps) {
  const { t } = useTranslation('subscription-page')
  const { platform, selected = 0 } = editor
  const app = editor.selected === undefined ? undefined : shownApps(editor)[selected]
  return (
    <section aria-label={t('app')}>
      {app === undefined ? (
        <EmptyState title={t('choose')} icon={IconApps} />
      ) : (
        <AppEditor
          app={app}
          onChange={(next, field) =>
            onChange((before) => changeApp(before, selected, next), field === '' ? undefined : `${platform} ${selected} ${field}`)
          }
        />
      )}
    </section>
  )
}

function HowTo() {
  const { t } = useTranslation('subscription-page')
  return (
    <Accordion variant="contained" mb="md">
      <Accordion.Item value="how">
        <Accordion.Control>{t('howTo.title')}</Accordion.Control>
        <Accordion.Panel>
          <Text size="sm" maw="75ch">
            {t('howTo.text')}
          </Text>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  )
}

/** The order in which keys came into being says nothing. */
function canonicalText(config: PageConfig): string {
  return JSON.stringify(pageConfig.safeParse(config).data)
}
