import { createInternalSquad } from '@causeway/contract'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useLiveName } from '../../api/naming.tsx'
import { CreateModal } from '../../ui/frames/create-modal.tsx'
import { NameForm } from '../../ui/inputs/name-form.tsx'
import { useCreateInternalSquad } from './internal-squads.queries.ts'

/** Asks for a name; the inbounds are chosen right after. */
export function CreateInternalSquadModal() {
  const { t } = useTranslation('internal-squads')
  return (
    <CreateModal title={t('create')} width={440}>
      {() => <CreateForm />}
    </CreateModal>
  )
}

function CreateForm() {
  const { t } = useTranslation('internal-squads')
  const navigate = useNavigate()
  const name = useLiveName(createInternalSquad.body.shape.name)
  const create = useCreateInternalSquad({
    onCreated: (squad) => void navigate({ to: '.', search: { edit: squad.uuid }, replace: true }),
    onFailure: name.showFailure,
  })
  return (
    <NameForm
      label={t('name')}
      hint={t('nameHint')}
      name={name}
      isBusy={create.isPending}
      isDone={create.isSuccess}
      onSubmit={() => create.mutate({ name: name.value, inbounds: [] })}
    />
  )
}
