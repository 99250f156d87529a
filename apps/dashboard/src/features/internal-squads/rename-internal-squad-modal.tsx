import { updateInternalSquad, type InternalSquad } from '@causeway/contract'
import { useTranslation } from 'react-i18next'
import { useLiveName } from '../../api/use-live-name.ts'
import { ModalFrame } from '../../ui/frames/frames.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { NameForm } from '../../ui/inputs/name-form.tsx'
import { useUpdateInternalSquad } from './internal-squads.queries.ts'

export function RenameInternalSquadModal({ squads }: { squads: readonly InternalSquad[] }) {
  const { t } = useTranslation('internal-squads')
  const dialog = useDialog('rename')
  const squad = squads.find(({ uuid }) => uuid === dialog.value)
  return (
    <ModalFrame isOpen={squad !== undefined} onClose={dialog.close} title={t('rename.title', { name: squad?.name })} width={440}>
      {squad && <RenameForm key={squad.uuid} squad={squad} onDone={dialog.close} />}
    </ModalFrame>
  )
}

function RenameForm({ squad, onDone }: { squad: InternalSquad; onDone: () => void }) {
  const { t } = useTranslation('internal-squads')
  const name = useLiveName(updateInternalSquad.body.shape.name.unwrap(), squad.name)
  const update = useUpdateInternalSquad({ onFailure: name.showFailure })
  return (
    <NameForm
      label={t('name')}
      hint={t('nameHint')}
      name={name}
      action={t('rename.action')}
      isUnchanged={name.value === squad.name}
      isBusy={update.isPending}
      isDone={update.isSuccess}
      onSubmit={() => update.mutate({ uuid: squad.uuid, name: name.value }, { onSuccess: onDone })}
    />
  )
}
