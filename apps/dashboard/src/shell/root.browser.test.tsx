import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { beforeAll, expect, it, vi } from 'vitest'
import { render } from 'vitest-browser-react'
import { createQueryClient } from '../api/query-client.ts'
import { endSession, sessionStore, startSession, wantedAddress } from '../api/session.ts'
import { loadTexts } from '../api/texts.ts'
import { CrashPage } from './loading/crash-page.tsx'
import { requireSession } from './guards.ts'
import { Providers } from './providers.tsx'
import { Root } from './root.tsx'

beforeAll(async () => {
  localStorage.setItem('i18nextLng', 'en')
  await loadTexts()
})

function show(page: () => React.ReactNode) {
  const root = createRootRoute({ component: Root, errorComponent: CrashPage })
  const index = createRoute({ getParentRoute: () => root, path: '/', component: page })
  const router = createRouter({ routeTree: root.addChildren([index]), history: createMemoryHistory() })
  return render(
    <Providers client={createQueryClient()}>
      <RouterProvider router={router as never} />
    </Providers>,
  )
}

it('AUTH-001 a loader stands until it is known whether somebody is signed in', async () => {
  sessionStore.setState({ isAuthenticated: false, isInitialized: false })
  const screen = await show(() => <p>the page</p>)
  await expect.element(screen.getByRole('progressbar')).toBeVisible()
  expect(screen.getByText('the page').elements()).toEqual([])
  sessionStore.setState({ isAuthenticated: false, isInitialized: true })
  await expect.element(screen.getByText('the page')).toBeVisible()
})

it('a session that ends with what a page asked for before it was drawn leads to the sign-in, and back from there', async () => {
  startSession('a token that has expired')
  const root = createRootRoute({ component: Root })
  const wanted = createRoute({ getParentRoute: () => root, path: '/dashboard/users', beforeLoad: requireSession })
  const login = createRoute({ getParentRoute: () => root, path: '/auth/login', component: () => <p>sign in</p> })
  const history = createMemoryHistory({ initialEntries: ['/dashboard/users'] })
  const router = createRouter({ routeTree: root.addChildren([wanted, login]), history })
  await router.load()
  endSession()
  const screen = await render(
    <Providers client={createQueryClient()}>
      <RouterProvider router={router as never} />
    </Providers>,
  )
  await expect.element(screen.getByText('sign in')).toBeVisible()
  expect(wantedAddress()).toBe('/dashboard/users')
})

it('SHELL-063 a page that crashes is replaced by the 500 page', async () => {
  sessionStore.setState({ isAuthenticated: false, isInitialized: true })
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const screen = await show(() => {
    throw new Error('a bug')
  })
  await expect.element(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Something bad just happened...')
  await expect.element(screen.getByText('Try to refresh the page.')).toBeVisible()
  await expect.element(screen.getByRole('button', { name: 'Refresh the page' })).toBeEnabled()
})
