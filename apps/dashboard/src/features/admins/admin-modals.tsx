import { builtInRoles, type Admin } from '@causeway/contract'
import { Alert, Button, Radio, Select, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CreateModal } from '../../ui/frames/create-modal.tsx'
import { FormFooter, FrameFooter, ModalFrame, useFrameDirty } from '../../ui/frames/frames.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { CopyField } from '../../ui/inputs/copy-field.tsx'
import { adminsQuery, rolesQuery, useInvite, useRemoveAdmin, useUpdateAdmin } from './admins.queries.ts'
import { resellersQuery } from '../resellers/resellers.queries.ts'
import { useRoleName } from './use-role-name.ts'

type RoleRef = NonNullable<Parameters<ReturnType<typeof useUpdateAdmin>['mutate']>[0]['role']>

/** Dialogs of the page: invite, change the role, remove. */
export function AdminModals() {
  const { t } = useTranslation('admins')
  const { data } = useQuery(adminsQuery())
  const [edit, remove] = [useDialog('edit'), useDialog('remove')]
  const find = (uuid: string | undefined) => data?.admins.find((admin) => admin.uuid === uuid)
  const [edited, removed] = [find(edit.value), find(remove.value)]
  return (
    <>
      <CreateModal title={t('invite.title')} width={480}>
        {(close) => <InviteForm onDone={close} />}
      </CreateModal>
      <ModalFrame
        isOpen={edited !== undefined}
        onClose={edit.close}
        title={t('edit.title', { name: edited?.username })}
        width={480}
      >
        {edited && <EditForm key={edited.uuid} admin={edited} onDone={edit.close} />}
      </ModalFrame>
      <ModalFrame
        isOpen={removed !== undefined}
        onClose={remove.close}
        title={t('remove.title', { name: removed?.username })}
        width={480}
      >
        {removed && <RemoveForm key={removed.uuid} admin={removed} onDone={remove.close} />}
      </ModalFrame>
    </>
  )
}

function RoleSelect({ value, onChange }: { value: string; onChange: (role: RoleRef) => void }) {
  const { t } = useTranslation('admins')
  const nameOf = useRoleName()
  const { data } = useQuery(rolesQuery())
  const roles = data?.roles ?? builtInRoles.map((ref) => ({ ref, name: null }))
  const builtIn = builtInRoles.find((role) => role === value)
  return (
    <Select
      label={t('role.label')}
      description={builtIn === undefined ? t('role.ownHint') : t(`builtInHint.${builtIn}`)}
      allowDeselect={false}
      data={roles.map((role) => ({ value: role.ref, label: nameOf(role) }))}
      value={value}
      onChange={(next) => next !== null && onChange(next as RoleRef)} // one of the list
    />
  )
}

/** Whose users an administrator sees; not asked where there are no resellers. */
function ResellerSelect({ value, onChange }: { value: string | null; onChange: (reseller: string | null) => void }) {
  const { t } = useTranslation('admins')
  const { data } = useQuery(resellersQuery())
  if (!data || data.resellers.length === 0) return null
  return (
    <Select
      label={t('reseller.label')}
      description={t('reseller.hint')}
      allowDeselect={false}
      data={[{ value: '', label: t('reseller.none') }, ...data.resellers.map(({ uuid, name }) => ({ value: uuid, label: name }))]}
      value={value ?? ''}
      onChange={(next) => onChange(next === '' ? null : next)}
    />
  )
}

function InviteForm({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation('admins')
  const [note, setNote] = useState('')
  const [role, setRole] = useState<RoleRef>('support')
  const [reseller, setReseller] = useState<string | null>(null)
  const invite = useInvite()
  useFrameDirty(note !== '' && !invite.isSuccess)
  if (invite.data) {
    return (
      <>
        <Stack gap="md" mb="lg">
          <Alert color="yellow">{t('invite.once')}</Alert>
          <CopyField label={t('invite.link')} value={`${window.location.origin}${invite.data.path}`} isWhole isNext />
        </Stack>
        <FrameFooter>
          <Button onClick={onDone}>{t('invite.done')}</Button>
        </FrameFooter>
      </>
    )
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        invite.mutate({ note: note.trim(), role, ...(reseller === null ? {} : { reseller }) })
      }}
    >
      <Stack gap="md" mb="lg">
        <TextInput
          label={t('invite.note')}
          description={t('invite.noteHint')}
          data-autofocus
          maxLength={60}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        <RoleSelect value={role} onChange={setRole} />
        <ResellerSelect value={reseller} onChange={setReseller} />
        <Text size="sm" c="dimmed">
          {t('invite.hint')}
        </Text>
      </Stack>
      <FormFooter action={t('invite.make')} isBusy={invite.isPending} />
    </form>
  )
}

function EditForm({ admin, onDone }: { admin: Admin; onDone: () => void }) {
  const { t } = useTranslation('admins')
  const [role, setRole] = useState(admin.role.ref as RoleRef) // the server's name of a role
  const before = admin.reseller?.uuid ?? null
  const [reseller, setReseller] = useState(before)
  const update = useUpdateAdmin()
  const changed = { ...(role === admin.role.ref ? {} : { role }), ...(reseller === before ? {} : { reseller }) }
  const isUnchanged = Object.keys(changed).length === 0
  useFrameDirty(!isUnchanged && !update.isSuccess)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        update.mutate({ uuid: admin.uuid, ...changed }, { onSuccess: onDone })
      }}
    >
      <Stack gap="md" mb="lg">
        <RoleSelect value={role} onChange={setRole} />
        <ResellerSelect value={reseller} onChange={setReseller} />
        <Text size="sm" c="dimmed">
          {t('edit.hint')}
        </Text>
        {'role' in changed && admin.tokens > 0 && <Alert color="yellow">{t('edit.tokens', { count: admin.tokens })}</Alert>}
      </Stack>
      <FormFooter action={t('edit.save')} isBusy={update.isPending} isDisabled={isUnchanged} />
    </form>
  )
}

function RemoveForm({ admin, onDone }: { admin: Admin; onDone: () => void }) {
  const { t } = useTranslation('admins')
  const [tokens, setTokens] = useState<'keep' | 'delete'>('delete')
  const remove = useRemoveAdmin()
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        remove.mutate({ uuid: admin.uuid, tokens }, { onSuccess: onDone })
      }}
    >
      <Stack gap="md" mb="lg">
        <Text size="sm">{t('remove.body')}</Text>
        {admin.tokens > 0 && (
          <Radio.Group
            label={t('remove.tokens', { count: admin.tokens })}
            value={tokens}
            onChange={(value) => setTokens(value === 'keep' ? 'keep' : 'delete')}
          >
            <Stack gap="xs" mt="xs">
              <Radio value="delete" label={t('remove.deleteTokens')} />
              <Radio value="keep" label={t('remove.keepTokens')} />
            </Stack>
          </Radio.Group>
        )}
      </Stack>
      <FormFooter action={t('remove.confirm')} isBusy={remove.isPending} isDangerous />
    </form>
  )
}
