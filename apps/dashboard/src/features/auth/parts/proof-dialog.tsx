import { getProofOptions, proveIdentity } from '@causeway/contract'
import { Button, Divider, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconFingerprint } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { apiQuery } from '../../../api/api-query.ts'
import { useApiMutation } from '../../../api/use-api-mutation.ts'
import { latinDigits } from '../../../lib/numbers/digits.ts'
import { FormFooter, ModalFrame } from '../../../ui/frames/frames.tsx'
import { ErrorState, LoadingRows } from '../../../ui/frames/states.tsx'
import { PasswordField } from './password-field.tsx'
import { signChallenge } from '../second-step/second-step.queries.ts'

const optionsQuery = () => apiQuery(getProofOptions, {}, { staleTime: 0, refetchOnWindowFocus: false, quiet: true })

/** Asks for another proof of identity before a dangerous action. */
export function ProofDialog({ onEnd }: { onEnd: (isProven: boolean) => void }) {
  const { t } = useTranslation(['second-step', 'auth'])
  return (
    <ModalFrame isOpen onClose={() => onEnd(false)} title={t('proof.title')} width={420}>
      <ProofForm onProven={() => onEnd(true)} />
    </ModalFrame>
  )
}

function ProofForm({ onProven }: { onProven: () => void }) {
  const { t } = useTranslation(['second-step', 'auth'])
  const options = useQuery(optionsQuery())
  const form = useForm({ initialValues: { password: '', code: '' } })
  const prove = useApiMutation(proveIdentity, { form })
  const [isAborted, setAborted] = useState(false)
  if (options.isError && !options.data) return <ErrorState error={options.error} onRetry={() => void options.refetch()} />
  if (!options.data) return <LoadingRows count={2} height={56} />
  const { isCodeAsked, passkey } = options.data

  async function onPasskey(): Promise<void> {
    const response = await signChallenge(passkey)
    setAborted(response === undefined)
    if (response) prove.mutate({ response }, { onSuccess: onProven })
  }
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(({ password, code }) =>
        prove.mutate({ password, ...(isCodeAsked ? { code: latinDigits(code).trim() } : {}) }, { onSuccess: onProven }),
      )}
    >
      <Stack gap="md" mb="lg">
        <Text size="sm">{t('proof.hint')}</Text>
        {passkey !== null && (
          <Button variant="default" leftSection={<IconFingerprint size={18} aria-hidden />} onClick={() => void onPasskey()}>
            {t('usePasskey')}
          </Button>
        )}
        {isAborted && (
          <Text size="sm" c="red" role="alert">
            {t('passkeyAborted')}
          </Text>
        )}
        {passkey !== null && <Divider label={t('auth:or')} />}
        <PasswordField
          label={t('auth:password')}
          autoComplete="current-password"
          data-autofocus
          {...form.getInputProps('password')}
        />
        {isCodeAsked && (
          <TextInput label={t('code')} description={t('codeHint')} autoComplete="one-time-code" {...form.getInputProps('code')} />
        )}
      </Stack>
      <FormFooter action={t('proof.action')} isBusy={prove.isPending} />
    </form>
  )
}
