import { Button, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CreateModal } from '../../ui/frames/create-modal.tsx'
import { FormFooter, FrameFooter, useFrameDirty } from '../../ui/frames/frames.tsx'
import { CopyField } from '../../ui/inputs/copy-field.tsx'
import { WebhookFields } from './webhook-fields.tsx'
import { emptyForm, problemsOf, toInput } from './webhook-form.ts'
import { useCreateWebhook } from './webhooks.queries.ts'

/** Asks where events are to be sent, then shows the secret that signs them. */
export function CreateWebhookModal() {
  const { t } = useTranslation('webhooks')
  return (
    <CreateModal title={t('create')} width={560}>
      {(close) => <CreateWebhook onClose={close} />}
    </CreateModal>
  )
}

function CreateWebhook({ onClose }: { onClose: () => void }) {
  const [secret, setSecret] = useState<string>()
  return secret === undefined ? <CreateForm onCreated={setSecret} /> : <ShownSecret secret={secret} onClose={onClose} />
}

function CreateForm({ onCreated }: { onCreated: (secret: string) => void }) {
  const { t: ui } = useTranslation('ui')
  const form = useForm({ initialValues: emptyForm, validate: problemsOf, validateInputOnBlur: ['url'] })
  const create = useCreateWebhook(form, (made) => onCreated(made.secret))
  useFrameDirty(form.isDirty())
  return (
    <form noValidate onSubmit={form.onSubmit((values) => create.mutate(toInput(values)))}>
      <WebhookFields form={form} />
      <FormFooter
        action={ui('create')}
        isBusy={create.isPending}
        isDisabled={form.values.name.trim() === '' || form.values.url.trim() === ''}
      />
    </form>
  )
}

/** The secret, this once. */
export function ShownSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  const { t } = useTranslation('webhooks')
  const { t: ui } = useTranslation('ui')
  return (
    <>
      <Stack gap="md" mb="lg">
        <Text size="sm">{t('secret.once')}</Text>
        <CopyField label={t('secret.label')} description={t('secret.hint')} value={secret} isWhole isNext />
      </Stack>
      <FrameFooter>
        <Button onClick={onClose}>{ui('close')}</Button>
      </FrameFooter>
    </>
  )
}
