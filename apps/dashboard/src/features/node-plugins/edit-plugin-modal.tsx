import { pluginConfig, updateNodePlugin, type NodePlugin, type PluginConfig } from '@causeway/contract'
import { JsonInput, Tabs, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EditFrame, EditOpen } from '../../api/edit-frame.tsx'
import { useEditForm, type Opened } from '../../api/use-edit-form.ts'
import { ModalFrame } from '../../ui/frames/frames.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { useLingering } from '../../ui/use-lingering.ts'
import { pluginQuery, useUpdatePlugin } from './node-plugins.queries.ts'
import { partsOn, readJson } from './node-plugins.rules.ts'
import { PluginFields } from './plugin-fields.tsx'
import { PluginPreview } from './plugin-preview.tsx'

export function EditPluginModal() {
  const { t } = useTranslation('node-plugins')
  const dialog = useDialog('edit')
  const uuid = useLingering(dialog.value)
  return (
    <ModalFrame isOpen={dialog.value !== undefined} onClose={dialog.close} title={t('edit')} width={680}>
      {uuid !== undefined && (
        <EditOpen key={uuid} read={pluginQuery(uuid)} onLeave={dialog.close}>
          {(opened) => <EditPlugin opened={opened} onClose={dialog.close} />}
        </EditOpen>
      )}
    </ModalFrame>
  )
}

// A type, as forms are records.
type PluginForm = { name: string; pluginConfig: PluginConfig }

function EditPlugin({ opened, onClose }: { opened: Opened<NodePlugin>; onClose: () => void }) {
  const { t } = useTranslation('node-plugins')
  const [problem, setProblem] = useState<string>()
  const edit = useEditForm<NodePlugin, PluginForm>({
    opened,
    toForm: (plugin) => ({ name: plugin.name, pluginConfig: plugin.pluginConfig ?? {} }),
    fields: {
      name: { label: t('name') },
      pluginConfig: {
        label: t('settings'),
        isSame: (one, other) => JSON.stringify(one) === JSON.stringify(other),
        inWords: (config) =>
          partsOn(config)
            .map((part) => t(`part.${part}`))
            .join(', ') || t('nothingOn'),
      },
    },
  })
  const update = useUpdatePlugin(edit.form)
  const { uuid } = opened.entity
  const config = edit.form.values.pluginConfig
  return (
    <EditFrame
      writes={updateNodePlugin}
      edit={edit}
      isDisabled={problem !== undefined}
      onSave={({ values, changed }) =>
        update.mutateAsync({
          uuid,
          ...(changed.has('name') ? { name: values.name.trim() } : {}),
          ...(changed.has('pluginConfig') ? { pluginConfig: values.pluginConfig } : {}),
        })
      }
      onSaved={onClose}
    >
      <TextInput label={t('name')} mb="md" autoComplete="off" data-autofocus {...edit.form.getInputProps('name')} />
      <Tabs defaultValue="form" keepMounted={false} onChange={() => setProblem(undefined)}>
        <Tabs.List mb="md">
          <Tabs.Tab value="form">{t('tab.form')}</Tabs.Tab>
          <Tabs.Tab value="json">{t('tab.json')}</Tabs.Tab>
          <Tabs.Tab value="preview">{t('tab.preview')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="form">
          <PluginFields config={config} onChange={(next) => edit.form.setValues({ pluginConfig: next })} />
        </Tabs.Panel>
        <Tabs.Panel value="json">
          <PluginJson
            config={config}
            problem={problem}
            onProblem={setProblem}
            onChange={(next) => edit.form.setValues({ pluginConfig: next })}
          />
        </Tabs.Panel>
        <Tabs.Panel value="preview">
          <PluginPreview uuid={uuid} config={config} />
        </Tabs.Panel>
      </Tabs>
    </EditFrame>
  )
}

interface JsonProps {
  config: PluginConfig
  problem: string | undefined
  onProblem: (problem: string | undefined) => void
  onChange: (config: PluginConfig) => void
}

function PluginJson({ config, problem, onProblem, onChange }: JsonProps) {
  const { t } = useTranslation('node-plugins')
  const [text, setText] = useState(() => JSON.stringify(config, null, 2))
  function change(next: string): void {
    setText(next)
    const read = readJson(next)
    if ('problem' in read) return onProblem(read.problem)
    const parsed = pluginConfig.safeParse(read.value)
    if (!parsed.success) {
      const [issue] = parsed.error.issues
      return onProblem(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`)
    }
    onProblem(undefined)
    onChange(parsed.data)
  }
  return (
    <JsonInput
      label={t('tab.json')}
      description={t('jsonHint')}
      dir="ltr"
      autosize
      minRows={12}
      maxRows={24}
      spellCheck={false}
      value={text}
      error={problem}
      onChange={change}
    />
  )
}
