import type { QueryClient } from '@tanstack/react-query'
import { lazy, useDeferredValue, useState, type ComponentType } from 'react'
import { noteWanted, sessionStore, useSession } from './api/session.ts'
import LoginPage from './features/auth/login-page.tsx'
import { CrashBoundary } from './shell/crash-boundary.tsx'
import { CrashPage } from './shell/crash-page.tsx'
import { fetchPanel, fetchPanelAhead, panelFirst } from './shell/fetch-panel.ts'

const SIGN_IN = '/auth/login'

/** What is drawn at the browser's address for who arrives there. */
export async function firstScreen(client: QueryClient): Promise<ComponentType> {
  const First = isSignIn() ? signInFirst(client) : await panelFirst(client)
  return function FirstScreen() {
    return (
      <CrashBoundary instead={<CrashPage />}>
        <First />
      </CrashBoundary>
    )
  }
}

/** Whether somebody arrives here to sign in. */
function isSignIn(): boolean {
  if (sessionStore.getState().isAuthenticated) return false
  const { pathname } = window.location
  if (pathname === '/') {
    noteWanted(pathname)
    window.history.replaceState(null, '', SIGN_IN)
  }
  return pathname === '/' || pathname === SIGN_IN
}

/**
 * The sign-in of who arrives at it, for which no route is needed: the panel is fetched once somebody types. Signed in, it takes
 * over; its routes lead on from here, and back to the same page when the session ends.
 */
function signInFirst(client: QueryClient) {
  const Panel = lazy(async () => {
    const { Pages, isDrawable } = await fetchPanel(client)
    await isDrawable
    return { default: Pages }
  })
  window.addEventListener('input', fetchPanelAhead, { once: true })

  return function SignInFirst() {
    const { isAuthenticated } = useSession()
    const [isOver, setIsOver] = useState(false)
    if (isAuthenticated && !isOver) setIsOver(true)
    // The page stands until the panel can be drawn.
    const isPanelDue = useDeferredValue(isOver)
    return isPanelDue ? <Panel /> : <LoginPage />
  }
}
