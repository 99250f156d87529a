import { Button, Stack, Switch, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyField } from '../../ui/inputs/copy-field.tsx'
import { CreateModal } from '../../ui/frames/create-modal.tsx'
import { FormFooter, FrameFooter, useFrameDirty } from '../../ui/frames/frames.tsx'
import { useCreateApiToken, useCreateLimitedApiToken } from './api-tokens.queries.ts'
import { TokenFields, useTokenProblems } from './token-fields.tsx'
import { curlLine, tokenForm, type TokenForm } from './token-form.ts'

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
  const validate = useTokenProblems()
  const form = useForm({ initialValues: tokenForm.empty(), validate, validateInputOnChange: ['tokenName'] })
  const [isShownOnce, setShownOnce] = useState(false)
  const { permissions, tokenName } = form.values
  const options = { form, onCreated: ({ token }: { token: string }) => onCreated({ token, permissions, isShownOnce }) }
  const create = useCreateApiToken(options)
  const createLimited = useCreateLimitedApiToken(options)
  useFrameDirty(form.isDirty() || isShownOnce)

  function send(values: TokenForm): void {
    const sent = { tokenName: values.tokenName, ...tokenForm.toWire(values) }
    const isPlain = sent.expiresAt === null && sent.permissions === null && sent.resellerUuid === null && !isShownOnce
    if (isPlain) create.mutate({ tokenName: sent.tokenName, generation: values.generation })
    else createLimited.mutate({ ...sent, isShownOnce })
  }
  return (
    <form noValidate onSubmit={form.onSubmit(send)}>
      <Stack gap="md" mb="lg">
        <TokenFields form={form} />
        <Switch
          label={t('once.label')}
          description={t('once.hint')}
          checked={isShownOnce}
          onChange={(event) => setShownOnce(event.currentTarget.checked)}
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
