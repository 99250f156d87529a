import { linkIdentity, listIdentities, listSessions, startIdentityLink, unlinkIdentity } from '@causeway/contract'
import { useTranslation } from 'react-i18next'
import { apiQuery } from '../../../api/api-query.ts'
import { useApiMutation } from '../../../api/use-api-mutation.ts'

/** Kept by the tab while it is away at a provider: the state of the link that it comes back with. */
const LINKING = 'linkingState'

export const identitiesQuery = () => apiQuery(listIdentities, {}, { quiet: true })

/** Leads to the provider, which sends the browser back to its callback page. */
export function useStartLink() {
  return useApiMutation(startIdentityLink, {
    onReply: ({ authorizationUrl }) => {
      sessionStorage.setItem(LINKING, new URL(authorizationUrl).searchParams.get('state') ?? '')
      window.location.assign(authorizationUrl)
    },
  })
}

/** Whether an answer of a provider is of a link that this tab has begun. */
export function isLinking(state: string | undefined): boolean {
  return state !== undefined && sessionStorage.getItem(LINKING) === state
}

export function useLink() {
  const { t } = useTranslation('account')
  return useApiMutation(linkIdentity, {
    success: ({ label }) => t('identities.linked', { label }),
    refreshes: [listIdentities, listSessions],
  })
}

export function useUnlink() {
  const { t } = useTranslation('account')
  return useApiMutation(unlinkIdentity, { success: t('identities.unlinked'), refreshes: [listIdentities, listSessions] })
}
