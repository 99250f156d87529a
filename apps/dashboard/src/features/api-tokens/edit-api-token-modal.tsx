import type { ApiTokenDetails } from '@causeway/contract'
import { Stack, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { EditFrame, EditOpen } from '../../api/edit-frame.tsx'
import { isSameSet } from '../../api/edit-merge.ts'
import { useEditForm, type Opened } from '../../api/use-edit-form.ts'
import { dateFormat } from '../../lib/numbers/formats.ts'
import { ModalFrame } from '../../ui/frames/frames.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { useLingering } from '../../ui/use-lingering.ts'
import { tokenQuery, useUpdateApiToken } from './api-tokens.queries.ts'
import { problemsOf } from './create-api-token-modal.tsx'
import { EndField, RightsField } from './token-fields.tsx'
import { rightsOf, toForm, toInstant, toPatch, type TokenForm } from './token-form.ts'

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
  const { t, i18n } = useTranslation('api-tokens')
  const isSame = isSameSet((name: string) => name)
  const edit = useEditForm<ApiTokenDetails, TokenForm>({
    opened,
    toForm,
    fields: {
      tokenName: { label: t('name') },
      expiresAt: {
        label: t('end.label'),
        inWords: (value) => {
          const at = toInstant(value)
          if (!at) return t('end.never')
          return dateFormat(i18n.language, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(at))
        },
      },
      permissions: {
        label: t('rights.label'),
        isSame: (one, other) => (one === null || other === null ? one === other : isSame(one, other)),
        inWords: (value) => (value === null || rightsOf(value) !== 'chosen' ? t(`rights.${rightsOf(value)}`) : value.join(', ')),
      },
    },
    validate: problemsOf,
  })
  const update = useUpdateApiToken(edit.form)
  const { values } = edit.form
  return (
    <EditFrame
      edit={edit}
      onSave={(change) => update.mutateAsync(toPatch(opened.entity.uuid, change.values, change.changed))}
      onSaved={onClose}
    >
      <Stack gap="md" mb="lg">
        <TextInput label={t('name')} required {...edit.form.getInputProps('tokenName')} />
        <EndField
          value={values.expiresAt}
          onChange={(next) => edit.form.setFieldValue('expiresAt', next)}
          error={edit.form.errors['expiresAt']}
        />
        <RightsField value={values.permissions} onChange={(next) => edit.form.setFieldValue('permissions', next)} />
      </Stack>
    </EditFrame>
  )
}
