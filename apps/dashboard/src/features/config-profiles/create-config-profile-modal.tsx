import { createConfigProfile } from '@causeway/contract'
import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldErrorsOf, splitErrors } from '../../api/field-errors.ts'
import { CallError } from '../../api/call-error.ts'
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
  const [name, setName] = useState('')
  const [serverError, setServerError] = useState<string>()
  const create = useCreateConfigProfile({
    onCreated,
    onFailure: (error) =>
      setServerError(splitErrors(error).fields['name'] ?? (error instanceof CallError ? error.serverMessage : undefined)),
  })
  useFrameDirty(name !== '' && !create.isSuccess)
  const checked = createConfigProfile.body.shape.name.safeParse(name)
  const error =
    name === '' || checked.success
      ? serverError
      : Object.values(fieldErrorsOf([{ ...checked.error.issues[0]!, path: ['name'] }]))[0]

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (checked.success) create.mutate({ name, config: defaultConfig(randomTagSuffix()) })
      }}
    >
      <TextInput
        label={t('name')}
        description={t('nameHint')}
        required
        data-autofocus
        mb="lg"
        value={name}
        error={error}
        onChange={(event) => {
          setName(event.currentTarget.value)
          setServerError(undefined)
        }}
      />
      <FrameFooter>
        <Button variant="default" onClick={close}>
          {ui('cancel')}
        </Button>
        <Button type="submit" disabled={!checked.success} loading={create.isPending}>
          {ui('create')}
        </Button>
      </FrameFooter>
    </form>
  )
}
