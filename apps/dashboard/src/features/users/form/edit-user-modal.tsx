import { listUsers, getSystemStats, type User, updateUser } from '@causeway/contract'
import { Stack } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { EditFrame, EditOpen } from '../../../api/edit-frame.tsx'
import { useEditForm, type Change, type Opened } from '../../../api/use-edit-form.ts'
import { formatBytes } from '../../../lib/numbers/bytes.ts'
import { useConfirm } from '../../../ui/frames/confirm.tsx'
import { ModalFrame } from '../../../ui/frames/frames.tsx'
import { useDialog } from '../../../ui/frames/use-dialog.ts'
import { useLingering } from '../../../ui/use-lingering.ts'
import { SQUAD_DIALOG } from '../../internal-squads/internal-squads.rules.ts'
import { EditInternalSquadDrawer } from '../../internal-squads/parts/edit-internal-squad-drawer.tsx'
import { USER_MODAL_WIDTH } from './create-user-modal.tsx'
import { ExpiryChange } from './expiry-change.tsx'
import { ImpactText } from '../bulk/impact-text.tsx'
import { useUserChecks, useUserEditFields } from './use-user-form.ts'
import { UserActionsMenu } from '../user-actions-menu.tsx'
import { UserDrawers } from '../drawers/user-drawers.tsx'
import { UserFields } from './user-fields.tsx'
import { cutsOff, isLimitTaken, toForm, toInstant, toPatch, type UserForm } from './user-form.ts'
import { UserStatusCard } from './user-status-card.tsx'
import { userQuery, useUpdateUser } from '../users.queries.ts'
import classes from './user-form.module.css'

export function EditUserModal() {
  const { t } = useTranslation('users')
  const client = useQueryClient()
  const dialog = useDialog('edit')
  const uuid = useLingering(dialog.value)

  function close(): void {
    dialog.close()
    void client.invalidateQueries({ queryKey: [listUsers.name] })
    void client.invalidateQueries({ queryKey: [getSystemStats.name] })
  }
  return (
    <ModalFrame isOpen={dialog.value !== undefined} onClose={close} title={t('edit.title')} width={USER_MODAL_WIDTH}>
      {uuid !== undefined && (
        <EditOpen key={uuid} read={userQuery(uuid)} onLeave={close}>
          {(opened) => <EditUser opened={opened} onDone={close} />}
        </EditOpen>
      )}
      <UserDrawers />
      <EditInternalSquadDrawer name={SQUAD_DIALOG} />
    </ModalFrame>
  )
}

function EditUser({ opened, onDone }: { opened: Opened<User>; onDone: () => void }) {
  const { t, i18n } = useTranslation('users')
  const confirm = useConfirm()
  const user = opened.entity
  const edit = useEditForm({
    opened,
    toForm,
    fields: useUserEditFields(),
    validate: useUserChecks(toForm(user)),
    validateInputOnBlur: true,
  })
  const update = useUpdateUser(edit.form)

  async function save(change: Change<UserForm>, isFresh: () => Promise<boolean>): Promise<User | undefined> {
    if (isLimitTaken(change.values, change.base)) {
      const limit = formatBytes(user.trafficLimitBytes, i18n.language)
      const isAgreed = await confirm({
        title: t('confirm.unlimited.title', { name: user.username }),
        body: t('confirm.unlimited.body', { limit }),
        action: t('confirm.unlimited.action'),
        isDangerous: true,
      })
      if (!isAgreed || !(await isFresh())) return undefined
    }
    if (user.status === 'ACTIVE' && cutsOff(change.values, change.base)) {
      const isAgreed = await confirm({
        title: t('confirm.tighten.title', { name: user.username }),
        body: (
          <Stack gap="xs">
            <span>{t('confirm.tighten.body')}</span>
            {change.values.expireAt < change.base.expireAt && (
              <ExpiryChange from={new Date(toInstant(change.base.expireAt))} to={new Date(toInstant(change.values.expireAt))} />
            )}
            <ImpactText who={{ uuids: [user.uuid] }} />
          </Stack>
        ),
        action: t('confirm.tighten.action'),
      })
      if (!isAgreed || !(await isFresh())) return undefined
    }
    return update.mutateAsync(toPatch(user.uuid, change))
  }
  return (
    <EditFrame
      writes={updateUser}
      edit={edit}
      onSave={save}
      onSaved={onDone}
      className={classes['form']}
      others={!edit.isGone && <UserActionsMenu user={user} onDeleted={onDone} />}
    >
      <UserStatusCard user={user} />
      <UserFields form={edit.form} isNameFixed />
    </EditFrame>
  )
}
