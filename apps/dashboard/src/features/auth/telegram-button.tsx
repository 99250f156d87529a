import { telegramCallback } from '@causeway/contract'
import { Button, Stack, Text } from '@mantine/core'
import { useEffect, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useTelegramLogin } from './other-methods.queries.ts'
import { secondStepOf, type Started } from './second-step/second-step.queries.ts'
import { Proofs } from './second-step/second-step.tsx'

const SCRIPT_URL = 'https://telegram.org/js/telegram-widget.js?22'

declare global {
  interface Window {
    /** Defined by the provider's script. */
    Telegram?: {
      Login: { auth: (options: { bot_id: number; request_access: 'write' }, done: (answer: unknown) => void) => void }
    }
  }
}

/** Sign-in through the messaging platform. Its script is fetched from there, and only while this method is on. */
export function TelegramButton({ botId }: { botId: number }) {
  const { t } = useTranslation('auth')
  const login = useTelegramLogin()
  const [script, setScript] = useState<'loading' | 'loaded' | 'refused'>(window.Telegram === undefined ? 'loading' : 'loaded')
  const reasonId = useId()
  const [secondStep, setSecondStep] = useState<Started>()
  const hasToLoadPage = script === 'loading' && !isLoadedHere()

  // The script element and the address are outside React.
  useEffect(() => {
    if (window.Telegram !== undefined) return
    // After a failed sign-in elsewhere a message stands here, which must not vanish: there the button loads the page.
    if (!isLoadedHere()) return loadedPath().startsWith('/oauth2/') ? undefined : window.location.reload()
    const element = document.createElement('script')
    element.src = SCRIPT_URL
    element.async = true
    element.addEventListener('load', () => setScript('loaded'))
    element.addEventListener('error', () => setScript('refused'))
    document.head.append(element)
    return () => element.remove()
  }, [])

  function start(): void {
    if (hasToLoadPage) return window.location.reload()
    window.Telegram?.Login.auth({ bot_id: botId, request_access: 'write' }, (answer) => {
      // The provider answers false when the visitor gives up.
      const parsed = telegramCallback.body.safeParse(answer)
      if (parsed.success) login.mutate(parsed.data, { onError: (failure) => setSecondStep(secondStepOf(failure)) })
    })
  }
  if (secondStep) return <Proofs started={secondStep} />
  const isRefused = script === 'refused'
  return (
    <Stack gap={4}>
      <Button
        variant="default"
        loading={(script === 'loading' && !hasToLoadPage) || login.isPending}
        disabled={isRefused}
        aria-describedby={isRefused ? reasonId : undefined}
        onClick={start}
      >
        {t('continueWith', { name: t('telegram') })}
      </Button>
      {isRefused && (
        <Text id={reasonId} size="xs" c="dimmed">
          {t('telegramUnreachable')}
        </Text>
      )}
    </Stack>
  )
}

/**
 * A page keeps the policy of the address it was loaded from, and only the login page's admits the script. A visitor
 * from another address has to load this one.
 */
function isLoadedHere(): boolean {
  return loadedPath().startsWith('/auth/login')
}

function loadedPath(): string {
  const [navigation] = performance.getEntriesByType('navigation')
  return navigation === undefined ? window.location.pathname : new URL(navigation.name).pathname
}
