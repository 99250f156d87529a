import { Button, Text } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { readSignInOptions, signChallenge, usePasskeySignIn } from './second-step.queries.ts'

/** Signs in by a passkey alone. */
export function PasskeyButton() {
  const { t } = useTranslation('second-step')
  const signIn = usePasskeySignIn()
  const prove = useMutation({
    mutationFn: async () => signChallenge(await readSignInOptions()),
    onSuccess: (response) => response && signIn.mutate({ response }),
  })
  const hasFailed = prove.isError || (prove.isSuccess && prove.data === undefined)
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconFingerprint size={18} aria-hidden />}
        loading={prove.isPending || signIn.isPending}
        onClick={() => prove.mutate()}
      >
        {t('signInWithPasskey')}
      </Button>
      {hasFailed && (
        <Text size="sm" c="red" role="alert">
          {prove.error?.message ?? t('passkeyAborted')}
        </Text>
      )}
    </>
  )
}
