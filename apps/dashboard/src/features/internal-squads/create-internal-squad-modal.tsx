import { createInternalSquad } from '@causeway/contract'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { NewNameForm } from '../../api/naming.tsx'
import { CreateModal } from '../../ui/frames/create-modal.tsx'
import { useCreateInternalSquad } from './internal-squads.queries.ts'

/** Asks for a name; the inbounds are chosen right after. */
export function CreateInternalSquadModal() {
  const { t } = useTranslation('internal-squads')
  const navigate = useNavigate()
  return (
    <CreateModal title={t('create')} width={440}>
      {() => (
        <NewNameForm
          schema={createInternalSquad.body.shape.name}
          words={{ label: t('name'), hint: t('nameHint') }}
          useCreate={useCreateInternalSquad}
          bodyOf={(name) => ({ name, inbounds: [] })}
          onCreated={(thing) => void navigate({ to: '.', search: { edit: thing.uuid }, replace: true })}
        />
      )}
    </CreateModal>
  )
}
