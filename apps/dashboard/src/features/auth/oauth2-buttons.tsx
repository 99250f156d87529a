import type { OAuth2Provider } from '@causeway/contract'
import { Button, Stack } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useOAuth2Authorize } from './other-methods.queries.ts'

/** If the browser has not left by then, the button may be pressed again. */
const LOADING_MS = 1000

export function OAuth2Buttons({ providers }: { providers: readonly OAuth2Provider[] }) {
  const { t } = useTranslation('auth')
  const authorize = useOAuth2Authorize()
  const [chosen, setChosen] = useState<OAuth2Provider>()
  const [isLeaving, setIsLeaving] = useState(false)

  // Leaving the page is the browser's affair; when it does not happen, time gives the button back.
  useEffect(() => {
    if (!isLeaving) return
    const timer = setTimeout(() => {
      setIsLeaving(false)
      setChosen(undefined)
    }, LOADING_MS)
    return () => clearTimeout(timer)
  }, [isLeaving])

  function start(provider: OAuth2Provider): void {
    setChosen(provider)
    authorize.mutate(
      { provider },
      {
        onSuccess: ({ authorizationUrl }) => {
          setIsLeaving(true)
          if (authorizationUrl !== null) window.location.assign(authorizationUrl)
        },
        onError: () => setChosen(undefined),
      },
    )
  }
  return (
    <Stack gap="xs">
      {providers.map((provider) => (
        <Button key={provider} variant="default" loading={chosen === provider} onClick={() => start(provider)}>
          {t('continueWith', { name: t(provider) })}
        </Button>
      ))}
    </Stack>
  )
}
