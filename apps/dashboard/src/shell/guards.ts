import { redirect } from '@tanstack/react-router'
import { forgetWanted, noteWanted, sessionStore, wantedAddress } from '../api/session.ts'

/** For pages of a signed-in administrator. Holding a token is the only distinction there is. */
export function requireSession({ location }: { location: { href: string } }): void {
  const { isInitialized, isAuthenticated } = sessionStore.getState()
  if (isAuthenticated) forgetWanted()
  else if (isInitialized) {
    noteWanted(location.href)
    throw redirect({ to: '/auth/login' })
  }
}

/** For the sign-in pages: who has signed in arrives where the link pointed, with all that its search says. */
export function requireNoSession(): void {
  if (sessionStore.getState().isAuthenticated) throw redirect({ href: wantedAddress() })
}
