import { forgetFirstReads } from './ahead.ts'
import { SESSION_KEY, sessionToken } from './credentials.ts'
import { createStore, useStore } from '../lib/store.ts'

export interface Session {
  isAuthenticated: boolean
  isInitialized: boolean
}

// The one global store. Only the token outlives the page; whether it is still good is the server's to say (AUTH-033).
export const sessionStore = createStore<Session>({ isAuthenticated: false, isInitialized: false })
const endListeners = new Set<() => void>()

// The destination of a visit without a session. It survives the redirect to a sign-in provider, but not the tab.
const WANTED_KEY = 'wanted'
/** Signing out clears the destination: the next session may be another person's. */
let hasLeft = false

/** Reads the stored token once at start. */
export function restoreSession(): void {
  sessionStore.setState({ isAuthenticated: sessionToken() !== null, isInitialized: true })
  // Signing out in one tab signs out the others.
  window.addEventListener('storage', (event) => {
    if (event.key === SESSION_KEY && event.newValue === null) endSession()
  })
}

export function startSession(token: string): void {
  hasLeft = false
  localStorage.setItem(SESSION_KEY, token)
  sessionStore.setState({ isAuthenticated: true, isInitialized: true })
}

/** Forgets the token and everything that was loaded with it. */
export function endSession(): void {
  localStorage.removeItem(SESSION_KEY)
  forgetFirstReads()
  sessionStore.setState({ isAuthenticated: false, isInitialized: true })
  for (const listener of endListeners) listener()
}

/** Ends the session on request. */
export function leaveSession(): void {
  hasLeft = true
  forgetWanted()
  endSession()
}

/** Notes the address that the sign-in stands in the way of. */
export function noteWanted(address: string): void {
  if (!hasLeft) sessionStorage.setItem(WANTED_KEY, address)
}

export function forgetWanted(): void {
  sessionStorage.removeItem(WANTED_KEY)
}

/** Where to go after signing in. */
export function wantedAddress(): string {
  return sessionStorage.getItem(WANTED_KEY) ?? '/'
}

export function onSessionEnd(listener: () => void): void {
  endListeners.add(listener)
}

export function useSession(): Session {
  return useStore(sessionStore)
}
