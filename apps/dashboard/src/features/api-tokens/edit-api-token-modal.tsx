import { updateApiToken, type ApiTokenDetails } from '@causeway/contract'
import { Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { EditFrame, EditOpen } from '../../api/edit-frame.tsx'
import { useEditForm, type Opened } from '../../api/use-edit-form.ts'
import { ModalFrame } from '../../ui/frames/frames.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { useLingering } from '../../ui/use-lingering.ts'
import { tokenQuery, useUpdateApiToken } from './api-tokens.queries.ts'
import { TokenFields, useTokenProblems, useTokenWords } from './token-fields.tsx'
import { tokenForm, type TokenForm } from './token-form.ts'

/** The name, the end and the permissions of a token. Its text stays. */
export function EditApiTokenModal() {
  const { t } = useTranslation('api-tokens')
  const dialog = useDialog('edit')
  const uuid = useLingering(dialog.value)
  return (
    <ModalFrame isOpen={dialog.value !== undefined} onClose={dialog.close} title={t('edit')} width={520}>
      {uuid !== undefined && (
        <EditOpen key={uuid} read={tokenQuery(uuid)} onLeave={dialog.close}>
          {(opened) => <EditToken opened={opened} onClose={dialog.close} />}
        </EditOpen>
      )}
    </ModalFrame>
  )
}

function EditToken({ opened, onClose }: { opened: Opened<ApiTokenDetails>; onClose: () => void }) {
  const words = useTokenWords()
  const { uuid } = opened.entity
  const edit = useEditForm<ApiTokenDetails, TokenForm>({
    opened,
    toForm: tokenForm.fromEntity,
    fields: tokenForm.editFields(words),
    validate: useTokenProblems(),
  })
  const update = useUpdateApiToken(edit.form)
  return (
    <EditFrame
      writes={updateApiToken}
      edit={edit}
      onSave={({ values, changed }) => update.mutateAsync({ uuid, ...tokenForm.toWire(values, changed) })}
      onSaved={onClose}
    >
      <Stack gap="md" mb="lg">
        <TokenFields form={edit.form} />
      </Stack>
    </EditFrame>
  )
}
