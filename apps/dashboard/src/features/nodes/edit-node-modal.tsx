import { updateNode, type Node } from '@causeway/contract'
import { Accordion, Alert, Anchor, Group, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { EditFrame, EditOpen } from '../../api/edit-frame.tsx'
import { inOurWords } from '../../api/server-sentences.ts'
import { useEditForm, type Opened } from '../../api/use-edit-form.ts'
import { exactTime } from '../../lib/time/dates.ts'
import { dateFormat } from '../../lib/numbers/formats.ts'
import { ModalFrame } from '../../ui/frames/frames.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { useLingering } from '../../ui/use-lingering.ts'
import { usePlanned } from '../config-profiles/parts/planned.tsx'
import { ClosedPorts } from './closed-ports.tsx'
import { NodeIdentity } from './joining/node-identity.tsx'
import { NodeActions } from './node-actions.tsx'
import { nodeForm, toNodePatch, toNodePlan, type NodeForm } from './node-form.ts'
import { NodeDown } from './node-down.tsx'
import { NodeFields } from './node-fields.tsx'
import { nodeQuery, useUpdateNode } from './nodes.queries.ts'
import { NodeStateBadge } from './parts/node-state-badge.tsx'
import { nodeState } from './nodes.rules.ts'
import { PublicKey } from './public-key.tsx'
import { useNodeProblems, useNodeWords } from './use-node-form.ts'
import { Tooltip } from '../../ui/frames/tooltip.tsx'

const NODE_PAGE = '/dashboard/management/nodes/$uuid'

export function EditNodeModal() {
  const { t } = useTranslation('nodes')
  const dialog = useDialog('edit')
  const uuid = useLingering(dialog.value)
  return (
    <ModalFrame isOpen={dialog.value !== undefined} onClose={dialog.close} title={t('edit')} width={900}>
      {uuid !== undefined && (
        // The edited values must not change during editing.
        <EditOpen
          key={uuid}
          read={nodeQuery(uuid)}
          isFollowedWhileChanged={false}
          onLeave={dialog.close}
          missing={t('nothingFound')}
        >
          {(opened) => <EditNode opened={opened} onClose={dialog.close} />}
        </EditOpen>
      )}
    </ModalFrame>
  )
}

function EditNode({ opened, onClose }: { opened: Opened<Node>; onClose: () => void }) {
  const { t } = useTranslation('nodes')
  const navigate = useNavigate()
  const edit = useEditForm<Node, NodeForm>({
    opened,
    toForm: nodeForm.fromEntity,
    fields: nodeForm.editFields(useNodeWords()),
    validate: useNodeProblems(),
  })
  const update = useUpdateNode(edit.form)
  const { saving } = usePlanned()
  const node = opened.entity
  // The key is needed to connect an agent; afterwards it is looked up once in a while.
  const isAwaited = nodeState(node) === 'waiting'

  return (
    <EditFrame
      writes={updateNode}
      edit={edit}
      onSave={saving(
        (change) => toNodePlan(node.uuid, change),
        (change) => update.mutateAsync(toNodePatch(node.uuid, change)),
      )}
      onSaved={onClose}
      others={!edit.isGone && <NodeActions node={node} onDeleted={onClose} />}
    >
      <Group justify="space-between" gap="xs" mb="md">
        <Group gap="sm">
          <Text fw={600} size="lg">
            {node.name}
          </Text>
          <Anchor
            component="button"
            type="button"
            size="sm"
            onClick={() => void navigate({ to: NODE_PAGE, params: { uuid: node.uuid } })}
          >
            {t('page.open')}
          </Anchor>
          <NodeStateBadge node={node} />
        </Group>
        <AccountedThrough at={node.accountedThroughAt ?? null} />
      </Group>
      {node.warning && (
        <Alert color="yellow" mb="md" icon={<IconAlertTriangle aria-hidden />}>
          {inOurWords(node.warning)}
        </Alert>
      )}
      <NodeDown node={node} />
      <ClosedPorts rule={node.closingRule} />
      <LastError message={node.lastStatusMessage} />
      <NodeIdentity node={node} />
      {isAwaited && <PublicKey />}
      <NodeFields form={edit.form} />
      {!isAwaited && <PublicKey />}
    </EditFrame>
  )
}

/** Up to when the node's traffic is counted: what came later is not lost, it is not read yet. */
function AccountedThrough({ at }: { at: string | null }) {
  const { t, i18n } = useTranslation('nodes')
  if (at === null) return null
  const time = dateFormat(i18n.language, { dateStyle: 'medium', timeStyle: 'medium' }).format(new Date(at))
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
    // A message that comes while the form is open opens it as well.
    <Accordion key={String(hasMessage)} variant="contained" mb="md" defaultValue={hasMessage ? 'message' : null}>
      <Accordion.Item value="message">
        <Accordion.Control>{t('lastError')}</Accordion.Control>
        <Accordion.Panel>
          <Text size="sm" c={hasMessage ? 'var(--bad)' : 'dimmed'} style={{ overflowWrap: 'anywhere' }}>
            {hasMessage ? inOurWords(message) : t('noError')}
          </Text>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  )
}
