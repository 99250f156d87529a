import {
  acceptInvitation,
  createRole,
  deleteRole,
  getInvitation,
  getInvitationPasskeyOptions,
  inviteAdmin,
  listAdmins,
  listApiTokenDetails,
  listApiTokens,
  listResellers,
  listRoles,
  recallInvitation,
  removeAdmin,
  updateAdmin,
  updateRole,
} from '@causeway/contract'
import { startRegistration, type PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser'
import { useTranslation } from 'react-i18next'
import { apiQuery } from '../../api/api-query.ts'
import { call } from '../../api/call.ts'
import { startSession } from '../../api/session.ts'
import { useApiMutation, type FormTarget } from '../../api/use-api-mutation.ts'
import { seconds } from '../../lib/time/durations.ts'

export const adminsQuery = () => apiQuery(listAdmins, {}, { refetchInterval: seconds(30) })
export const rolesQuery = () => apiQuery(listRoles, {})
export const invitationQuery = (token: string) => apiQuery(getInvitation, { token }, { quiet: true })

const refreshes = [listAdmins, listRoles, listResellers]

export const useInvite = () => useApiMutation(inviteAdmin, { refreshes })

export function useRecall() {
  const { t } = useTranslation('admins')
  return useApiMutation(recallInvitation, { success: t('invite.recalled'), refreshes })
}

export function useUpdateAdmin() {
  const { t } = useTranslation('admins')
  return useApiMutation(updateAdmin, { success: t('edit.saved'), refreshes })
}

export function useRemoveAdmin() {
  const { t } = useTranslation('admins')
  return useApiMutation(removeAdmin, {
    success: t('remove.done'),
    refreshes: [...refreshes, listApiTokens, listApiTokenDetails],
  })
}

export function useCreateRole() {
  const { t } = useTranslation('admins')
  return useApiMutation(createRole, { success: t('role.saved'), refreshes })
}

export function useUpdateRole() {
  const { t } = useTranslation('admins')
  return useApiMutation(updateRole, { success: t('role.saved'), refreshes })
}

export function useDeleteRole() {
  const { t } = useTranslation('admins')
  return useApiMutation(deleteRole, { success: t('role.deleted'), refreshes })
}

/** Has the browser make a passkey for the invited person; undefined where that person broke it off. */
export async function createInvitedPasskey(token: string, username: string): Promise<object | undefined> {
  const { options } = await call(getInvitationPasskeyOptions, { token, username })
  try {
    // The server's library made it for this very one.
    return await startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON })
  } catch {
    return undefined
  }
}

export const useAccept = (form: FormTarget) =>
  useApiMutation(acceptInvitation, { form, onReply: ({ accessToken }) => startSession(accessToken) })
