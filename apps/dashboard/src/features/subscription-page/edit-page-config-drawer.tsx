import { laterPageProblems, updatePageConfig, type PageConfigEntry } from '@causeway/contract'
import { jsonFault } from '@causeway/xray'
import { Alert, List, Stack, Tabs, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CodeEditor } from '../../ui/editor/code-editor.tsx'
import { DrawerFrame, FormFooter, useFrameDirty } from '../../ui/frames/frames.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { useLingering } from '../../ui/use-lingering.ts'
import { useMay } from '../../api/rights/may.tsx'
import { pageConfigsQuery, useSavePageConfig } from './configs.queries.ts'
import { PageConfigForm } from './page-config-form.tsx'
import { configOf } from './page-config-form.rules.ts'

/** A configuration as a form and as its text: what this product does not know of is kept as it is. */
export function EditPageConfigDrawer() {
  const { t } = useTranslation('page-configs')
  const dialog = useDialog('edit')
  const configs = useQuery(pageConfigsQuery()).data?.configs ?? []
  const config = useLingering(configs.find(({ uuid }) => uuid === dialog.value))
  const isOpen = config !== undefined && dialog.value !== undefined
  return (
    <DrawerFrame isOpen={isOpen} onClose={dialog.close} title={t('editTitle', { name: config?.name })} width={820}>
      {config && <TextForm key={config.uuid} config={config} onSaved={dialog.close} />}
    </DrawerFrame>
  )
}

function TextForm({ config, onSaved }: { config: PageConfigEntry; onSaved: () => void }) {
  const { t } = useTranslation('page-configs')
  const [first] = useState(() => JSON.stringify(config.config, null, 2))
  const [text, setText] = useState(first)
  const [problems, setProblems] = useState<readonly string[]>([])
  const save = useSavePageConfig()
  const may = useMay()(updatePageConfig)
  const [tab, setTab] = useState('form')
  const read = configOf(text)
  useFrameDirty(text !== first && !save.isSuccess)

  function submit(): void {
    const fault = jsonFault(text)
    if (fault) return setProblems([fault.message])
    const next: unknown = JSON.parse(text)
    const found = laterPageProblems(next)
    setProblems(found)
    if (found.length === 0) save.mutate({ uuid: config.uuid, config: next }, { onSuccess: onSaved })
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <Stack gap="sm" pb="md">
        <Text size="sm" c="dimmed">
          {t('editHint')}
        </Text>
        <Tabs value={tab} onChange={(next) => setTab(next ?? 'form')} keepMounted={false}>
          <Tabs.List mb="md">
            <Tabs.Tab value="form">{t('tab.form')}</Tabs.Tab>
            <Tabs.Tab value="text">{t('tab.text')}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="form">
            {read ? (
              <PageConfigForm config={read} onChange={(next) => setText(JSON.stringify(next, null, 2))} />
            ) : (
              <Alert variant="default">{t('formless')}</Alert>
            )}
          </Tabs.Panel>
          <Tabs.Panel value="text">
            <CodeEditor label={t('textOf', { name: config.name })} language="json" value={text} onChange={setText} />
          </Tabs.Panel>
        </Tabs>
        {problems.length > 0 && (
          <List size="sm" c="var(--bad)" role="alert">
            {problems.map((problem) => (
              <List.Item key={problem}>{problem}</List.Item>
            ))}
          </List>
        )}
      </Stack>
      <FormFooter action={t('save')} isBusy={save.isPending} isDisabled={!may || text === first} />
    </form>
  )
}
