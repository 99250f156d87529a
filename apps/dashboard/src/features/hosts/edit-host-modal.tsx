import { deleteHost, updateHost, type ConfigProfile, type Host } from '@causeway/contract'
import { Button, Menu } from '@mantine/core'
import { IconCopyPlus, IconEye } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { May } from '../../api/rights/may.tsx'
import { EditFrame, EditOpen } from '../../api/edit-frame.tsx'
import { showError } from '../../api/toasts.ts'
import { useEditForm, type Opened } from '../../api/use-edit-form.ts'
import { DeleteItem } from '../../ui/delete-item.tsx'
import { useConfirmDelete } from '../../ui/frames/confirm.tsx'
import { DrawerFrame, ModalFrame } from '../../ui/frames/frames.tsx'
import { LoadingRows } from '../../ui/frames/states.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { useLingering } from '../../ui/use-lingering.ts'
import { configProfilesQuery } from '../config-profiles/config-profiles.queries.ts'
import { Planned, usePlanned } from '../config-profiles/parts/planned.tsx'
import { HistoryItem } from '../history/parts/history-item.tsx'
import { SubscriptionPreview } from '../subscription-preview/parts/subscription-preview.tsx'
import { hostForm, toClone, toCreateHost, toHostPatch, toHostPlan, type HostForm } from './host-form.ts'
import { useHideUntil } from './hide-host.tsx'
import { HostFields } from './host-fields.tsx'
import { MoreMenu } from '../../ui/more-menu.tsx'
import classes from './hosts.module.css'
import { hostQuery, useCreateHost, useDeleteHost, useUpdateHost } from './hosts.queries.ts'
import { originOf } from './hosts.rules.ts'
import { useHostProblems, useHostWords } from './use-host-form.ts'

export function EditHostModal() {
  const { t } = useTranslation('hosts')
  const dialog = useDialog('edit')
  const uuid = useLingering(dialog.value)
  const profiles = useQuery(configProfilesQuery()).data?.configProfiles
  return (
    <ModalFrame isOpen={dialog.value !== undefined} onClose={dialog.close} title={t('edit')} width={640}>
      {uuid !== undefined && profiles ? (
        <EditOpen key={uuid} read={hostQuery(uuid)} onLeave={dialog.close}>
          {(opened) => <EditHost opened={opened} profiles={profiles} onClose={dialog.close} />}
        </EditOpen>
      ) : (
        <LoadingRows count={5} />
      )}
    </ModalFrame>
  )
}

interface EditProps {
  opened: Opened<Host>
  profiles: readonly ConfigProfile[]
  onClose: () => void
}

function EditHost({ opened, profiles, onClose }: EditProps) {
  const edit = useEditForm<Host, HostForm>({
    opened,
    toForm: (host) => hostForm.fromEntity({ host, profiles }),
    fields: hostForm.editFields(useHostWords()),
    validate: useHostProblems({ isInboundRequired: false }),
    validateInputOnBlur: true,
  })
  const update = useUpdateHost(edit.form)
  const { saving } = usePlanned()
  const host = opened.entity

  return (
    <EditFrame
      writes={updateHost}
      edit={edit}
      onSave={saving(
        (change) => toHostPlan(host.uuid, change),
        (change) => update.mutateAsync(toHostPatch(host.uuid, change)),
      )}
      onSaved={onClose}
      isDisabled={!edit.form.isValid()}
      others={!edit.isGone && <HostActions host={host} form={edit.form.values} profiles={profiles} onClose={onClose} />}
    >
      <HostFields form={edit.form} profiles={profiles} />
    </EditFrame>
  )
}

interface Props {
  host: Host
  /** As it stands in the form. */
  form: HostForm
  profiles: readonly ConfigProfile[]
  onClose: () => void
}

const SUFFIX_LENGTH = 6

function HostActions({ host, form, profiles, onClose }: Props) {
  const [isPreviewed, setPreviewed] = useState(false)
  const unsaved = toCreateHost(form)
  const { t } = useTranslation('hosts')
  const confirmDelete = useConfirmDelete()
  const clone = useCreateHost()
  const remove = useDeleteHost()
  const hiding = useHideUntil({ host, onDone: onClose })

  function cloneHost(): void {
    const { profile, inbound } = originOf(host, profiles)
    const body =
      profile && inbound ? toClone(host, crypto.getRandomValues(new Uint32Array(1)).join('').slice(0, SUFFIX_LENGTH)) : undefined
    if (body === undefined) showError(t('clone'), t('danglingClone'))
    else clone.mutate(body, { onSuccess: onClose })
  }
  async function askAndDelete(): Promise<void> {
    const body = <Planned change={{ deleteHost: { uuid: host.uuid } }}>{t('delete.body')}</Planned>
    if (await confirmDelete(t('delete.title', { name: host.remark }), body))
      remove.mutate({ uuid: host.uuid }, { onSuccess: onClose })
  }
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconCopyPlus size={16} aria-hidden />}
        loading={clone.isPending}
        onClick={cloneHost}
        className={classes['lesser']!}
      >
        {t('clone')}
      </Button>
      <MoreMenu isBusy={remove.isPending || hiding.isBusy}>
        <Menu.Item
          leftSection={<IconEye size={16} aria-hidden />}
          disabled={unsaved === undefined}
          onClick={() => setPreviewed(true)}
        >
          {t('preview')}
        </Menu.Item>
        <HistoryItem target={host.uuid} />
        <Menu.Divider />
        {hiding.items}
        <Menu.Divider />
        <May call={deleteHost}>
          <DeleteItem onDelete={() => void askAndDelete()} />
        </May>
      </MoreMenu>
      {hiding.modal}
      <DrawerFrame isOpen={isPreviewed} onClose={() => setPreviewed(false)} title={t('preview')} width={620}>
        {unsaved && <SubscriptionPreview draft={{ hosts: [{ ...unsaved, uuid: host.uuid }] }} />}
      </DrawerFrame>
    </>
  )
}
