import { RouterProvider } from '@tanstack/react-router'
import type { QueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { followChanges } from './api/live.ts'
import { loadTexts } from './api/texts.ts'
import { createAppRouter, PENDING_MS } from './routes.tsx'

/** All but the first sign-in: the pages and the ways between them. */
export interface Panel {
  Pages: () => ReactNode
  /** Once there is something to show: the page, or that it is on its way. */
  isDrawable: Promise<unknown>
}

export function openPanel(client: QueryClient): Panel {
  const router = createAppRouter(client)
  // The page's code is fetched beside the first texts instead of after them.
  const loaded = router.load()
  void loadTexts().then(() => followChanges(client))
  const pause = new Promise((resolve) => setTimeout(resolve, PENDING_MS))
  return { Pages: () => <RouterProvider router={router} />, isDrawable: Promise.race([loaded, pause]) }
}
