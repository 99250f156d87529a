import { Alert, Button, Divider, Loader, Stack, Text, TextInput, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconFingerprint } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { latinDigits } from '../../../lib/numbers/digits.ts'
import {
  signChallenge,
  useFinishWithCode,
  useFinishWithPasskey,
  useStartSecondStep,
  type Started,
} from './second-step.queries.ts'

interface Props {
  credentials: { username: string; password: string }
  onBack: () => void
}

/** The second step of signing in, after the password. */
export function SecondStep({ credentials, onBack }: Props) {
  const { t } = useTranslation('second-step')
  const start = useStartSecondStep()
  const isStarted = useRef(false)
  // The server is told once that the second step begins; its ticket is worth nothing outside of this form.
  useEffect(() => {
    if (isStarted.current) return
    isStarted.current = true
    start.mutate(credentials)
  }, [start, credentials])
  return (
    <Stack gap="sm">
      <Title order={2}>{t('title')}</Title>
      {start.isError && <Alert color="red">{start.error.message}</Alert>}
      {!start.isError && !start.data && <Loader role="progressbar" aria-label={t('title')} />}
      {start.data && <Proofs started={start.data} />}
      <Button variant="subtle" color="gray" onClick={onBack}>
        {t('back')}
      </Button>
    </Stack>
  )
}

/** Takes the second factor. The session has begun when `onDone` runs. */
export function Proofs({ started, onDone }: { started: Started; onDone?: () => void }) {
  const { t } = useTranslation(['second-step', 'auth'])
  const { ticket, hasAuthenticator, hasRecoveryCodes, passkey } = started
  const form = useForm({ mode: 'uncontrolled', initialValues: { code: '' } })
  const finish = useFinishWithCode(form)
  const withPasskey = useFinishWithPasskey()
  const [isAborted, setAborted] = useState(false)
  const hasCodes = hasAuthenticator || hasRecoveryCodes

  async function onPasskey(): Promise<void> {
    const response = await signChallenge(passkey)
    setAborted(response === undefined)
    if (response) withPasskey.mutate({ ticket, response }, { onSuccess: () => onDone?.() })
  }
  return (
    <>
      {passkey !== null && (
        <Button
          variant={hasAuthenticator ? 'default' : 'filled'}
          leftSection={<IconFingerprint size={18} aria-hidden />}
          loading={withPasskey.isPending}
          onClick={() => void onPasskey()}
        >
          {t('usePasskey')}
        </Button>
      )}
      {isAborted && (
        <Text size="sm" c="red" role="alert">
          {t('passkeyAborted')}
        </Text>
      )}
      {passkey !== null && hasCodes && <Divider label={t('auth:or')} />}
      {hasCodes && (
        <form
          noValidate
          onSubmit={form.onSubmit(({ code }) =>
            finish.mutate({ ticket, code: latinDigits(code).trim() }, { onSuccess: () => onDone?.() }),
          )}
        >
          <Stack gap="sm">
            <TextInput
              label={t('code')}
              description={hasAuthenticator ? t('codeHint') : t('recoveryHint')}
              autoComplete="one-time-code"
              inputMode={hasAuthenticator ? 'numeric' : 'text'}
              autoFocus
              required
              withAsterisk={false}
              key={form.key('code')}
              {...form.getInputProps('code')}
            />
            <Button type="submit" loading={finish.isPending} fullWidth>
              {t('continue')}
            </Button>
          </Stack>
        </form>
      )}
    </>
  )
}
