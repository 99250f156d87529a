import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FrameFooter, ModalFrame, useFrameClose, useFrameDirty } from '../../../ui/frames.tsx'
import { useDialog } from '../../../ui/use-dialog.ts'
import { useUserForm } from './use-user-form.ts'
import { UserFields } from './user-fields.tsx'
import { changedFields, emptyForm, toCreate } from './user-form.ts'
import { useCreateUser } from '../users.queries.ts'
import classes from './user-form.module.css'

export const USER_MODAL_WIDTH = 1000

export function CreateUserModal() {
  const { t } = useTranslation('users')
  const dialog = useDialog('create')
  return (
    <ModalFrame isOpen={dialog.value !== undefined} onClose={dialog.close} title={t('create.title')} width={USER_MODAL_WIDTH}>
      <CreateUserForm onDone={dialog.close} />
    </ModalFrame>
  )
}

/** Mounted while the modal is open, so every opening starts empty. */
function CreateUserForm({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation('users')
  const { t: ui } = useTranslation('ui')
  const close = useFrameClose()
  const [initial] = useState(() => emptyForm(new Date()))
  const { form, target } = useUserForm(initial)
  const create = useCreateUser(target)
  useFrameDirty(changedFields(form.getValues(), initial).length > 0 && !create.isSuccess)
  return (
    <form
      noValidate
      className={classes['form']}
      onSubmit={form.onSubmit((values) => create.mutate(toCreate(values), { onSuccess: onDone }))}
    >
      <UserFields form={form} />
      <FrameFooter>
        <Button variant="default" onClick={close}>
          {ui('cancel')}
        </Button>
        <Button type="submit" loading={create.isPending}>
          {t('create.submit')}
        </Button>
      </FrameFooter>
    </form>
  )
}
