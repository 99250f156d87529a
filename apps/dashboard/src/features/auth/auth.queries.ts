import { getAuthStatus, login, type Reply } from '@causeway/contract'
import { useTranslation } from 'react-i18next'
import { apiQuery } from '../../api/api-query.ts'
import { isUnproven } from '../../api/proof.ts'
import { startSession } from '../../api/session.ts'
import { useApiMutation, type FormTarget } from '../../api/use-api-mutation.ts'

export type AuthStatus = Reply<typeof getAuthStatus>

/** Quiet: the page itself says that the server does not respond. */
export const authStatusQuery = () => apiQuery(getAuthStatus, {}, { quiet: true, refetchOnMount: false })

export function useLogin(form: FormTarget, onSecondStep: () => void) {
  const { t } = useTranslation('auth')
  return useApiMutation(login, {
    form,
    refusal: t('wrongCredentials'),
    onReply: ({ accessToken }) => startSession(accessToken),
    // The wire answers every refusal with the same 403, so this is as exact as it can be.
    onFailure: (error) => {
      if (isUnproven(error)) onSecondStep()
      if ('status' in error && error.status === 403) form.setErrors({ password: t('wrongCredentials') })
    },
  })
}
