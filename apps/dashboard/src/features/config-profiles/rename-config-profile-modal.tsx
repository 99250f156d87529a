import { updateConfigProfile, type ConfigProfile } from '@causeway/contract'
import { useTranslation } from 'react-i18next'
import { useLiveName } from '../../api/use-live-name.ts'
import { ModalFrame } from '../../ui/frames/frames.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { NameForm } from '../../ui/inputs/name-form.tsx'
import { useUpdateConfigProfile } from './config-profiles.queries.ts'

export function RenameConfigProfileModal({ profiles }: { profiles: readonly ConfigProfile[] }) {
  const { t } = useTranslation('config-profiles')
  const dialog = useDialog('rename')
  const profile = profiles.find(({ uuid }) => uuid === dialog.value)
  return (
    <ModalFrame
      isOpen={profile !== undefined}
      onClose={dialog.close}
      title={t('rename.title', { name: profile?.name })}
      width={440}
    >
      {profile && <RenameForm key={profile.uuid} profile={profile} onDone={dialog.close} />}
    </ModalFrame>
  )
}

function RenameForm({ profile, onDone }: { profile: ConfigProfile; onDone: () => void }) {
  const { t } = useTranslation('config-profiles')
  const name = useLiveName(updateConfigProfile.body.shape.name.unwrap(), profile.name)
  const update = useUpdateConfigProfile({ onSaved: onDone, onFailure: name.showFailure })
  return (
    <NameForm
      label={t('name')}
      hint={t('nameHint')}
      name={name}
      action={t('rename.action')}
      isUnchanged={name.value === profile.name}
      isBusy={update.isPending}
      isDone={update.isSuccess}
      onSubmit={() => update.mutate({ uuid: profile.uuid, name: name.value })}
    />
  )
}
