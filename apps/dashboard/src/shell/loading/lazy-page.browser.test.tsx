import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Link,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router'
import i18n from 'i18next'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { createQueryClient } from '../../api/query-client.ts'
import { connectionStore } from '../../api/connection.ts'
import { loadTexts } from '../../api/texts.ts'
import { fetchCode, lazyPart, waitWith } from '../../lib/fetch-code.ts'
import { Coming } from './coming.tsx'
import { CrashPage } from './crash-page.tsx'
import { lazyPage, routeOptions } from './lazy-page.tsx'
import { waitForCode } from './patience.ts'
import { Providers } from '../providers.tsx'

const inner = window.fetch
let isThere: boolean
let isThereWithCode: boolean

beforeEach(async () => {
  localStorage.setItem('i18nextLng', 'en')
  await loadTexts()
  await i18n.changeLanguage('en')
  isThere = true
  isThereWithCode = true
  waitForCode()
  window.fetch = (target, init) => {
    if (!isThere) return Promise.reject(new TypeError('Failed to fetch'))
    return target === '/health' ? Promise.resolve(new Response('{}')) : inner(target, init)
  }
})
afterEach(() => {
  window.fetch = inner
  connectionStore.setState({ isAway: false, tries: 0, nextTryAt: 0 })
})

/** As the browser says it when a file of code does not come. */
async function fetchPage() {
  if (!isThere || !isThereWithCode) throw new TypeError('Failed to fetch dynamically imported module: /assets/far-page.js')
  return () => <h1>the far page</h1>
}

function show(fetchIt = fetchPage, texts: string[] = []) {
  const root = createRootRoute({
    component: () => (
      <>
        <p>the frame</p>
        <Link to={'/far' as never /* its routes are not the registered ones */}>go</Link>
        <Outlet />
      </>
    ),
    errorComponent: CrashPage,
  })
  const near = createRoute({ getParentRoute: () => root, path: '/', component: () => <h1>the near page</h1> })
  const far = createRoute({
    getParentRoute: () => root,
    ...routeOptions({ path: '/far', title: 'users', texts, search: [], page: async () => ({ default: await fetchIt() }) }),
  })
  const router = createRouter({
    routeTree: root.addChildren([near, far]),
    history: createMemoryHistory(),
    defaultPendingComponent: Coming,
    defaultPendingMs: 0,
    defaultErrorComponent: CrashPage,
    defaultPreload: 'intent',
  })
  return render(
    <Providers client={createQueryClient()}>
      <RouterProvider router={router as never} />
    </Providers>,
  )
}

const heading = () => page.getByRole('heading', { level: 1 })
const words = () => page.getByText('This page has not been fetched yet.')

it('a page whose code was not fetched before the server went says so inside the panel, and opens by itself when it is back', async () => {
  await show()
  await expect.element(heading()).toHaveTextContent('the near page')
  isThere = false
  await page.getByRole('link', { name: 'go' }).click()
  await expect.element(words()).toBeVisible()
  await expect.element(page.getByText('the frame')).toBeVisible()
  isThere = true
  await expect.element(heading()).toHaveTextContent('the far page')
})

it('a page whose texts were not fetched waits for them, instead of showing their keys', async () => {
  i18n.removeResourceBundle('en', 'hwid')
  await show(async () => {
    const { useTranslation } = await import('react-i18next')
    return function Far() {
      const { t } = useTranslation('hwid')
      return <h1>{t('title')}</h1>
    }
  }, ['hwid'])
  isThere = false
  await page.getByRole('link', { name: 'go' }).click()
  await expect.element(words()).toBeVisible()
  isThere = true
  await page.getByRole('button', { name: 'Open it now' }).click()
  await expect.element(heading()).toHaveTextContent('Devices')
})

it('where the server is there and a newer release has no such code any more, everything is loaded anew once', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const loadAnew = vi.fn<() => Promise<void>>(() => Promise.resolve())
  waitWith({ wasAway: () => Promise.resolve(false), loadAnew })
  await show()
  isThereWithCode = false
  // Pointing at the link fetches ahead, for which nothing is loaded anew.
  await page.getByRole('link', { name: 'go' }).hover()
  await expect.element(heading()).toHaveTextContent('the near page')
  expect(loadAnew).not.toHaveBeenCalled()
  await page.getByRole('link', { name: 'go' }).click()
  await expect.element(page.getByRole('button', { name: 'Refresh the page' })).toBeVisible()
  expect(loadAnew).toHaveBeenCalledOnce()
})

it('a style sheet that did not come is fetched again with the next code', async () => {
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.href = '/nothing-here/a.css'
  document.head.append(link)
  link.dispatchEvent(new Event('error'))
  link.href = URL.createObjectURL(new Blob(['#styled { color: rgb(1, 2, 3) }'], { type: 'text/css' }))
  const Part = lazyPart(async () => () => <p id="styled">a part</p>)
  await render(<Part />)
  await expect.element(page.getByText('a part')).toHaveStyle({ color: 'rgb(1, 2, 3)' })
  expect(link.isConnected).toBe(false)
  document.querySelector(`link[href="${link.href}"]`)?.remove()
})

it('what has been fetched once does not wait for a style sheet of others that did not come before the server went', async () => {
  const fetchPart = async () => () => <p>a part</p>
  await fetchCode(fetchPart)
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.href = URL.createObjectURL(new Blob(['']))
  URL.revokeObjectURL(link.href) // nothing is there, whenever it is asked for
  document.head.append(link)
  link.dispatchEvent(new Event('error'))
  isThere = false
  const Part = lazyPart(fetchPart)
  await render(<Part />)
  await expect.element(page.getByText('a part')).toBeVisible()
  isThere = true
  link.href = URL.createObjectURL(new Blob([''], { type: 'text/css' }))
  await fetchCode(async () => undefined) // so that it does not fail in the tests behind
  document.querySelector(`link[href="${link.href}"]`)?.remove()
})

it('a page that was fetched ahead is there at once', async () => {
  const fetchOnce = vi.fn<typeof fetchPage>(fetchPage)
  const Page = lazyPage(fetchOnce)
  await Page.preload()
  isThere = false
  await render(<Page />)
  await expect.element(heading()).toHaveTextContent('the far page')
  expect(fetchOnce).toHaveBeenCalledOnce()
})
