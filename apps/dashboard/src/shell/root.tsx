import { Outlet, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { sessionStore, useSession } from '../api/session.ts'
import { LoadingBar } from '../ui/frames/loading-bar.tsx'

/** Above all pages: waits for the session to be known, and sends people where it says when it changes. */
export function Root() {
  const { isInitialized } = useSession()
  const router = useRouter()

  // The guards stand in the routes; the session may end in any call or in another tab.
  useEffect(() => {
    const askGuards = () => void router.invalidate()
    // A request of the page may have ended the session before this mounts.
    if (!sessionStore.getState().isAuthenticated && router.state.location.pathname.startsWith('/dashboard')) askGuards()
    return sessionStore.subscribe(askGuards)
  }, [router])

  return isInitialized ? <Outlet /> : <LoadingBar />
}
