import { afterEach, expect, it, vi } from 'vitest'
import { endSession, onSessionEnd, restoreSession, sessionStore, startSession } from './session.ts'

afterEach(() => endSession())

it('AUTH-031 AUTH-032 without a stored token the visitor is known to be a stranger', () => {
  sessionStore.setState({ isAuthenticated: false, isInitialized: false })
  restoreSession()
  expect(sessionStore.getState()).toEqual({ isAuthenticated: false, isInitialized: true })
})

it('AUTH-031 AUTH-033 with a stored token the visitor is signed in before any call', () => {
  localStorage.setItem('session', 'kept')
  restoreSession()
  expect(sessionStore.getState()).toEqual({ isAuthenticated: true, isInitialized: true })
})

it('the end of a session forgets the token and tells who must know', () => {
  const told = vi.fn<() => void>()
  onSessionEnd(told)
  startSession('token')
  endSession()
  expect(localStorage.getItem('session')).toBeNull()
  expect(told).toHaveBeenCalledTimes(1)
})
