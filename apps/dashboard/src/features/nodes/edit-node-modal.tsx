import type { Node } from '@causeway/contract'
import { Accordion, Alert, Group, Text, Tooltip } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { exactTime } from '../../lib/dates.ts'
import { dateFormat } from '../../lib/formats.ts'
import { FormFooter, ModalFrame, useFrameDirty } from '../../ui/frames.tsx'
import { ErrorState, LoadingRows } from '../../ui/states.tsx'
import { useDialog } from '../../ui/use-dialog.ts'
import { useLingering } from '../../ui/use-lingering.ts'
import { NodeActions } from './node-actions.tsx'
import { type NodeForm, toNodeForm, toNodePatch } from './node-form.ts'
import { NodeFields } from './node-fields.tsx'
import { oneNode, useUpdateNode } from './nodes.queries.ts'
import { NodeStateBadge } from './parts/node-state-badge.tsx'
import { PublicKey } from './public-key.tsx'
import { useNodeProblems } from './use-node-problems.ts'

export function EditNodeModal() {
  const { t } = useTranslation('nodes')
  const dialog = useDialog('edit')
  const uuid = useLingering(dialog.value)
  return (
    <ModalFrame isOpen={dialog.value !== undefined} onClose={dialog.close} title={t('edit')} width={900}>
      {uuid !== undefined && <OpenNode key={uuid} uuid={uuid} onClose={dialog.close} />}
    </ModalFrame>
  )
}

function OpenNode({ uuid, onClose }: { uuid: string; onClose: () => void }) {
  // What is being edited must not change under the hand that edits it.
  const [isTouched, setIsTouched] = useState(false)
  const node = useQuery({ ...oneNode(uuid), enabled: !isTouched })
  if (node.isError && node.data === undefined) return <ErrorState error={node.error} onRetry={() => void node.refetch()} />
  if (node.data === undefined) return <LoadingRows />
  return <EditForm key={node.data.updatedAt} node={node.data} onTouched={() => setIsTouched(true)} onClose={onClose} />
}

interface Props {
  node: Node
  onTouched: () => void
  onClose: () => void
}

function EditForm({ node, onTouched, onClose }: Props) {
  const { t: ui } = useTranslation('ui')
  const problems = useNodeProblems()
  const form = useForm<NodeForm>({ initialValues: toNodeForm(node), validate: problems, onValuesChange: onTouched })
  const update = useUpdateNode(form)
  useFrameDirty(form.isDirty() && !update.isSuccess)

  return (
    <form noValidate onSubmit={form.onSubmit((values) => update.mutate(toNodePatch(values, node), { onSuccess: onClose }))}>
      <Group justify="space-between" gap="xs" mb="md">
        <Group gap="sm">
          <Text fw={600} size="lg">
            {node.name}
          </Text>
          <NodeStateBadge node={node} />
        </Group>
        <AccountedThrough at={node.accountedThroughAt ?? null} />
      </Group>
      {node.warning && (
        <Alert color="yellow" mb="md" icon={<IconAlertTriangle aria-hidden />}>
          {node.warning}
        </Alert>
      )}
      <LastError message={node.lastStatusMessage} />
      <PublicKey />
      <NodeFields form={form} />
      <FormFooter action={ui('save')} isBusy={update.isPending} isDisabled={!form.isDirty() || !form.isTouched()}>
        <NodeActions node={node} onDeleted={onClose} />
      </FormFooter>
    </form>
  )
}

/** Up to when the node's traffic is counted: what came later is not lost, it is not read yet. */
function AccountedThrough({ at }: { at: string | null }) {
  const { t, i18n } = useTranslation('nodes')
  if (at === null) return null
  const time = dateFormat(i18n.language, { timeStyle: 'medium' }).format(new Date(at))
  return (
    <Tooltip label={exactTime(new Date(at), i18n.language)}>
      <Text size="xs" c="dimmed">
        {t('accountedThrough', { time })}
      </Text>
    </Tooltip>
  )
}

/** Why the node is not there, as its agent or the connection said it. */
function LastError({ message }: { message: string | null }) {
  const { t } = useTranslation('nodes')
  const hasMessage = message !== null && message !== ''
  return (
    <Accordion variant="contained" mb="md" defaultValue={hasMessage ? 'message' : null}>
      <Accordion.Item value="message">
        <Accordion.Control>{t('lastError')}</Accordion.Control>
        <Accordion.Panel>
          <Text size="sm" c={hasMessage ? 'var(--bad)' : 'dimmed'} style={{ overflowWrap: 'anywhere' }}>
            {hasMessage ? message : t('noError')}
          </Text>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  )
}
