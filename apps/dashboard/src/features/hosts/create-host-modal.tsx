import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { CreateModal } from '../../ui/create-modal.tsx'
import { FormFooter, useFrameDirty } from '../../ui/frames.tsx'
import { configProfilesQuery } from '../config-profiles/config-profiles.queries.ts'
import { emptyHostForm, type HostForm, toCreateHost } from './host-form.ts'
import { HostFields } from './host-fields.tsx'
import { useCreateHost } from './hosts.queries.ts'
import { useHostProblems } from './use-host-problems.ts'

export function CreateHostModal() {
  const { t } = useTranslation('hosts')
  return (
    <CreateModal title={t('newHost')} width={640}>
      {(onCreated) => <CreateForm onCreated={onCreated} />}
    </CreateModal>
  )
}

function CreateForm({ onCreated }: { onCreated: () => void }) {
  const { t: ui } = useTranslation('ui')
  const profiles = useQuery(configProfilesQuery())
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
      <FormFooter action={ui('create')} isBusy={create.isPending} isDisabled={!form.isDirty() || !form.isTouched()} />
    </form>
  )
}
