import type { User } from '@causeway/contract'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useConfirm } from '../../../ui/frames/confirm.tsx'
import { CreateModal } from '../../../ui/frames/create-modal.tsx'
import { FormFooter, useFrameDirty } from '../../../ui/frames/frames.tsx'
import { LoadingRows } from '../../../ui/frames/states.tsx'
import { internalSquadsQuery } from '../../internal-squads/internal-squads.queries.ts'
import { SQUAD_DIALOG } from '../../internal-squads/internal-squads.rules.ts'
import { EditInternalSquadDrawer } from '../../internal-squads/parts/edit-internal-squad-drawer.tsx'
import { useUserForm } from './use-user-form.ts'
import { UserFields } from './user-fields.tsx'
import { keepChoices, lastChoices } from './last-choices.ts'
import { emptyForm, expiryAfter, lastingOf, toCreate, type Lasting, type UserForm } from './user-form.ts'
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

/** A new user is in the only squad there is, or in those of the last new one: in none, nothing can be reached. */
function Start({ onDone }: { onDone: (user: User) => void }) {
  const squads = useQuery(internalSquadsQuery())
  if (squads.isPending) return <LoadingRows count={4} />
  const all = (squads.data?.internalSquads ?? []).map(({ uuid }) => uuid)
  const last = lastChoices()
  const picked = all.length === 1 ? all : all.filter((uuid) => last.squads?.includes(uuid))
  return <CreateUserForm squads={picked} lasting={last.lasting} onDone={onDone} />
}

interface FormProps {
  squads: string[]
  lasting: Lasting | undefined
  onDone: (user: User) => void
}

function CreateUserForm({ squads, lasting, onDone }: FormProps) {
  const { t } = useTranslation('users')
  const confirm = useConfirm()
  const [initial] = useState(() => {
    const now = new Date()
    const expiry = lasting ? { expireAt: expiryAfter(now, lasting) } : {}
    return { ...emptyForm(now), ...expiry, activeInternalSquads: squads }
  })
  const form = useUserForm(initial)
  const create = useCreateUser(form)
  useFrameDirty(form.isDirty() && !create.isSuccess)

  async function submit(values: UserForm): Promise<void> {
    const squadsChosen = values.activeInternalSquads
    const question = { title: t('create.noSquad.title'), body: t('create.noSquad.body'), action: t('create.noSquad.action') }
    if (squadsChosen.length === 0 && !(await confirm(question))) return
    create.mutate(toCreate(values), {
      onSuccess: (user) => {
        const made = lastingOf(new Date(), values.expireAt)
        keepChoices({ squads: squadsChosen, lasting: made })
        onDone(user)
      },
    })
  }
  return (
    <form noValidate className={classes['form']} onSubmit={form.onSubmit((values) => void submit(values))}>
      <UserFields form={form} />
      <FormFooter action={t('create.submit')} isBusy={create.isPending} />
    </form>
  )
}
