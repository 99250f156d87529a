import { createConfigProfile } from '@causeway/contract'
import { useTranslation } from 'react-i18next'
import { NewNameForm } from '../../api/naming.tsx'
import { CreateModal } from '../../ui/frames/create-modal.tsx'
import { useCreateConfigProfile } from './config-profiles.queries.ts'
import { defaultConfig } from './default-config.ts'

/** Asks for a name; the profile starts with the default configuration. */
export function CreateConfigProfileModal() {
  const { t } = useTranslation('config-profiles')
  return (
    <CreateModal title={t('create')} width={440}>
      {(onCreated) => (
        <NewNameForm
          schema={createConfigProfile.body.shape.name}
          words={{ label: t('name'), hint: t('nameHint') }}
          useCreate={useCreateConfigProfile}
          bodyOf={(name) => ({ name, config: defaultConfig() })}
          onCreated={onCreated}
        />
      )}
    </CreateModal>
  )
}
