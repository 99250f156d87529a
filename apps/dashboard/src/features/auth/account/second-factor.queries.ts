import {
  confirmAuthenticator,
  deletePasskey,
  getPasskeyRegistrationOptions,
  getSecondFactor,
  listPasskeys,
  listSessions,
  makeRecoveryCodes,
  removeAuthenticator,
  renamePasskey,
  startAuthenticator,
  verifyPasskeyRegistration,
} from '@causeway/contract'
import { startRegistration, WebAuthnError, type PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser'
import { useTranslation } from 'react-i18next'
import { apiQuery } from '../../../api/api-query.ts'
import { call } from '../../../api/call.ts'
import { withProof } from '../../../api/proof.ts'
import { useApiMutation, type FormTarget } from '../../../api/use-api-mutation.ts'

export const secondFactorQuery = () => apiQuery(getSecondFactor, {}, { quiet: true })
export const passkeysQuery = () => apiQuery(listPasskeys, {}, { quiet: true })

const refreshes = [getSecondFactor, listPasskeys, listSessions]

export const useStartAuthenticator = () => useApiMutation(startAuthenticator)

export function useConfirmAuthenticator(form: FormTarget) {
  const { t } = useTranslation('account')
  return useApiMutation(confirmAuthenticator, { form, success: t('factor.added'), refreshes })
}

export function useRemoveAuthenticator() {
  const { t } = useTranslation('account')
  return useApiMutation(removeAuthenticator, { success: t('factor.removed'), refreshes })
}

export const useMakeRecoveryCodes = () => useApiMutation(makeRecoveryCodes, { refreshes })

export function useAddPasskey() {
  const { t } = useTranslation('account')
  return useApiMutation(verifyPasskeyRegistration, { success: t('passkeys.added'), refreshes })
}

export function useRenamePasskey() {
  const { t } = useTranslation('account')
  return useApiMutation(renamePasskey, { success: t('passkeys.renamed'), refreshes })
}

export function useRemovePasskey() {
  const { t } = useTranslation('account')
  return useApiMutation(deletePasskey, { success: t('passkeys.removed'), refreshes })
}

/** Has the browser make a passkey. Undefined where the person broke it off; `known` where this device has one already. */
export async function createCredential(): Promise<object | 'known' | undefined> {
  const options = await withProof(() => call(getPasskeyRegistrationOptions, {}))
  try {
    // The server's library made it for this very one.
    return await startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON })
  } catch (error) {
    return error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED' ? 'known' : undefined
  }
}
