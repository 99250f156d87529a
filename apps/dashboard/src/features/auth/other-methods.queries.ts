import { oauth2Authorize, oauth2Callback, telegramCallback } from '@causeway/contract'
import { useTranslation } from 'react-i18next'
import { startSession } from '../../api/session.ts'
import { useApiMutation } from '../../api/use-api-mutation.ts'

export function useTelegramLogin() {
  const { t } = useTranslation('auth')
  return useApiMutation(telegramCallback, { refusal: t('refused'), onReply: ({ accessToken }) => startSession(accessToken) })
}

export function useOAuth2Authorize() {
  return useApiMutation(oauth2Authorize)
}

export function useOAuth2Callback() {
  const { t } = useTranslation('auth')
  return useApiMutation(oauth2Callback, { refusal: t('refused'), onReply: ({ accessToken }) => startSession(accessToken) })
}
