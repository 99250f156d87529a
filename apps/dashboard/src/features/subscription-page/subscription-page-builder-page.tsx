import { pageConfig, pageConfigProblems, type PageConfig, type SubscriptionPage } from '@causeway/contract'
import { ActionIcon, Accordion, Alert, Button, Group, Text } from '@mantine/core'
import { IconAlertTriangle, IconApps, IconArrowBackUp, IconArrowForwardUp } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useConfirm } from '../../ui/frames/confirm.tsx'
import { PageFooter } from '../../ui/frames/page-footer.tsx'
import { PageHeader } from '../../ui/frames/page-header.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../../ui/frames/states.tsx'
import { AppEditor } from './app-editor.tsx'
import { AppList } from './app-list.tsx'
import { ConfigFiles, TroubleModal, type Trouble } from './config-files.tsx'
import { begin, changeApp, openConfig, redo, shownApps, step, undo, type Editor } from './page-editor.rules.ts'
import { PagePreview } from './page-preview.tsx'
import { pageQuery, usePublishPage } from './subscription-page.queries.ts'
import classes from './subscription-page.module.css'

/** Help on an app's URL scheme. */

export default function SubscriptionPageBuilderPage() {
  const { t } = useTranslation('subscription-page')
  const page = useQuery(pageQuery)
  if (page.data) return <Builder page={page.data} onOvertaken={() => void page.refetch()} />
  return (
    <>
      <PageHeader title={t('title')} description={t('description')} />
      {page.isError ? <ErrorState error={page.error} onRetry={() => void page.refetch()} /> : <LoadingRows />}
    </>
  )
}

interface Props {
  /** As the server has it now. */
  page: SubscriptionPage
  /** A colleague has published, as a refusal tells. */
  onOvertaken: () => void
}

function Builder({ page, onOvertaken }: Props) {
  const { t } = useTranslation('subscription-page')
  const [history, setHistory] = useState(() => begin(openConfig(page.config)))
  // The last published page, and its time: the base of comparison for edits.
  const [base, setBase] = useState(page)
  const [trouble, setTrouble] = useState<Trouble>()
  const publish = usePublishPage()
  const { present } = history
  const isChanged = written(present.config) !== written(base.config)
  const app = present.selected === undefined ? undefined : shownApps(present)[present.selected]
  const isOvertaken = (page.publishedAt ?? '') > (base.publishedAt ?? '')
  useGuard(isChanged)
  // Nothing of ours to lose: what is published is shown.
  if (isOvertaken && !isChanged) {
    setBase(page)
    setHistory(begin(openConfig(page.config)))
  }

  function change(make: (editor: Editor) => Editor, subject?: string): void {
    setHistory((before) => step(before, make(before.present), subject))
  }
  function send(): void {
    const problems = pageConfigProblems(present.config)
    if (problems.length > 0) return setTrouble({ title: t('invalid.title'), text: t('invalid.own'), problems })
    publish.mutate({ config: present.config, basedOn: base.publishedAt }, { onSuccess: setBase, onError: onOvertaken })
  }
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={
          <ConfigFiles config={present.config} onTaken={(config) => change(() => openConfig(config))} onTrouble={setTrouble} />
        }
      />
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
      {isOvertaken && isChanged && (
        <Overtaken
          onTheirs={() => {
            setBase(page)
            change(() => openConfig(page.config))
          }}
          onMine={() => setBase(page)}
        />
      )}
      <div className={classes['columns']}>
        <AppList editor={present} onChange={change} />
        <section aria-label={t('app')}>
          {app === undefined ? (
            <EmptyState title={t('choose')} icon={IconApps} />
          ) : (
            <AppEditor
              app={app}
              onChange={(next, field) => {
                const place = present.selected ?? 0
                change(
                  (editor) => changeApp(editor, place, next),
                  field === '' ? undefined : `${present.platform} ${place} ${field}`,
                )
              }}
            />
          )}
        </section>
        <PagePreview config={present.config} platform={present.platform} />
      </div>
      <PageFooter>
        <ActionIcon size="lg" aria-label={t('undo')} disabled={history.past.length === 0} onClick={() => setHistory(undo)}>
          <IconArrowBackUp size={18} className="flip-rtl" aria-hidden />
        </ActionIcon>
        <ActionIcon size="lg" aria-label={t('redo')} disabled={history.future.length === 0} onClick={() => setHistory(redo)}>
          <IconArrowForwardUp size={18} className="flip-rtl" aria-hidden />
        </ActionIcon>
        <Button loading={publish.isPending} disabled={!isChanged} onClick={send}>
          {t('publish')}
        </Button>
      </PageFooter>
      <TroubleModal trouble={trouble} onClose={() => setTrouble(undefined)} />
    </>
  )
}

/** The edits started from a page that is no longer the published one: the person decides which one continues. */
function Overtaken({ onTheirs, onMine }: { onTheirs: () => void; onMine: () => void }) {
  const { t } = useTranslation('subscription-page')
  const icon = <IconAlertTriangle size={18} color="var(--mantine-color-yellow-5)" aria-hidden />
  return (
    <Alert variant="default" mb="md" icon={icon} role="alert" title={t('overtaken.title')}>
      <Text size="sm" mb="xs">
        {t('overtaken.text')}
      </Text>
      <Group gap="sm">
        <Button size="compact-sm" variant="default" onClick={onTheirs}>
          {t('overtaken.theirs')}
        </Button>
        <Button size="compact-sm" variant="default" onClick={onMine}>
          {t('overtaken.mine')}
        </Button>
      </Group>
    </Alert>
  )
}

/** The order in which keys came into being says nothing. */
function written(config: PageConfig): string {
  return JSON.stringify(pageConfig.safeParse(config).data)
}

/** A page is left by its address, and asks as a dialog does. */
function useGuard(isUnsaved: boolean): void {
  const { t } = useTranslation('ui')
  const confirm = useConfirm()
  useBlocker({
    shouldBlockFn: async ({ current, next }) => {
      if (!isUnsaved || current.pathname === next.pathname) return false
      const question = {
        title: t('discard.title'),
        body: t('discard.body'),
        action: t('discard.action'),
        wayBack: t('discard.keep'),
      }
      return !(await confirm({ ...question, isDangerous: true }))
    },
    enableBeforeUnload: isUnsaved,
  })
}
