import type { ConfigProfile, Host } from '@causeway/contract'
import { Button, Menu } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconChevronDown, IconCopyPlus, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { showError } from '../../api/toasts.ts'
import { useConfirm } from '../../ui/confirm.tsx'
import { FormFooter, ModalFrame, useFrameDirty } from '../../ui/frames.tsx'
import { LoadingRows } from '../../ui/states.tsx'
import { useDialog } from '../../ui/use-dialog.ts'
import { useLingering } from '../../ui/use-lingering.ts'
import { configProfiles } from '../config-profiles/config-profiles.queries.ts'
import { type HostForm, toClone, toHostForm, toHostPatch } from './host-form.ts'
import { HostFields } from './host-fields.tsx'
import { hostsList, useCreateHost, useDeleteHost, useUpdateHost } from './hosts.queries.ts'
import { originOf } from './hosts.rules.ts'
import { useHostProblems } from './use-host-problems.ts'

export function EditHostModal() {
  const { t } = useTranslation('hosts')
  const dialog = useDialog('edit')
  const uuid = useLingering(dialog.value)
  const hosts = useQuery(hostsList())
  const profiles = useQuery(configProfiles())
  const host = useLingering(hosts.data?.find((candidate) => candidate.uuid === uuid))
  return (
    <ModalFrame isOpen={dialog.value !== undefined} onClose={dialog.close} title={t('edit')} width={640}>
      {host && profiles.data ? (
        <EditForm key={host.uuid} host={host} profiles={profiles.data.configProfiles} onClose={dialog.close} />
      ) : (
        <LoadingRows count={5} />
      )}
    </ModalFrame>
  )
}

interface Props {
  host: Host
  profiles: readonly ConfigProfile[]
  onClose: () => void
}

function EditForm({ host, profiles, onClose }: Props) {
  const { t: ui } = useTranslation('ui')
  const problems = useHostProblems({ isInboundRequired: false })
  const form = useForm<HostForm>({ initialValues: toHostForm(host, profiles), validate: problems })
  const update = useUpdateHost(form)
  useFrameDirty(form.isDirty() && !update.isSuccess)

  return (
    <form noValidate onSubmit={form.onSubmit((values) => update.mutate(toHostPatch(values, host.uuid), { onSuccess: onClose }))}>
      <HostFields form={form} profiles={profiles} />
      <FormFooter
        action={ui('save')}
        isBusy={update.isPending}
        isDisabled={!form.isDirty() || !form.isTouched() || !form.isValid()}
      >
        <HostActions host={host} profiles={profiles} onClose={onClose} />
      </FormFooter>
    </form>
  )
}

const SUFFIX_LENGTH = 6

function HostActions({ host, profiles, onClose }: Props) {
  const { t } = useTranslation('hosts')
  const { t: ui } = useTranslation('ui')
  const confirm = useConfirm()
  const clone = useCreateHost()
  const remove = useDeleteHost()

  function cloneHost(): void {
    const { profile, inbound } = originOf(host, profiles)
    const body =
      profile && inbound ? toClone(host, crypto.getRandomValues(new Uint32Array(1)).join('').slice(0, SUFFIX_LENGTH)) : undefined
    if (body === undefined) showError(t('clone'), t('danglingClone'))
    else clone.mutate(body, { onSuccess: onClose })
  }
  async function askAndDelete(): Promise<void> {
    const question = { title: t('delete.title', { name: host.remark }), body: t('delete.body'), action: ui('delete') }
    if (await confirm({ ...question, isDangerous: true })) remove.mutate({ uuid: host.uuid }, { onSuccess: onClose })
  }
  return (
    <Menu position="top-start">
      <Menu.Target>
        <Button
          variant="default"
          rightSection={<IconChevronDown size={16} aria-hidden />}
          loading={clone.isPending || remove.isPending}
        >
          {ui('more')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconCopyPlus size={16} aria-hidden />} onClick={cloneHost}>
          {t('clone')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item color="red" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => void askAndDelete()}>
          {ui('delete')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
