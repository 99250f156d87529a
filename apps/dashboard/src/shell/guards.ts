import { redirect } from '@tanstack/react-router'
import { forgetWanted, noteWanted, sessionStore, wantedAddress } from '../api/session.ts'

/** For pages of a signed-in administrator. Holding a token is the only distinction there is. */
export function requireSession({ location, preload }: { location: { href: string }; preload: boolean }): void {
  const { isInitialized, isAuthenticated } = sessionStore.getState()
  if (isAuthenticated) forgetWanted()
  else if (isInitialized) {
    // A prefetched page is not a destination.
    if (!preload) noteWanted(location.href)
    throw redirect({ to: '/auth/login' })
  }
}

/** For the sign-in pages: after signing in the reader arrives at the requested address with its search. */
export function requireNoSession(): void {
  if (sessionStore.getState().isAuthenticated) throw redirect({ href: wantedAddress() })
}
