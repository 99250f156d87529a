import { Divider } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { AuthStatus } from './auth.queries.ts'
import { isPasskeyOffered, signInLayout } from './auth.rules.ts'
import { PasskeyButton } from './second-step/passkey-button.tsx'
import { OAuth2Buttons } from './oauth2-buttons.tsx'
import { TelegramButton } from './telegram-button.tsx'

/** The ways to sign in beside the password, as far as the installation has any. */
export function OtherMethods({ status }: { status: AuthStatus }) {
  const { t } = useTranslation('auth')
  const { form, hasTelegram, providers } = signInLayout(status)
  return (
    <>
      {form === 'login' && <Divider label={t('or')} />}
      {isPasskeyOffered(status, location.hostname) && <PasskeyButton />}
      {status.tgAuth !== null && hasTelegram && <TelegramButton botId={status.tgAuth.botId} />}
      {providers.length > 0 && <OAuth2Buttons providers={providers} />}
    </>
  )
}
