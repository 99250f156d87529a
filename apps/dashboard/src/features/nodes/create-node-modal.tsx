import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { FrameFooter, ModalFrame, useFrameClose, useFrameDirty } from '../../ui/frames.tsx'
import { useDialog } from '../../ui/use-dialog.ts'
import { useLingering } from '../../ui/use-lingering.ts'
import { emptyNodeForm, type NodeForm, toCreateBody } from './node-form.ts'
import { NodeFields } from './node-fields.tsx'
import { PublicKey } from './public-key.tsx'
import { useNodeProblems } from './use-node-problems.ts'
import { useCreateNode } from './nodes.queries.ts'

export function CreateNodeModal() {
  const { t } = useTranslation('nodes')
  const dialog = useDialog('create')
  const isShown = useLingering(dialog.value) !== undefined
  return (
    <ModalFrame isOpen={dialog.value !== undefined} onClose={dialog.close} title={t('create')} width={900}>
      {isShown && <CreateForm onCreated={dialog.close} />}
    </ModalFrame>
  )
}

function CreateForm({ onCreated }: { onCreated: () => void }) {
  const { t: ui } = useTranslation('ui')
  const close = useFrameClose()
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
      <FrameFooter>
        <Button variant="default" onClick={close}>
          {ui('cancel')}
        </Button>
        <Button type="submit" disabled={!form.isDirty() || !form.isTouched()} loading={create.isPending}>
          {ui('create')}
        </Button>
      </FrameFooter>
    </form>
  )
}
