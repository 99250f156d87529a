import { Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { latinDigits } from '../../../lib/numbers/digits.ts'
import { FormFooter } from '../../../ui/frames/frames.tsx'
import { ErrorState, LoadingRows } from '../../../ui/frames/states.tsx'
import { CopyField } from '../../../ui/inputs/copy-field.tsx'
import { QrCode } from '../../../ui/qr-code.tsx'
import { useConfirmAuthenticator, useStartAuthenticator } from './second-factor.queries.ts'
import classes from './account.module.css'

/** Sets up an authenticator app: by picture or text, then by its first code. */
export function AuthenticatorForm({ onConfirmed }: { onConfirmed: (recoveryCodes: readonly string[]) => void }) {
  const { t } = useTranslation('account')
  const start = useStartAuthenticator()
  const form = useForm({
    initialValues: { code: '' },
    validate: { code: (code) => (/^\d{6}$/.test(latinDigits(code).replaceAll(/\s/g, '')) ? null : t('factor.codeProblem')) },
  })
  const confirm = useConfirmAuthenticator(form)
  const isStarted = useRef(false)
  // The server makes one secret each time this form opens.
  useEffect(() => {
    if (isStarted.current) return
    isStarted.current = true
    start.mutate({})
  }, [start])
  if (start.isError) return <ErrorState error={start.error} onRetry={() => start.mutate({})} />
  if (!start.data) return <LoadingRows count={3} height={72} />
  const { secret, uri } = start.data
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(({ code }) =>
        confirm.mutate(
          { code: latinDigits(code).replaceAll(/\s/g, '') },
          { onSuccess: ({ recoveryCodes }) => onConfirmed(recoveryCodes) },
        ),
      )}
    >
      <Stack gap="md" mb="lg">
        <Text size="sm">{t('factor.scan')}</Text>
        <div className={classes['picture']}>
          <QrCode text={uri} label={t('factor.picture')} />
        </div>
        <CopyField label={t('factor.secret')} value={secret} isWhole />
        <TextInput
          label={t('factor.code')}
          description={t('factor.codeHint')}
          inputMode="numeric"
          autoComplete="one-time-code"
          data-autofocus
          required
          withAsterisk={false}
          {...form.getInputProps('code')}
        />
        <Text size="sm" c="dimmed">
          {t('password.ends')}
        </Text>
      </Stack>
      <FormFooter action={t('factor.turnOn')} isBusy={confirm.isPending} />
    </form>
  )
}
