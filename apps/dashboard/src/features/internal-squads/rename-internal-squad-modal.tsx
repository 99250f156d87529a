import { updateInternalSquad, type InternalSquad } from '@causeway/contract'
import { useTranslation } from 'react-i18next'
import { RenameModal } from '../../api/naming.tsx'
import { useUpdateInternalSquad } from './internal-squads.queries.ts'

export function RenameInternalSquadModal({ squads }: { squads: readonly InternalSquad[] }) {
  const { t } = useTranslation('internal-squads')
  return (
    <RenameModal
      things={squads}
      title={(name) => t('rename.title', { name })}
      words={{ label: t('name'), hint: t('nameHint'), action: t('rename.action') }}
      schema={updateInternalSquad.body.shape.name.unwrap()}
      useRename={useUpdateInternalSquad}
    />
  )
}
