import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CreateModal } from '../../../ui/create-modal.tsx'
import { FormFooter, useFrameDirty } from '../../../ui/frames.tsx'
import { useUserForm } from './use-user-form.ts'
import { UserFields } from './user-fields.tsx'
import { emptyForm, toCreate } from './user-form.ts'
import { useCreateUser } from '../users.queries.ts'
import classes from './user-form.module.css'

export const USER_MODAL_WIDTH = 1000

export function CreateUserModal() {
  const { t } = useTranslation('users')
  return (
    <CreateModal title={t('create.title')} width={USER_MODAL_WIDTH}>
      {(onCreated) => <CreateUserForm onDone={onCreated} />}
    </CreateModal>
  )
}

function CreateUserForm({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation('users')
  const [initial] = useState(() => emptyForm(new Date()))
  const form = useUserForm(initial)
  const create = useCreateUser(form)
  useFrameDirty(form.isDirty() && !create.isSuccess)
  return (
    <form
      noValidate
      className={classes['form']}
      onSubmit={form.onSubmit((values) => create.mutate(toCreate(values), { onSuccess: onDone }))}
    >
      <UserFields form={form} />
      <FormFooter action={t('create.submit')} isBusy={create.isPending} />
    </form>
  )
}
