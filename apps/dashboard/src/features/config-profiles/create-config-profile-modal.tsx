import { createConfigProfile } from '@causeway/contract'
import { Button, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useLiveName } from '../../api/use-live-name.ts'
import { FrameFooter, ModalFrame, useFrameClose, useFrameDirty } from '../../ui/frames.tsx'
import { useCreateConfigProfile } from './config-profiles.queries.ts'
import { defaultConfig, randomTagSuffix } from './default-config.ts'

interface Props {
  isOpen: boolean
  onClose: () => void
}

/** Asks for a name; the profile starts with the default configuration. */
export function CreateConfigProfileModal({ isOpen, onClose }: Props) {
  const { t } = useTranslation('config-profiles')
  return (
    <ModalFrame isOpen={isOpen} onClose={onClose} title={t('create')} width={440}>
      <CreateForm onCreated={onClose} />
    </ModalFrame>
  )
}

function CreateForm({ onCreated }: { onCreated: () => void }) {
  const { t } = useTranslation('config-profiles')
  const { t: ui } = useTranslation('ui')
  const close = useFrameClose()
  const name = useLiveName(createConfigProfile.body.shape.name)
  const create = useCreateConfigProfile({ onCreated, onFailure: name.showFailure })
  useFrameDirty(name.value !== '' && !create.isSuccess)

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (name.isValid) create.mutate({ name: name.value, config: defaultConfig(randomTagSuffix()) })
      }}
    >
      <TextInput
        label={t('name')}
        description={t('nameHint')}
        required
        data-autofocus
        mb="lg"
        value={name.value}
        error={name.error}
        onChange={(event) => name.change(event.currentTarget.value)}
      />
      <FrameFooter>
        <Button variant="default" onClick={close}>
          {ui('cancel')}
        </Button>
        <Button type="submit" disabled={!name.isValid} loading={create.isPending}>
          {ui('create')}
        </Button>
      </FrameFooter>
    </form>
  )
}
