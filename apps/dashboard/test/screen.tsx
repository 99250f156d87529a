// Brings the types of what Playwright lets a test ask of the browser.
import type {} from '@vitest/browser-playwright'
import {
  getAccount,
  getBuild,
  getInstallation,
  getNodeJoin,
  getRelease,
  listBackups,
  listExternalSquads,
  listNodePlugins,
  listSnippets,
  listRollouts,
  listSubscriptionTemplates,
  listTopUsers,
  listViews,
} from '@causeway/contract'
import { ModalsProvider } from '@mantine/modals'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import i18n from 'i18next'
import { Suspense, useLayoutEffect, type ReactNode } from 'react'
import { cdp, page } from 'vitest/browser'
import { cleanup, render, type RenderResult } from 'vitest-browser-react'
import { createQueryClient } from '../src/api/query-client.ts'
import { endSession, sessionStore, startSession } from '../src/api/session.ts'
import { loadTexts } from '../src/api/texts.ts'
import type { LANGUAGES } from '../src/lib/languages.ts'
import { createAppRouter } from '../src/routes.tsx'
import { Providers } from '../src/shell/providers.tsx'
import { LoadingBar } from '../src/ui/frames/loading-bar.tsx'
import { answer, isAnswered } from './fake-api.ts'
import { sampleBackups } from './sample-backups.ts'
import { sampleAccount, sampleBuild, sampleJoin } from './samples.ts'

/** What a screen is looked at with. Persian turns it from right to left. */
interface View {
  language?: (typeof LANGUAGES)[number]['code']
  width?: number
  height?: number
  /** What the operating system asks for. */
  colorScheme?: 'dark' | 'light'
  isSignedIn?: boolean
  /** The session's, as the server would have made it. */
  token?: string
}

interface PartView extends View {
  /** Texts beyond those of the first screen. */
  texts?: string[]
}

/** What phones and desktops of the specification measure. */
export const PHONE = { width: 390, height: 844 } as const

/** The whole dashboard at an address, as `start.tsx` mounts it. Shown twice in a test it is a reload. */
export async function showPage(
  address: string,
  view: View = {},
): Promise<RenderResult & { address: () => string; go: (address: string) => void; back: () => void }> {
  await prepare(view)
  if (!isAnswered(getBuild)) answer(getBuild, () => sampleBuild())
  if (!isAnswered(getRelease)) answer(getRelease, () => ({ isConfigured: false, latestTag: null, stars: null }))
  if (!isAnswered(listViews)) answer(listViews, () => ({ views: [] }))
  if (!isAnswered(listTopUsers)) answer(listTopUsers, () => ({ from: '2026-11-16', users: [] }))
  if (!isAnswered(listRollouts)) answer(listRollouts, () => ({ rollouts: [] }))
  if (!isAnswered(listExternalSquads)) answer(listExternalSquads, () => ({ total: 0, externalSquads: [] }))
  if (!isAnswered(listNodePlugins)) answer(listNodePlugins, () => ({ total: 0, nodePlugins: [] }))
  if (!isAnswered(listSnippets)) answer(listSnippets, () => ({ total: 0, snippets: [] }))
  if (!isAnswered(listSubscriptionTemplates)) answer(listSubscriptionTemplates, () => ({ total: 0, templates: [] }))
  if (!isAnswered(getNodeJoin)) answer(getNodeJoin, () => sampleJoin())
  const client = createQueryClient()
  const router = createAppRouter(client, createMemoryHistory({ initialEntries: [address] }))
  const screen = await render(
    <Providers client={client}>
      <Suspense fallback={<LoadingBar />}>
        <RouterProvider router={router} />
      </Suspense>
    </Providers>,
  )
  return Object.assign(screen, {
    address: () => router.state.location.href,
    go: (next: string) => router.history.push(next),
    back: () => router.history.back(),
  })
}

/** One component on everything that screens stand on. */
export async function showPart(part: ReactNode, { texts = [], ...view }: PartView = {}): Promise<RenderResult> {
  await prepare(view)
  await loadTexts(...texts)
  const drawn = Promise.withResolvers<void>()
  const root = createRootRoute({
    component: () => (
      <ModalsProvider>
        {part}
        <Told onDrawn={drawn.resolve} />
      </ModalsProvider>
    ),
  })
  const router = createRouter({ routeTree: root, history: createMemoryHistory() })
  const screen = await render(
    <Providers client={createQueryClient()}>
      <RouterProvider router={router as never} /* its routes are not the registered ones */ />
    </Providers>,
  )
  // The React that is shipped draws when it has the time.
  await drawn.promise
  return screen
}

function Told({ onDrawn }: { onDrawn: () => void }) {
  useLayoutEffect(onDrawn, [onDrawn])
  return null
}

let emulated: View['colorScheme']

async function prepare({
  language = 'en',
  width = 1440,
  height = 900,
  colorScheme = 'dark',
  isSignedIn = true,
  token = 'a token',
}: View): Promise<void> {
  if (!isAnswered(getAccount)) answer(getAccount, () => sampleAccount())
  if (isSignedIn) startSession(token)
  else {
    endSession()
    sessionStore.setState({ isAuthenticated: false, isInitialized: true })
  }
  await cleanup()
  // Every period says whose days it counts.
  if (!isAnswered(getInstallation)) answer(getInstallation, () => ({ timeZone: 'UTC', updatedAt: new Date(0) }))
  if (!isAnswered(listBackups)) answer(listBackups, () => sampleBackups())
  // Where the last test left the mouse, a tooltip of this one would open.
  await cdp().send('Input.dispatchMouseEvent', { type: 'mouseMoved', x: 0, y: 0 })
  await page.viewport(width, height)
  if (emulated !== colorScheme) {
    emulated = colorScheme
    await cdp().send('Emulation.setEmulatedMedia', {
      features: [
        { name: 'prefers-color-scheme', value: colorScheme },
        { name: 'prefers-reduced-motion', value: 'reduce' },
      ],
    })
  }
  await loadTexts()
  if (i18n.language !== language) await i18n.changeLanguage(language)
}
