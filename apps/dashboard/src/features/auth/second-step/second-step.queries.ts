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
import { z } from 'zod'
import { call } from '../../../api/call.ts'
import { CallError } from '../../../api/call-error.ts'
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

/** The second step that the server asks for behind the sign-in of a provider. */
export function secondStepOf(error: unknown): Started | undefined {
  const body = error instanceof CallError ? error.cause : undefined
  return asked.safeParse(body).data?.secondStep
}

const asked = z.object({ secondStep: startSecondStep.response })

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
