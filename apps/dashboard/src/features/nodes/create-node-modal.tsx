import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { CreateModal } from '../../ui/create-modal.tsx'
import { FormFooter, useFrameDirty } from '../../ui/frames.tsx'
import { emptyNodeForm, type NodeForm, toCreateBody } from './node-form.ts'
import { NodeFields } from './node-fields.tsx'
import { PublicKey } from './public-key.tsx'
import { useNodeProblems } from './use-node-problems.ts'
import { useCreateNode } from './nodes.queries.ts'

export function CreateNodeModal() {
  const { t } = useTranslation('nodes')
  return (
    <CreateModal title={t('create')} width={900}>
      {(onCreated) => <CreateForm onCreated={onCreated} />}
    </CreateModal>
  )
}

function CreateForm({ onCreated }: { onCreated: () => void }) {
  const { t: ui } = useTranslation('ui')
  const problems = useNodeProblems()
  const form = useForm<NodeForm>({ initialValues: emptyNodeForm(), validate: problems })
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
      <PublicKey />
      <NodeFields form={form} />
      <FormFooter action={ui('create')} isBusy={create.isPending} isDisabled={!form.isDirty() || !form.isTouched()} />
    </form>
  )
}
