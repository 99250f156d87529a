import { updateConfigProfile, type ConfigProfile } from '@causeway/contract'
import { useTranslation } from 'react-i18next'
import { RenameModal } from '../../api/naming.tsx'
import { useUpdateConfigProfile } from './config-profiles.queries.ts'

export function RenameConfigProfileModal({ profiles }: { profiles: readonly ConfigProfile[] }) {
  const { t } = useTranslation('config-profiles')
  return (
    <RenameModal
      things={profiles}
      title={(name) => t('rename.title', { name })}
      words={{ label: t('name'), hint: t('nameHint'), action: t('rename.action') }}
      schema={updateConfigProfile.body.shape.name.unwrap()}
      useRename={useUpdateConfigProfile}
    />
  )
}
