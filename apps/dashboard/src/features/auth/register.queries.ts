import { getAuthStatus, register } from '@causeway/contract'
import { useTranslation } from 'react-i18next'
import { startSession } from '../../api/session.ts'
import { useApiMutation, type FormTarget } from '../../api/use-api-mutation.ts'

export function useRegister(form: FormTarget) {
  const { t } = useTranslation('auth')
  return useApiMutation(register, {
    form,
    success: t('registered'),
    refusal: t('registerRefused'),
    onReply: ({ accessToken }) => startSession(accessToken),
    // Another administrator registered first: from now on the page is for signing in.
    onFailure: (error, _, client) => {
      if ('status' in error && error.status === 403) void client.invalidateQueries({ queryKey: [getAuthStatus.name] })
    },
  })
}
