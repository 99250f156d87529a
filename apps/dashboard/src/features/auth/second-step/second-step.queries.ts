import {
  finishWithCode,
  finishWithPasskey,
  getPasskeySignInOptions,
  startSecondStep,
  verifyPasskeySignIn,
  type Reply,
} from '@causeway/contract'
import { startAuthentication, type PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser'
import { useTranslation } from 'react-i18next'
import { call } from '../../../api/call.ts'
import { startSession } from '../../../api/session.ts'
import { useApiMutation, type FormTarget } from '../../../api/use-api-mutation.ts'

export type Started = Reply<typeof startSecondStep>
const onReply = ({ accessToken }: { accessToken: string }) => startSession(accessToken)

export const useStartSecondStep = () => useApiMutation(startSecondStep, { quiet: true })

export function useFinishWithCode(form: FormTarget) {
  return useApiMutation(finishWithCode, {
    onReply,
    quiet: true,
    onFailure: (error) => form.setErrors({ code: error.message }),
  })
}

export function useFinishWithPasskey() {
  const { t } = useTranslation('second-step')
  return useApiMutation(finishWithPasskey, { onReply, refusal: t('passkeyRefused') })
}

export function usePasskeySignIn() {
  const { t } = useTranslation('second-step')
  return useApiMutation(verifyPasskeySignIn, { onReply, refusal: t('passkeyRefused') })
}

export const readSignInOptions = () => call(getPasskeySignInOptions, {})

/** Has the browser sign a challenge; undefined where the person or the browser did not. */
export async function signChallenge(options: unknown): Promise<object | undefined> {
  try {
    // The server's library made it for this very one.
    return await startAuthentication({ optionsJSON: options as PublicKeyCredentialRequestOptionsJSON })
  } catch {
    return undefined
  }
}
