import { bulkUpdateNodes, type Node, type NodePlugin } from '@causeway/contract'
import { MultiSelect, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMay } from '../../api/rights/may.tsx'
import { FormFooter, ModalFrame, useFrameDirty } from '../../ui/frames/frames.tsx'
import { LoadingRows } from '../../ui/frames/states.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { useLingering } from '../../ui/use-lingering.ts'
import { nodeNamesQuery, pluginsQuery, useAssignPlugin } from './node-plugins.queries.ts'

/** Chooses the nodes of a plugin. */
export function AssignPluginModal() {
  const { t } = useTranslation('node-plugins')
  const dialog = useDialog('assign')
  const uuid = useLingering(dialog.value)
  const plugins = useQuery(pluginsQuery())
  const nodes = useQuery({ ...nodeNamesQuery(), enabled: uuid !== undefined })
  const plugin = plugins.data?.nodePlugins.find((each) => each.uuid === uuid)
  return (
    <ModalFrame
      isOpen={dialog.value !== undefined}
      onClose={dialog.close}
      title={t('assign.title', { name: plugin?.name ?? '' })}
      width={520}
    >
      {plugin && nodes.data ? (
        <AssignForm key={uuid} plugin={plugin} nodes={nodes.data} onDone={dialog.close} />
      ) : (
        <LoadingRows />
      )}
    </ModalFrame>
  )
}

function AssignForm({ plugin, nodes, onDone }: { plugin: NodePlugin; nodes: readonly Node[]; onDone: () => void }) {
  const { t } = useTranslation('node-plugins')
  const { t: ui } = useTranslation('ui')
  const assign = useAssignPlugin()
  const mayAssign = useMay()(bulkUpdateNodes)
  const before = (plugin.nodes ?? []).map(({ uuid }) => uuid)
  const [chosen, setChosen] = useState(before)
  const [added, removed] = [chosen.filter((uuid) => !before.includes(uuid)), before.filter((uuid) => !chosen.includes(uuid))]
  const isChanged = added.length + removed.length > 0
  useFrameDirty(isChanged && !assign.isSuccess)
  const others = nodes.filter(({ uuid, activePluginUuid }) => added.includes(uuid) && activePluginUuid)
  async function save(): Promise<void> {
    if (added.length > 0) await assign.mutateAsync({ uuids: added, fields: { activePluginUuid: plugin.uuid } })
    if (removed.length > 0) await assign.mutateAsync({ uuids: removed, fields: { activePluginUuid: null } })
    onDone()
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void save().catch(() => {}) // it was shown
      }}
    >
      <MultiSelect
        label={t('nodes')}
        description={t('assign.hint')}
        mb="sm"
        data-autofocus
        searchable
        data={nodes.map(({ uuid, name }) => ({ value: uuid, label: name }))}
        value={chosen}
        onChange={setChosen}
      />
      {others.length > 0 && (
        <Text size="sm" mb="sm">
          {t('assign.replaces', { nodes: others.map(({ name }) => name).join(', ') })}
        </Text>
      )}
      <FormFooter action={ui('save')} isBusy={assign.isPending} isDisabled={!isChanged || !mayAssign} />
    </form>
  )
}
