import { telegramCallback } from '@causeway/contract'
import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useTelegramLogin } from './auth.queries.ts'

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
  const [isReady, setIsReady] = useState(window.Telegram !== undefined)

  // A script element is outside React.
  useEffect(() => {
    if (window.Telegram !== undefined) return
    const script = document.createElement('script')
    script.src = SCRIPT_URL
    script.async = true
    script.addEventListener('load', () => setIsReady(true))
    document.head.append(script)
    return () => script.remove()
  }, [])

  function start(): void {
    window.Telegram?.Login.auth({ bot_id: botId, request_access: 'write' }, (answer) => {
      // The provider answers false when the visitor gives up.
      const parsed = telegramCallback.body.safeParse(answer)
      if (parsed.success) login.mutate(parsed.data)
    })
  }
  return (
    <Button variant="default" loading={!isReady || login.isPending} onClick={start}>
      {t('continueWith', { name: t('telegram') })}
    </Button>
  )
}
