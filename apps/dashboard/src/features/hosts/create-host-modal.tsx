import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { FrameFooter, ModalFrame, useFrameClose, useFrameDirty } from '../../ui/frames.tsx'
import { useDialog } from '../../ui/use-dialog.ts'
import { useLingering } from '../../ui/use-lingering.ts'
import { configProfiles } from '../config-profiles/config-profiles.queries.ts'
import { emptyHostForm, type HostForm, toCreateHost } from './host-form.ts'
import { HostFields } from './host-fields.tsx'
import { useCreateHost } from './hosts.queries.ts'
import { useHostProblems } from './use-host-problems.ts'

export function CreateHostModal() {
  const { t } = useTranslation('hosts')
  const dialog = useDialog('create')
  const isShown = useLingering(dialog.value) !== undefined
  return (
    <ModalFrame isOpen={dialog.value !== undefined} onClose={dialog.close} title={t('newHost')} width={640}>
      {isShown && <CreateForm onCreated={dialog.close} />}
    </ModalFrame>
  )
}

function CreateForm({ onCreated }: { onCreated: () => void }) {
  const { t: ui } = useTranslation('ui')
  const close = useFrameClose()
  const profiles = useQuery(configProfiles())
  const problems = useHostProblems({ isInboundRequired: true })
  const form = useForm<HostForm>({ initialValues: emptyHostForm(), validate: problems })
  const create = useCreateHost(form)
  useFrameDirty(form.isDirty() && !create.isSuccess)

  return (
    <form
      noValidate
      onSubmit={form.onSubmit((values) => {
        const body = toCreateHost(values)
        if (body !== undefined) create.mutate(body, { onSuccess: onCreated })
      })}
    >
      <HostFields form={form} profiles={profiles.data?.configProfiles ?? []} />
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
