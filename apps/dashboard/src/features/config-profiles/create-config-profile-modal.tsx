import { createConfigProfile } from '@causeway/contract'
import { useTranslation } from 'react-i18next'
import { useLiveName } from '../../api/naming.tsx'
import { CreateModal } from '../../ui/frames/create-modal.tsx'
import { NameForm } from '../../ui/inputs/name-form.tsx'
import { useCreateConfigProfile } from './config-profiles.queries.ts'
import { defaultConfig } from './default-config.ts'

/** Asks for a name; the profile starts with the default configuration. */
export function CreateConfigProfileModal() {
  const { t } = useTranslation('config-profiles')
  return (
    <CreateModal title={t('create')} width={440}>
      {(onCreated) => <CreateForm onCreated={onCreated} />}
    </CreateModal>
  )
}

function CreateForm({ onCreated }: { onCreated: () => void }) {
  const { t } = useTranslation('config-profiles')
  const name = useLiveName(createConfigProfile.body.shape.name)
  const create = useCreateConfigProfile({ onCreated, onFailure: name.showFailure })
  return (
    <NameForm
      label={t('name')}
      hint={t('nameHint')}
      name={name}
      isBusy={create.isPending}
      isDone={create.isSuccess}
      onSubmit={() => create.mutate({ name: name.value, config: defaultConfig() })}
    />
  )
}
