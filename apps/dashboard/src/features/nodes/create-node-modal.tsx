import type { Node } from '@causeway/contract'
import { Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { CreateModal, useIsFirst } from '../../ui/frames/create-modal.tsx'
import { FormFooter, useFrameDirty } from '../../ui/frames/frames.tsx'
import { LoadingRows } from '../../ui/frames/states.tsx'
import { configProfilesQuery } from '../config-profiles/config-profiles.queries.ts'
import { nodeForm, type NodeForm, toCreateBody } from './node-form.ts'
import { NodeFields } from './node-fields.tsx'
import { AgentCommand } from './agent-command.tsx'
import { PublicKey } from './public-key.tsx'
import { useNodeProblems } from './use-node-form.ts'
import { useCreateNode } from './nodes.queries.ts'

/** `onMade` goes on elsewhere; else the dialog closes. */
export function CreateNodeModal({ onMade }: { onMade?: (uuid: string) => void }) {
  const { t } = useTranslation('nodes')
  return (
    <CreateModal title={t('create')} width={900}>
      {(close) => <Start onCreated={({ uuid }) => (onMade ? onMade(uuid) : close())} />}
    </CreateModal>
  )
}

/** The only profile is chosen with all its inbounds; the first node gets the first one, as a new panel has two. */
function Start({ onCreated }: { onCreated: (node: Node) => void }) {
  const isFirst = useIsFirst()
  const profiles = useQuery(configProfilesQuery())
  if (profiles.isPending) return <LoadingRows count={4} />
  const [only, ...others] = profiles.data?.configProfiles ?? []
  const isPicked = only !== undefined && (isFirst || others.length === 0)
  const configProfile = isPicked ? { uuid: only.uuid, inbounds: only.inbounds } : nodeForm.empty().configProfile
  return <CreateForm initial={{ ...nodeForm.empty(), configProfile }} onCreated={onCreated} />
}

function CreateForm({ initial, onCreated }: { initial: NodeForm; onCreated: (node: Node) => void }) {
  const { t } = useTranslation('nodes')
  const { t: ui } = useTranslation('ui')
  const problems = useNodeProblems()
  const form = useForm<NodeForm>({ initialValues: initial, validate: problems })
  const create = useCreateNode(form)
  useFrameDirty(form.isDirty() && !create.isSuccess)

  return (
    <form
      noValidate
      onSubmit={form.onSubmit((values) => {
        const body = toCreateBody(values)
        if (body !== undefined) create.mutate(body, { onSuccess: onCreated })
      })}
    >
      <Text size="sm" mb="md">
        {t('joinHint')}
      </Text>
      <AgentCommand port={form.values.port} />
      <PublicKey />
      <NodeFields form={form} />
      <FormFooter action={ui('create')} isBusy={create.isPending} isDisabled={!form.isDirty() || !form.isTouched()} />
    </form>
  )
}
