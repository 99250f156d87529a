import { redirect } from '@tanstack/react-router'
import { forgetWanted, noteWanted, sessionStore, wantedAddress } from '../api/session.ts'

/** For pages of a signed-in administrator. Holding a token is the only distinction there is. */
export function requireSession({ location, preload }: { location: { href: string }; preload: boolean }): void {
  const { isInitialized, isAuthenticated } = sessionStore.getState()
  if (isAuthenticated) forgetWanted()
  else if (isInitialized) {
    // A page that is only fetched ahead is not where somebody wanted to go.
    if (!preload) noteWanted(location.href)
    throw redirect({ to: '/auth/login' })
  }
}

/** For the sign-in pages: who has signed in arrives where the link pointed, with all that its search says. */
export function requireNoSession(): void {
  if (sessionStore.getState().isAuthenticated) throw redirect({ href: wantedAddress() })
}
