import { createInternalSquad } from '@causeway/contract'
import { Button, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { FrameFooter, ModalFrame, useFrameClose, useFrameDirty } from '../../ui/frames.tsx'
import { useDialog } from '../../ui/use-dialog.ts'
import { useLiveName } from '../../api/use-live-name.ts'
import { useCreateInternalSquad } from './internal-squads.queries.ts'

/** Asks for a name; the inbounds are chosen right after. */
export function CreateInternalSquadModal() {
  const { t } = useTranslation('internal-squads')
  const dialog = useDialog('create')
  return (
    <ModalFrame isOpen={dialog.value !== undefined} onClose={dialog.close} title={t('create')} width={440}>
      <CreateForm />
    </ModalFrame>
  )
}

function CreateForm() {
  const { t } = useTranslation('internal-squads')
  const { t: ui } = useTranslation('ui')
  const close = useFrameClose()
  const navigate = useNavigate()
  const name = useLiveName(createInternalSquad.body.shape.name)
  const create = useCreateInternalSquad({
    onCreated: (squad) => void navigate({ to: '.', search: { edit: squad.uuid }, replace: true }),
    onFailure: name.showFailure,
  })
  useFrameDirty(name.value !== '' && !create.isSuccess)

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (name.isValid) create.mutate({ name: name.value, inbounds: [] })
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
