import { logout } from '@causeway/contract'
import { useNavigate } from '@tanstack/react-router'
import { useApiMutation } from '../../../api/use-api-mutation.ts'
import { leaveSession } from '../../../api/session.ts'

/** Tells the server, and forgets the session here whatever it answers. */
export function useLogout(): () => void {
  const navigate = useNavigate()
  const revoke = useApiMutation(logout, { quiet: true })
  return () => {
    revoke.mutate(
      {},
      {
        onSettled: () => {
          leaveSession()
          void navigate({ to: '/auth/login' })
        },
      },
    )
  }
}
