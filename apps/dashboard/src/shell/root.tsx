import { Outlet, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { sessionStore, useSession } from '../api/session.ts'
import { LoadingBar } from '../ui/loading-bar.tsx'

/** Above all pages: waits for the session to be known, and sends people where it says when it changes. */
export function Root() {
  const { isInitialized } = useSession()
  const router = useRouter()

  // The guards stand in the routes; the session may end in any call or in another tab.
  useEffect(() => sessionStore.subscribe(() => void router.invalidate()), [router])

  return isInitialized ? <Outlet /> : <LoadingBar />
}
