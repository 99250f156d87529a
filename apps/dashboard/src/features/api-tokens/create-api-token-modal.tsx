import { createApiToken } from '@causeway/contract'
import { Button, Stack, Switch, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import i18n from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldErrorsOf } from '../../api/field-errors.ts'
import { isUntaken } from '../../lib/untaken.ts'
import { CopyField } from '../../ui/inputs/copy-field.tsx'
import { CreateModal } from '../../ui/frames/create-modal.tsx'
import { FormFooter, FrameFooter, useFrameDirty } from '../../ui/frames/frames.tsx'
import { useCreateApiToken, useCreateLimitedApiToken } from './api-tokens.queries.ts'
import { EndField, RightsField } from './token-fields.tsx'
import { curlLine, emptyForm, toInstant, toPermissions, type TokenForm } from './token-form.ts'

interface CreatedToken extends Pick<TokenForm, 'permissions'> {
  token: string
  isShownOnce: boolean
}

/** Asks what the token is for and what bounds it, then shows its text. */
export function CreateApiTokenModal() {
  const { t } = useTranslation('api-tokens')
  return (
    <CreateModal title={t('create')} width={520}>
      {(close) => <CreateToken onClose={close} />}
    </CreateModal>
  )
}

function CreateToken({ onClose }: { onClose: () => void }) {
  const [made, setMade] = useState<CreatedToken>()
  return made ? <MadeToken made={made} onClose={onClose} /> : <CreateForm onCreated={setMade} />
}

function CreateForm({ onCreated }: { onCreated: (made: CreatedToken) => void }) {
  const { t } = useTranslation('api-tokens')
  const { t: ui } = useTranslation('ui')
  const form = useForm({ initialValues: emptyForm, validate: problemsOf, validateInputOnChange: ['tokenName'] })
  const { permissions, isShownOnce, tokenName } = form.values
  const options = { form, onCreated: ({ token }: { token: string }) => onCreated({ token, permissions, isShownOnce }) }
  const create = useCreateApiToken(options)
  const createLimited = useCreateLimitedApiToken(options)
  useFrameDirty(form.isDirty())

  function send(values: typeof emptyForm): void {
    const { tokenName } = values
    const expiresAt = toInstant(values.expiresAt)
    const isPlain = expiresAt === null && permissions === null && !isShownOnce
    if (isPlain) create.mutate({ tokenName })
    else createLimited.mutate({ tokenName, expiresAt, permissions: toPermissions(permissions), isShownOnce })
  }
  return (
    <form noValidate onSubmit={form.onSubmit(send)}>
      <Stack gap="md" mb="lg">
        <TextInput label={t('name')} description={t('nameHint')} required data-autofocus {...form.getInputProps('tokenName')} />
        <EndField
          value={form.values.expiresAt}
          onChange={(next) => form.setFieldValue('expiresAt', next)}
          error={form.errors['expiresAt']}
        />
        <RightsField value={permissions} onChange={(next) => form.setFieldValue('permissions', next)} />
        <Switch
          label={t('once.label')}
          description={t('once.hint')}
          {...form.getInputProps('isShownOnce', { type: 'checkbox' })}
        />
      </Stack>
      <FormFooter
        action={ui('create')}
        isBusy={create.isPending || createLimited.isPending}
        isDisabled={tokenName === '' || form.errors['tokenName'] !== undefined}
      />
    </form>
  )
}

/** The rule of the wire, and that a token has a name at all: it is told apart by nothing else. */
export function problemsOf({ tokenName, expiresAt }: Pick<TokenForm, 'tokenName' | 'expiresAt'>): Record<string, string> {
  const schema = createApiToken.body.extend({ tokenName: createApiToken.body.shape.tokenName.min(1, 'must not be empty') })
  const { error } = schema.safeParse({ tokenName: tokenName.trim() })
  const issues = (error?.issues ?? []).map(({ path, ...issue }) => ({ ...issue, path: path.map(String) }))
  return { ...fieldErrorsOf(issues), ...(isUntaken(expiresAt) ? { expiresAt: i18n.t('ui:calendar.untaken') } : {}) }
}

function MadeToken({ made, onClose }: { made: CreatedToken; onClose: () => void }) {
  const { t } = useTranslation('api-tokens')
  const { t: ui } = useTranslation('ui')
  return (
    <>
      <Stack gap="md" mb="lg">
        <Text size="sm">{made.isShownOnce ? t('made.once') : t('made.again')}</Text>
        <CopyField label={t('token')} value={made.token} isWhole isNext feedbackMs={500} />
        <CopyField
          label={t('made.curl')}
          description={t('made.curlHint')}
          value={curlLine(made.token, location.origin, made.permissions)}
          isWhole
        />
      </Stack>
      <FrameFooter>
        <Button onClick={onClose}>{ui('close')}</Button>
      </FrameFooter>
    </>
  )
}
