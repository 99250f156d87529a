import type { User } from '@causeway/contract'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CreateModal } from '../../../ui/frames/create-modal.tsx'
import { FormFooter, useFrameDirty } from '../../../ui/frames/frames.tsx'
import { LoadingRows } from '../../../ui/frames/states.tsx'
import { internalSquadsQuery } from '../../internal-squads/internal-squads.queries.ts'
import { SQUAD_DIALOG } from '../../internal-squads/internal-squads.rules.ts'
import { EditInternalSquadDrawer } from '../../internal-squads/parts/edit-internal-squad-drawer.tsx'
import { useUserForm } from './use-user-form.ts'
import { UserFields } from './user-fields.tsx'
import { emptyForm, toCreate } from './user-form.ts'
import { useCreateUser } from '../users.queries.ts'
import classes from './user-form.module.css'

export const USER_MODAL_WIDTH = 1000

export function CreateUserModal() {
  const { t } = useTranslation('users')
  const navigate = useNavigate()
  return (
    <CreateModal title={t('create.title')} width={USER_MODAL_WIDTH}>
      {() => (
        <>
          <Start
            onDone={({ uuid }) =>
              void navigate({ to: '.', search: (old) => ({ ...old, create: undefined, handover: uuid }), replace: true })
            }
          />
          <EditInternalSquadDrawer name={SQUAD_DIALOG} />
        </>
      )}
    </CreateModal>
  )
}

/** A new user is in the only squad there is: in none, nothing can be reached. */
function Start({ onDone }: { onDone: (user: User) => void }) {
  const squads = useQuery(internalSquadsQuery())
  if (squads.isPending) return <LoadingRows count={4} />
  const [only, ...others] = squads.data?.internalSquads ?? []
  const isPicked = only !== undefined && others.length === 0
  return <CreateUserForm squads={isPicked ? [only.uuid] : []} onDone={onDone} />
}

function CreateUserForm({ squads, onDone }: { squads: string[]; onDone: (user: User) => void }) {
  const { t } = useTranslation('users')
  const [initial] = useState(() => ({ ...emptyForm(new Date()), activeInternalSquads: squads }))
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
