import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconEye } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CreateModal, useIsFirst } from '../../ui/frames/create-modal.tsx'
import { DrawerFrame, FormFooter, useFrameDirty } from '../../ui/frames/frames.tsx'
import { LoadingRows } from '../../ui/frames/states.tsx'
import { configProfilesQuery } from '../config-profiles/config-profiles.queries.ts'
import { nodesQuery } from '../nodes/nodes.queries.ts'
import { SubscriptionPreview } from '../subscription-preview/parts/subscription-preview.tsx'
import { hostForm, type HostForm, toCreateHost } from './host-form.ts'
import { HostFields } from './host-fields.tsx'
import { addressOfInbound, inboundOfNewHost } from './hosts.rules.ts'
import { useCreateHost } from './hosts.queries.ts'
import { useHostProblems } from './use-host-form.ts'

export function CreateHostModal() {
  const { t } = useTranslation('hosts')
  return (
    <CreateModal title={t('newHost')} width={640}>
      {(onCreated) => <Start onCreated={onCreated} />}
    </CreateModal>
  )
}

/** The inbound is chosen where there is one choice, with its port and the address of its node. */
function Start({ onCreated }: { onCreated: () => void }) {
  const isFirst = useIsFirst()
  const profiles = useQuery(configProfilesQuery())
  const nodes = useQuery(nodesQuery(false))
  if (profiles.isPending || nodes.isPending) return <LoadingRows count={4} />
  const inbounds = (profiles.data?.configProfiles ?? []).flatMap((profile) => profile.inbounds)
  const inbound = inboundOfNewHost(inbounds, nodes.data ?? [], isFirst)
  const address = inbound ? addressOfInbound(inbound.uuid, nodes.data ?? []) : undefined
  const picked = inbound ? { inbound, port: inbound.port ?? ('' as const), ...(address === undefined ? {} : { address }) } : {}
  return <CreateForm initial={{ ...hostForm.empty(), ...picked }} onCreated={onCreated} />
}

function CreateForm({ initial, onCreated }: { initial: HostForm; onCreated: () => void }) {
  const { t } = useTranslation('hosts')
  const { t: ui } = useTranslation('ui')
  const [isPreviewed, setPreviewed] = useState(false)
  const profiles = useQuery(configProfilesQuery())
  const problems = useHostProblems({ isInboundRequired: true })
  // Mistakes show on blur: an invalid form cannot be sent.
  const form = useForm<HostForm>({ initialValues: initial, validate: problems, validateInputOnBlur: true })
  const create = useCreateHost(form)
  useFrameDirty(form.isDirty() && !create.isSuccess)
  const unsaved = toCreateHost(form.values)

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it only hears that one of its fields was left
    <form
      noValidate
      // The choice of an inbound is no input that could be left: leaving any other says that it is missing.
      onBlur={() => form.isTouched() && form.validateField('inbound')}
      onSubmit={form.onSubmit((values) => {
        const body = toCreateHost(values)
        if (body !== undefined) create.mutate(body, { onSuccess: onCreated })
      })}
    >
      <HostFields form={form} profiles={profiles.data?.configProfiles ?? []} />
      <FormFooter
        action={ui('create')}
        isBusy={create.isPending}
        isDisabled={!form.isDirty() || !form.isTouched() || !form.isValid()}
      >
        <Button
          variant="default"
          leftSection={<IconEye size={16} aria-hidden />}
          disabled={unsaved === undefined || !form.isValid()}
          onClick={() => setPreviewed(true)}
        >
          {t('preview')}
        </Button>
      </FormFooter>
      <DrawerFrame isOpen={isPreviewed} onClose={() => setPreviewed(false)} title={t('preview')} width={620}>
        {unsaved && <SubscriptionPreview draft={{ hosts: [unsaved] }} />}
      </DrawerFrame>
    </form>
  )
}
