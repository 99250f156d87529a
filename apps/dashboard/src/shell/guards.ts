import { redirect } from '@tanstack/react-router'
import { sessionStore } from '../api/session.ts'

/** For pages of a signed-in administrator. Holding a token is the only distinction there is. */
export function requireSession(): void {
  const { isInitialized, isAuthenticated } = sessionStore.getState()
  if (isInitialized && !isAuthenticated) throw redirect({ to: '/auth/login' })
}

/** For the sign-in pages. */
export function requireNoSession(): void {
  if (sessionStore.getState().isAuthenticated) throw redirect({ to: '/' })
}
