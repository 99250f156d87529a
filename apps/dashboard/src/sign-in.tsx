import type { QueryClient } from '@tanstack/react-query'
import { lazy, useDeferredValue, useState, type ComponentType } from 'react'
import { noteWanted, sessionStore, useSession } from './api/session.ts'
import LoginPage from './features/auth/login-page.tsx'
import { CrashBoundary } from './shell/loading/crash-boundary.tsx'
import { CrashPage } from './shell/loading/crash-page.tsx'
import { fetchPanel, fetchPanelAhead, panelFirst } from './shell/loading/fetch-panel.ts'

const SIGN_IN = '/auth/login'

/** The content at the browser's first address. */
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

/** Whether the visit starts at the sign-in. */
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
 * The sign-in at the first address, which needs no route: the panel is fetched at the first key press. After signing
 * in it takes over; its routes lead on from here, and back to the same page when the session ends.
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
