import { Button, Text } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useCeremony } from '../parts/use-ceremony.ts'
import { readSignInOptions, signChallenge, usePasskeySignIn } from './second-step.queries.ts'

/** Signs in by a passkey alone. */
export function PasskeyButton() {
  const { t } = useTranslation('second-step')
  const signIn = usePasskeySignIn()
  const prove = useCeremony(
    async () => signChallenge(await readSignInOptions()),
    (response) => response && signIn.mutate({ response }),
  )
  const hasFailed = prove.error !== undefined || (prove.isDone && prove.result === undefined)
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconFingerprint size={18} aria-hidden />}
        loading={prove.isPending || signIn.isPending}
        onClick={() => void prove.start()}
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
